import Calendar
import Posix

/// Which file of an output, as its name says.
package enum OutputFile: Equatable, Sendable {
    case push
    case partition(LogDate)
    /// The record of closed log dates.
    case closedDates
    /// Such as a temporary file, or one of a job.
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
