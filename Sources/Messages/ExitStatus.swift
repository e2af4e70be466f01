/// The ways in which a command ends, the most serious last.
package enum ExitStatus: Int32, CaseIterable, Comparable, Sendable {
    case done = 0
    case noInput = 66
    case badData = 65
    case busy = 75
    case badPipeline = 78
    case failedIO = 74
    case internalFault = 70

    /// As the manual has it.
    package var meaning: String {
        switch self {
        case .done: "Done."
        case .noInput:
            """
            There are no files for any log date asked for. `report`, `export` and `doctor`: there is no push.db, or `export csv` \
            finds no days in the range. `run --catch-up` ends so only if nothing at all was loaded.
            """
        case .badData:
            """
            The data has faults: a log date is partial or held back; a delivery file cannot be used; a check with `severity: \
            fail` found rows; ids stay that should go, or files came for a closed log date; `doctor` or `status --check` found \
            something.
            """
        case .busy: "Another command or a reader holds the output. Try again."
        case .badPipeline:
            "The pipeline file is wrong, or has another value for a setting that settled log dates have fixed."
        case .failedIO: "Reading or writing failed, or something is damaged."
        case .internalFault: "An internal check failed, and nothing was published. Please report it."
        }
    }

    package static func < (a: ExitStatus, b: ExitStatus) -> Bool {
        a != b && allCases.first { $0 == a || $0 == b } == a
    }
}
