/// When the records of a date are written, and of which delivery they first speak, by the day of the week.
///
/// The day is cut into buckets. Each campaign is a wave: messages arrive after its sending, and what people do follows.
/// Between the waves there are messages that events trigger, as busy as the hours are.
struct DayShape: Sendable {
    static let buckets = 144
    static let secondsPerBucket = 86_400 / buckets
    /// The share of the records before each bucket and, at the end, of all: 2^32 is all of them.
    let before: [Int]
    /// For each bucket the ranks of campaigns, each as often as it is spoken of. The rank after the last one stands for
    /// what is sent to one person by an event.
    private let ranks: [[Int]]

    /// How busy the hours are: people look at their phones in the morning, at lunch and in the evening.
    private static let workday = [
        6, 3, 2, 2, 2, 4, 14, 34, 38, 26, 22, 24, 32, 40, 34, 22, 20, 24, 32, 42, 50, 46, 28, 14,
    ]
    private static let weekend = [
        9, 6, 3, 2, 2, 2, 5, 12, 22, 34, 38, 36, 34, 36, 34, 28, 24, 26, 32, 40, 46, 42, 30, 18,
    ]
    private static let whole = 1 << 32
    private static let slots = 256
    /// Of all messages, those that no campaign sends.
    private static let triggeredShare = 0.22
    /// Records after a message's first one, on average.
    private static let furtherRecords = 0.55

    init(weekday: Int, campaigns: Int) {
        let hours = weekday < 5 ? Self.workday : Self.weekend
        let shares = Self.messages(weekday, hours, Campaign.all.prefix(campaigns))
        let density = Self.records(shares.map { $0.reduce(0, +) }, hours)
        let total = density.reduce(0, +)
        var sum = 0.0
        var before = [0]
        for value in density {
            sum += value
            before.append(Int(sum / total * Double(Self.whole)))
        }
        before[Self.buckets] = Self.whole
        self.before = before
        ranks = shares.map { Popularity.slots($0, count: Self.slots) }
    }

    /// The bucket of a place among the records, 0 ..< 2^32.
    func bucket(at place: Int) -> Int {
        var (bucket, end) = (0, Self.buckets)
        while end - bucket > 1 {
            let middle = (bucket + end) / 2
            if before[middle] <= place { bucket = middle } else { end = middle }
        }
        return bucket
    }

    /// The rank of the campaign that a message of a bucket belongs to, or the one after the last.
    func rank(in bucket: Int, bits: UInt64) -> Int { ranks[bucket][Int(bits % UInt64(Self.slots))] }

    /// For each bucket the share of the day's messages that each campaign has in it; the last share is the triggered ones'.
    private static func messages(_ weekday: Int, _ hours: [Int], _ campaigns: ArraySlice<Campaign>) -> [[Double]] {
        let arrivals = DelayCurve.arrival.shares(width: secondsPerBucket, count: buckets)
        let total = Double(campaigns.reduce(0) { $0 + $1.size })
        return (0..<buckets).map { bucket in
            campaigns.map { campaign in
                let age = bucket - campaign.minute(on: weekday) * 60 / secondsPerBucket
                let share = (1 - triggeredShare) * Double(campaign.size) / total
                return age < 0 ? 0 : arrivals[age] * share
            } + [triggeredShare * share(of: bucket, hours)]
        }
    }

    /// The share of a day's weight that a bucket has.
    private static func share(of bucket: Int, _ hours: [Int]) -> Double {
        Double(hours[bucket * 24 / buckets] * 24) / Double(hours.reduce(0, +) * buckets)
    }

    /// What the buckets hold if people act on the messages, most of them when they are awake.
    private static func records(_ messages: [Double], _ hours: [Int]) -> [Double] {
        let opens = DelayCurve.opening.shares(width: secondsPerBucket, count: buckets)
        let busiest = Double(hours.max() ?? 1)
        return messages.indices.map { bucket in
            let acting = (0...bucket).reduce(0) { $0 + messages[$1] * opens[bucket - $1] }
            let awake = 0.3 + 0.7 * Double(hours[bucket * 24 / buckets]) / busiest
            return messages[bucket] + acting * furtherRecords * awake
        }
    }
}
