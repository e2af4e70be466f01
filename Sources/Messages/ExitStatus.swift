/// The ways in which a command ends, the most serious last.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
    /// Done.
    case done = 0
    /// There are no files for any log date asked for. For `report`, `export` and `doctor`: there is no push.db, or it has no
    /// days. `run --catch-up` ends so only if nothing at all was loaded.
    case noInput = 66
    /// The data has faults: a log date is partial or held back; a delivery file cannot be used; a check with `severity: fail`
    /// found rows; ids stay that should go, or files came for a closed log date; `doctor` or `status --check` found something.
    case badData = 65
    /// Another command or a reader holds the output. Try again.
    case busy = 75
    /// The pipeline file is wrong, or has another value for a setting that settled log dates have fixed.
    case badPipeline = 78
    /// Reading or writing failed, or something is damaged.
    case failedIO = 74
    /// An internal check failed, and nothing was published. Please report it.
    case internalFault = 70

    package static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a != b && allCases.first { $0 == a || $0 == b } == a
    }
}
