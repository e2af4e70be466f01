/// Why settled log dates, or those that would settle, cannot be used. Nothing is published then.
package enum RetentionFault: Equatable, Sendable {
    /// The record of closed log dates.
    case record(path: String, detail: String)
    /// A settled file. Its figures are nowhere else.
    case settledFile(path: String, logDate: Int32, detail: String)
    /// The partition of a settled log date, whose ids others still need.
    case ids(path: String, logDate: Int32, detail: String)

    static func damage(_ error: WarehouseError) -> String {
        "is damaged (\(error.damage ?? "it is another application's database"))"
    }

    package var path: String {
        switch self {
        case .record(let path, _), .settledFile(let path, _, _), .ids(let path, _, _): path
        }
    }

    package var detail: String {
        switch self {
        case .record(_, let detail), .settledFile(_, _, let detail), .ids(_, _, let detail): detail
        }
    }
}
