/// What became of a seed.
enum Comparison: Equatable, Sendable {
    /// All that was compared is the same. `work` says how much that was, such as `["tables": 17]`.
    case same(_ work: [String: Int] = [:])
    case different(String)
    /// There was nothing to compare.
    case skipped(String)

    init(_ fault: String?) {
        self = fault.map(Comparison.different) ?? .same()
    }
}
