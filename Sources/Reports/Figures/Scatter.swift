import Calendar

/// How much a count differs from that of a week earlier where nothing happens: earlier days say what is usual.
///
/// The difference of two counts a and b is taken as (a − b) / (a + b), so that quiet and busy days can be put together.
struct Scatter {
    /// Fewer pairs of days tell nothing.
    private static let leastPairs = 6

    /// The counts of the days that say what is usual.
    let counts: [LogDate: Int]

    /// Whether two sums differ by more than days and weeks usually do; nil if there are too few days to tell.
    /// - Parameter pairs: the counts of days, and those of their counterparts.
    func isExceeded(by pairs: [(now: Int, before: Int)]) -> Bool? {
        let sizes = pairs.map { Double($0.now) + Double($0.before) }
        let size = sizes.reduce(0, +)
        let days = squaredDifferences(days: 1)
        let length = min(pairs.count, 7)
        guard size > 0, days.count >= Scatter.leastPairs else { return nil }
        let weeks = squaredDifferences(days: length)
        let difference = abs(pairs.reduce(0.0) { $0 + Double($1.now) - Double($1.before) }) / size
        // Days that scatter each for itself; days of a week that rise and fall together; and counts by chance alone. Runs of
        // days overlap, so they tell less than as many single days.
        let limits = [
            Scatter.limit(days, sizes.reduce(0) { $0 + $1 * $1 } / (size * size), degrees: days.count),
            Scatter.limit(weeks, Double(length) / Double(pairs.count), degrees: 2 * weeks.count / (length + 1)),
            Chance.enough / size.squareRoot(),
        ]
        return limits.allSatisfy { difference >= $0 }
    }

    /// The difference that is too large to be usual, if the variance of a sum is so many times that of these differences.
    private static func limit(_ squared: [Double], _ factor: Double, degrees: Int) -> Double {
        guard degrees > 0 else { return 0 }
        let variance = squared.reduce(0, +) / Double(squared.count) * factor
        return variance.squareRoot() * Chance.bound(degrees: degrees)
    }

    /// The differences between runs of so many days and the same days a week earlier, of which each has its count.
    private func squaredDifferences(days length: Int) -> [Double] {
        counts.keys.sorted().compactMap { last in
            var now = 0.0
            var before = 0.0
            for day in (0..<length).map({ last.adding(days: -$0) }) {
                guard let count = counts[day], let former = counts[day.adding(days: -7)] else { return nil }
                now += Double(count)
                before += Double(former)
            }
            let difference = (now - before) / max(now + before, 1)
            return difference * difference
        }
    }
}
