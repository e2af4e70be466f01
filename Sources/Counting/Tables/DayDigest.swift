import Events
import Hashing

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

extension [Int32: DayShare] {
    /// By day, as days since 1970-01-01. The numbers mean the texts with these hashes.
    init(_ figures: PartitionFigures, _ names: NameHashes) {
        self.init()
        add(figures.daily, names)
        add(figures.funnel, names)
    }

    /// The same with another funnel.
    func replacing(_ funnel: DailyFunnel, _ names: NameHashes) -> [Int32: DayShare] {
        var shares = mapValues { DayShare(dailyHash: $0.dailyHash, events: $0.events) }
        shares.add(funnel, names)
        return shares.filter { $1 != DayShare() }
    }

    private mutating func add(_ daily: DailyActions, _ names: NameHashes) {
        var run: Run?
        for entry in daily.table.entries {
            let row = DailyActions.Row(entry.key)
            let sums = entry.value
            let counts = sums.events > 0
            let hash = RowHash.of([
                names.sources[Int(row.source)], names.deliveries[Int(row.delivery)], names.actions[Int(row.action)],
                UInt64(row.platform.rawValue), UInt64(sums.events), UInt64(sums.duplicates),
                counts ? UInt64(bitPattern: sums.first) : 0, counts ? UInt64(bitPattern: sums.last) : 0,
            ])
            add(DayShare(dailyHash: hash, events: sums.events), of: row.day, &run)
        }
        end(&run)
    }

    private mutating func add(_ funnel: DailyFunnel, _ names: NameHashes) {
        var run: Run?
        for entry in funnel.table.entries where entry.value != 0 {
            let hash = RowHash.of([
                names.deliveries[Int(UInt32(truncatingIfNeeded: entry.key.high))], entry.key.low,
                UInt64(entry.value),
            ])
            add(DayShare(funnelHash: hash, messages: entry.value), of: DailyFunnel.day(entry.key), &run)
        }
        end(&run)
    }

    /// Rows of a day one after another, as they mostly come.
    private typealias Run = (day: Int32, share: DayShare)

    @inline(__always)
    private mutating func add(_ share: DayShare, of day: Int32, _ run: inout Run?) {
        if day != run?.day {
            end(&run)
            run = (day, DayShare())
        }
        run?.share += share
    }

    private mutating func end(_ run: inout Run?) {
        guard let ended = run else { return }
        self[ended.day, default: DayShare()] += ended.share
        run = nil
    }
}
