import Configuration
import Partitions

/// An error of another module that says how a command ends by it.
package protocol ExitStatusError: Error {
    var exitStatus: ExitStatus { get }
}

/// The ways in which a command ends, the most serious last.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
    case done = 0
    case noInput = 66
    case badData = 65
    case busy = 75
    case badPipeline = 78
    case failedIO = 74
    case internalFault = 70

    package static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a != b && allCases.first { $0 == a || $0 == b } == a
    }

    /// The exit status for an error.
    package init(of error: any Error) {
        switch error {
        case is AccountsError: self = .internalFault
        case WarehouseError.disorder, WarehouseError.tablesDisagree: self = .internalFault
        case WarehouseError.busy, OutputLockError.held: self = .busy
        case is PipelineFileError, is FixedSettingError, OutputLockError.shared, is ShardedOutputError:
            self = .badPipeline
        case let error as any ExitStatusError: self = error.exitStatus
        default: self = .failedIO
        }
    }
}
