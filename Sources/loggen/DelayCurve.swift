/// How long something takes, from person to person: the seconds after which it has happened for a share of them.
struct DelayCurve: Sendable {
    /// Seconds, equally likely, in ascending order.
    private let seconds: [Int32]

    /// `points` are shares in thousandths, the first 0 and the last 1000, and the seconds by then.
    private init(_ points: [(share: Int, seconds: Int)]) {
        let count = 1024
        seconds = (0..<count).map { index in
            let share = index * 1000
            let next = points.firstIndex { $0.share * count > share } ?? points.count - 1
            let (left, right) = (points[next - 1], points[next])
            let width = (right.share - left.share) * count
            return Int32(left.seconds + (right.seconds - left.seconds) * (share - left.share * count) / width)
        }
    }

    /// From the sending to the device: most phones are on, the others follow over some hours.
    static let arrival = DelayCurve([
        (0, 1), (350, 60), (550, 300), (700, 900), (820, 2700), (920, 7200), (1000, 21_600),
    ])

    /// From the display to the open: half within the first half hour, some after days.
    static let opening = DelayCurve([
        (0, 3), (50, 12), (100, 40), (200, 150), (300, 420), (400, 900), (500, 1650), (600, 3600), (700, 7200),
        (800, 15_000), (880, 30_000), (930, 54_000), (960, 90_000), (985, 180_000), (1000, 500_000),
    ])

    func delay(for bits: UInt64) -> Int {
        Int(seconds[Int(bits & 1023)])
    }

    /// The share that happens in each span of `width` seconds.
    func shares(width: Int, count: Int) -> [Double] {
        var shares = [Double](repeating: 0, count: count)
        for second in seconds where Int(second) / width < count {
            shares[Int(second) / width] += 1 / Double(seconds.count)
        }
        return shares
    }
}
