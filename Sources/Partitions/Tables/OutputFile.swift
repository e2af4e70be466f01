import Calendar
import Posix

/// The kind of a file in an output, judged by its name.
package enum OutputFile: Equatable, Sendable {
    case push
    case partition(LogDate)
    case closedDates
    /// Any other file, such as a temporary file or a job's.
    case other

    init(at path: String) {
        let name = Folder.name(of: path)
        self =
            switch name {
            case OwnName.push: .push
            case OwnName.closedDates: .closedDates
            default: OwnName.logDate(ofPartition: name).map { .partition($0) } ?? .other
            }
    }

    /// The log date of a partition; nil for other files.
    package var logDate: LogDate? {
        if case .partition(let date) = self { date } else { nil }
    }
}
