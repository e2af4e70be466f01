import Events

/// What a partition adds to a day, in short: hashes of its rows in whatever order, and sums. Equal hashes of all
/// partitions mean equal rows of the day.
struct DayShare: Codable, Equatable, Sendable {
    var dailyHash: UInt64 = 0
    var funnelHash: UInt64 = 0
    var events = 0
    var messages = 0

    static func += (sum: inout DayShare, share: DayShare) {
        sum.dailyHash &+= share.dailyHash
        sum.funnelHash &+= share.funnelHash
        sum.events += share.events
        sum.messages += share.messages
    }
}

extension PartitionFigures {
    /// By day, as days since 1970-01-01. The numbers mean the texts with these hashes.
    func shares(_ names: NameHashes) -> [Int32: DayShare] {
        var shares: [Int32: DayShare] = [:]
        for entry in daily.table.entries {
            let row = DailyActions.Row(entry.key)
            let sums = entry.value
            let counts = sums.events > 0
            let hash = RowHash.of([
                names.sources[Int(row.source)], names.deliveries[Int(row.delivery)], names.actions[Int(row.action)],
                UInt64(row.platform.rawValue), UInt64(sums.events), UInt64(sums.duplicates),
                counts ? UInt64(bitPattern: sums.first) : 0, counts ? UInt64(bitPattern: sums.last) : 0,
            ])
            shares[row.day, default: DayShare()] += DayShare(dailyHash: hash, events: sums.events)
        }
        for entry in funnel.table.entries where entry.value != 0 {
            let hash = RowHash.of([
                names.deliveries[Int(UInt32(truncatingIfNeeded: entry.key.high))], entry.key.low,
                UInt64(entry.value),
            ])
            shares[DailyFunnel.day(entry.key), default: DayShare()] += DayShare(funnelHash: hash, messages: entry.value)
        }
        return shares
    }
}

/// A hash of a row of numbers.
enum RowHash {
    @inline(__always)
    static func of<let count: Int>(_ words: InlineArray<count, UInt64>) -> UInt64 {
        var state: UInt64 = 0
        for index in 0..<count {
            let product = (state ^ words[index]) &* 0x9E37_79B9_7F4A_7C15
            state = product ^ (product >> 32)
        }
        return state ^ (state >> 29)
    }
}
