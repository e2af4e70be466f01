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
}
