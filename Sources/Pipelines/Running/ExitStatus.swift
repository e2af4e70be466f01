import Configuration
import Warehouse

/// The ways in which a command ends, the most serious last.
package enum ExitStatus: Int32, Comparable, Sendable {
    case done = 0
    case noInput = 66
    case badData = 65
    case busy = 75
    case badPipeline = 78
    case failedIO = 74
    case internalFault = 70

    private var severity: Int {
        switch self {
        case .done: 0
        case .noInput: 1
        case .badData: 2
        case .busy: 3
        case .badPipeline: 4
        case .failedIO: 5
        case .internalFault: 6
        }
    }

    package static func < (a: ExitStatus, b: ExitStatus) -> Bool { a.severity < b.severity }
}

extension ExitStatus {
    /// The exit status for an error.
    package init(of error: any Error) {
        switch error {
        case is AccountsError: self = .internalFault
        case WarehouseError.disorder: self = .internalFault
        case WarehouseError.busy, OutputLockError.held: self = .busy
        case is PipelineFileError: self = .badPipeline
        default: self = .failedIO
        }
    }
}
