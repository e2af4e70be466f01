import Calendar
import Events
import SQLite

/// Finds the first and the last day of deliveries after some days have changed.
struct DeliverySpan {
    private let changed: Set<Int32>
    /// Sorted.
    private let allDays: [Int32]
    private let search: RowStatement

    /// - Parameter allDays: the days that have rows in daily_actions.
    init(changed: [Int32], allDays: Set<Int32>, in database: Database) throws {
        self.changed = Set(changed)
        self.allDays = allDays.sorted()
        search = try RowStatement(
            "SELECT 1 FROM daily_actions WHERE day = ? AND delivery_id = ? LIMIT 1", in: database)
    }

    /// The first and the last day of a delivery; nil if it has none.
    /// - Parameters:
    ///   - before: the same before the change.
    ///   - onChanged: its first and last day among the changed days.
    func days(
        of delivery: ExactText, before: ClosedRange<Int32>?, onChanged: ClosedRange<Int32>?
    ) throws -> ClosedRange<Int32>? {
        guard let before else { return onChanged }
        var (first, last) = (before.lowerBound, before.upperBound)
        if let onChanged { (first, last) = (min(first, onChanged.lowerBound), max(last, onChanged.upperBound)) }
        // The first or the last day may have lost its rows. Then the next day with rows takes its place.
        if changed.contains(first), first != onChanged?.lowerBound {
            guard let next = try between(first, last).first(where: { try hasRows(delivery, on: $0) }) else {
                return nil
            }
            first = next
        }
        if changed.contains(last), last != onChanged?.upperBound {
            last = try between(first, last).last { try hasRows(delivery, on: $0) } ?? first
        }
        return first...last
    }

    /// The days from one to another. At least one of the two has no rows any more.
    private func between(_ first: Int32, _ last: Int32) -> ArraySlice<Int32> {
        let start = firstIndex(in: allDays.indices) { allDays[$0] < first }
        return allDays[start..<firstIndex(in: start..<allDays.count) { allDays[$0] <= last }]
    }

    private func hasRows(_ delivery: ExactText, on day: Int32) throws -> Bool {
        defer { search.reset() }
        var binder = RowStatement.Binder(search)
        try binder.add(date: day)
        try binder.add(delivery.text)
        return try search.next()
    }
}
