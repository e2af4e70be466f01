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
