import Calendar
import Messages

/// Why closed or settled log dates cannot be used.
package enum RetentionFault: Equatable, Sendable {
    /// The record of closed log dates. Nothing is loaded or published without it.
    case record(path: String, detail: String)
    /// A settled file. Its figures are nowhere else, so nothing is published without it.
    case settledFile(path: String, logDate: Int32, detail: String)
    /// A settled file that the record does not name. Nothing is published beside it.
    case unknownFile(path: String, logDate: Int32)
    /// The partition of a settled log date, whose ids others still need. Nothing is published without it.
    case ids(path: String, logDate: Int32, detail: String)
    /// The partition of a closed log date is gone, or another one. It is left out, like a damaged one.
    case partition(path: String, logDate: Int32, detail: String)

    package var path: String {
        switch self {
        case .record(let path, _), .settledFile(let path, _, _), .unknownFile(let path, _), .ids(let path, _, _),
            .partition(let path, _, _):
            path
        }
    }

    package var detail: String {
        switch self {
        case .record(_, let detail), .settledFile(_, _, let detail), .ids(_, _, let detail),
            .partition(_, _, let detail):
            detail
        case .unknownFile: "is not one that the record of closed log dates names"
        }
    }
}

extension RetentionFault {
    var message: Message {
        switch self {
        case .record(let path, let detail):
            .at(
                path, "retention_record",
                "\(detail); it says which log dates are closed, and nothing else does; nothing is loaded or published: "
                    + "put it back from a backup, together with the settled files")
        case .settledFile(let path, let logDate, let detail):
            .at(
                path, "settled_file",
                "\(detail); its figures are nowhere else, and nothing is published without it: put it back from a backup, "
                    + "or give the figures up for good with 'pushetl backfill --forget \(LogDate(dayNumber: Int(logDate)))'"
            )
        case .unknownFile(let path, _):
            .at(
                path, "unknown_settled_file",
                "is not one that the record partitions/closed names, as if one of the two came from another backup or another output; "
                    + "nothing is published: put both back from the same backup, or remove the file if it is of another output"
            )
        case .partition(let path, let logDate, let detail):
            .at(
                path, "closed_partition",
                "\(detail); it is left out, and nothing within reach settles: put back the one with which "
                    + "\(LogDate(dayNumber: Int(logDate))) was closed, or load that log date again from exactly the same files"
            )
        case .ids(let path, let logDate, let detail):
            .at(
                path, "settled_ids",
                "\(detail); later log dates need its ids, and nothing is published without them: put it back from a backup, or "
                    + "load the log date again from the same files with 'pushetl run --date \(LogDate(dayNumber: Int(logDate)))', "
                    + "or give its figures up for good with 'pushetl backfill --forget \(LogDate(dayNumber: Int(logDate)))'"
            )
        }
    }
}
