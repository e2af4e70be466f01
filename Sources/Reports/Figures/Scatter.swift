import Calendar

/// How much a count differs from that of a week earlier where nothing happens: the data themselves say what is usual.
///
/// The difference of two counts a and b is taken as (a − b) / (a + b), so that quiet and busy days can be put together.
struct Scatter {
    /// Fewer pairs of days tell nothing.
    private static let leastPairs = 6

    /// The counts of days that may be compared.
    let counts: [LogDate: Int]
    /// The days that are judged. No day of it is compared with an earlier one.
    let period: ReportPeriod

    /// Whether two sums differ by more than days and weeks usually do; nil if there are too few days to tell.
    func isExceeded(by pairs: [(now: Int, before: Int)]) -> Bool? {
        let sizes = pairs.map { Double($0.now) + Double($0.before) }
        let size = sizes.reduce(0, +)
        let differences = squaredDifferences(days: 1)
        guard size > 0, differences.count >= Scatter.leastPairs else { return nil }
        let difference = pairs.reduce(0.0) { $0 + Double($1.now) - Double($1.before) } / size
        // Days that scatter each for itself; days of a week that rise and fall together; and counts by chance alone.
        let days = Scatter.mean(differences) * sizes.reduce(0) { $0 + $1 * $1 } / (size * size)
        let length = min(pairs.count, 7)
        let weeks = Scatter.mean(squaredDifferences(days: length)) * Double(length) / Double(pairs.count)
        let error = max(days, weeks, 1 / size).squareRoot()
        return abs(difference) >= error * Chance.bound(degrees: differences.count)
    }

    /// The differences between so many days and the same ones a week earlier, for all such days of which each has its count.
    private func squaredDifferences(days length: Int) -> [Double] {
        counts.keys.sorted().compactMap { last in
            let days = (0..<length).map { last.adding(days: -$0) }
            let earliest = last.adding(days: -length - 6)
            guard last < period.first || earliest >= period.first else { return nil }
            var (now, before) = (0.0, 0.0)
            for day in days {
                guard let count = counts[day], let former = counts[day.adding(days: -7)] else { return nil }
                now += Double(count)
                before += Double(former)
            }
            guard now + before > 0 else { return nil }
            let difference = (now - before) / (now + before)
            return difference * difference
        }
    }

    /// 0 of nothing.
    private static func mean(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
    }
}
