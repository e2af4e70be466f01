import Reference

/// When the records of a date are written, and of which delivery they first speak, by the day of the week.
///
/// The day is cut into buckets. Each campaign is a wave: messages arrive after its sending, and what people do follows.
/// Between the waves there are messages that events trigger, as busy as the hours are.
struct DayShape: Sendable {
    static let buckets = 144
    static let secondsPerBucket = 86_400 / buckets
    /// Of the day's records, those of each bucket.
    let records: Shares
    /// For each bucket the campaigns that its messages belong to, by rank. The one after the last stands for what is
    /// sent to one person by an event.
    let ranks: [Shares]

    /// How busy the hours are: people look at their phones in the morning, at lunch and in the evening.
    private static let workday = [
        6, 3, 2, 2, 2, 4, 14, 34, 38, 26, 22, 24, 32, 40, 34, 22, 20, 24, 32, 42, 50, 46, 28, 14,
    ]
    private static let weekend = [
        9, 6, 3, 2, 2, 2, 5, 12, 22, 34, 38, 36, 34, 36, 34, 28, 24, 26, 32, 40, 46, 42, 30, 18,
    ]
    /// Of all messages, those that no campaign sends.
    private static let triggeredShare = 0.22
    /// Records after a message's first one, on average.
    private static let furtherRecords = 0.55

    init(weekday: Int, campaigns: Int) {
        let hours = weekday < 5 ? Self.workday : Self.weekend
        let messages = Self.messages(in: hours, campaigns: Campaign.all.prefix(campaigns))
        records = Shares(Self.records(for: messages.map { $0.reduce(0, +) }, hours: hours))
        ranks = messages.map { Shares($0) }
    }

    /// For each bucket the share of the day's messages that each campaign has in it; the last share is the triggered
    /// ones'.
    private static func messages(in hours: [Int], campaigns: ArraySlice<Campaign>) -> [[Double]] {
        let arrivals = DelayCurve.arrival.shares(width: secondsPerBucket, count: buckets)
        let total = Double(campaigns.reduce(0) { $0 + $1.size })
        let dayWeight = Double(hours.reduce(0, +) * buckets)
        return (0..<buckets).map { bucket in
            campaigns.map { campaign in
                let age = bucket - campaign.minute * 60 / secondsPerBucket
                let share = (1 - triggeredShare) * Double(campaign.size) / total
                return age < 0 ? 0 : arrivals[age] * share
            } + [triggeredShare * Double(hours[bucket * 24 / buckets] * 24) / dayWeight]
        }
    }

    /// What the buckets hold if people act on the messages, most of them when they are awake.
    private static func records(for messages: [Double], hours: [Int]) -> [Double] {
        let opens = DelayCurve.opening.shares(width: secondsPerBucket, count: buckets)
        let busiest = Double(hours.max() ?? 1)
        return messages.indices.map { bucket in
            let acting = (0...bucket).reduce(0) { $0 + messages[$1] * opens[bucket - $1] }
            let awake = 0.3 + 0.7 * Double(hours[bucket * 24 / buckets]) / busiest
            return messages[bucket] + acting * furtherRecords * awake
        }
    }
}

/// A day as a file sees it, in milliseconds, and when each record of the file is written.
struct Clock: Sendable {
    let start: Int
    let end: Int
    let records: Int
    let shape: DayShape

    func time(of index: Int) -> Int {
        let bucket = shape.records.index(at: ((index + 1) << 32 - 1) / records)
        let first = firstRecord(of: bucket)
        let count = max(1, firstRecord(of: bucket + 1) - first)
        let length = (end - start) / DayShape.buckets
        // Anywhere in its part of the bucket.
        let part = SplitMix64.mix(UInt64(index)) % UInt64(max(1, length / count))
        return start + bucket * length + (index - first) * length / count + Int(part)
    }

    private func firstRecord(of bucket: Int) -> Int { (records * shape.records.before[bucket]) >> 32 }
}

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
            let left = points[next - 1]
            let right = points[next]
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

/// Parts of a whole by their weights. The whole is 2^32.
struct Shares: Sendable {
    /// What lies before each part and, at the end, the whole.
    let before: [Int]

    init(_ weights: [Double]) {
        let total = weights.reduce(0, +)
        let sums = weights.reduce(into: [0.0]) { $0.append($0[$0.count - 1] + $1) }
        before = sums.dropLast().map { Int($0 / total * 0x1p32) } + [1 << 32]
    }

    /// Many things of which some are far more frequent than others: the weight of rank r is 1 / (r + 3).
    init(popular count: Int) {
        self.init((0..<count).map { 1 / Double($0 + 3) })
    }

    /// The part at a place, 0 ..< 2^32.
    func index(at place: Int) -> Int {
        var index = 0
        var end = before.count - 1
        while end - index > 1 {
            let middle = (index + end) / 2
            if before[middle] <= place { index = middle } else { end = middle }
        }
        return index
    }

    /// One of the parts, by random bits.
    func index(for bits: UInt64) -> Int { index(at: Int(bits >> 32)) }
}
