import Calendar

/// Tells whether a change is unusual. Earlier days show how much a count usually differs from that of a week before.
///
/// The difference of two counts a and b is taken as (a − b) / (a + b), so that quiet and busy days can be put together.
struct Scatter {
    /// With fewer pairs of days, nothing can be judged.
    private static let leastPairs = 6

    /// The counts of the days that say what is usual.
    let counts: [LogDate: Int]

    /// Whether two sums differ by more than usual; nil if there are too few days to judge.
    /// - Parameter pairs: the counts of days and of their counterparts.
    func isExceeded(by pairs: [(now: Int, before: Int)]) -> Bool? {
        let sizes = pairs.map { Double($0.now) + Double($0.before) }
        let size = sizes.reduce(0, +)
        let days = squaredDifferences(days: 1)
        let length = min(pairs.count, 7)
        guard size > 0, days.count >= Scatter.leastPairs else { return nil }
        let weeks = squaredDifferences(days: length)
        let difference = abs(pairs.reduce(0.0) { $0 + Double($1.now) - Double($1.before) }) / size
        // Three limits: by days that vary independently, by weeks whose days rise and fall together, and by chance
        // alone. Runs of days overlap, so they count as fewer independent days.
        let limits = [
            Scatter.limit(days, sizes.reduce(0) { $0 + $1 * $1 } / (size * size), degrees: days.count),
            Scatter.limit(weeks, Double(length) / Double(pairs.count), degrees: 2 * weeks.count / (length + 1)),
            Chance.enough / size.squareRoot(),
        ]
        return limits.allSatisfy { difference >= $0 }
    }

    /// The smallest unusual difference, if the variance of a sum is `factor` times the mean of these squared
    /// differences.
    private static func limit(_ squared: [Double], _ factor: Double, degrees: Int) -> Double {
        guard degrees > 0 else { return 0 }
        let variance = squared.reduce(0, +) / Double(squared.count) * factor
        return variance.squareRoot() * Chance.bound(degrees: degrees)
    }

    /// The squared differences between runs of `length` days and the same days a week earlier. Only runs with a count
    /// for each day are used.
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
