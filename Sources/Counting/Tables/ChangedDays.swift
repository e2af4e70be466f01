/// The days whose rows must be written, for each daily table.
package struct ChangedDays: Sendable {
    package var daily: Set<Int32>
    package var funnel: Set<Int32>

    package init(daily: Set<Int32>, funnel: Set<Int32>) {
        self.daily = daily
        self.funnel = funnel
    }

    package var all: Set<Int32> { daily.union(funnel) }

    /// Splits the days into pieces of at most `count` consecutive days.
    package func pieces(of count: Int) -> [ChangedDays] {
        let days = all.sorted()
        return stride(from: 0, to: days.count, by: count).map { start in
            let part = Set(days[start..<min(start + count, days.count)])
            return ChangedDays(daily: daily.intersection(part), funnel: funnel.intersection(part))
        }
    }
}
