/// How busy the hours of a day are: people look at their phones in the morning, at lunch and in the evening.
struct HourCurve: Sendable {
    /// The weight of each hour, 0 to 23.
    let weights: [Int]

    static let workday = HourCurve(weights: [
        6, 3, 2, 2, 2, 4, 14, 34, 38, 26, 22, 24, 32, 40, 34, 22, 20, 24, 32, 42, 50, 46, 28, 14,
    ])
    static let weekend = HourCurve(weights: [
        9, 6, 3, 2, 2, 2, 5, 12, 22, 34, 38, 36, 34, 36, 34, 28, 24, 26, 32, 40, 46, 42, 30, 18,
    ])

    /// The share of the day's weight that a bucket of the day has, of `buckets` equal ones.
    func share(of bucket: Int, of buckets: Int) -> Double {
        Double(weights[bucket * 24 / buckets] * 24) / Double(weights.reduce(0, +) * buckets)
    }
}
