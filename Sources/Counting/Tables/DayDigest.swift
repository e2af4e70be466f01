import Events
import Hashing

/// A digest of the rows that a partition adds to a day. Digests of several partitions are added up. Equal sums mean
/// that the day has equal rows.
package struct DayDigest: Codable, Equatable, Sendable {
    /// The sum of the hashes of the rows in daily_actions.
    package var dailyHash: UInt64 = 0
    /// The same for daily_funnel.
    package var funnelHash: UInt64 = 0
    /// Events that count.
    package var events = 0
    package var messages = 0

    package init() {}

    package static func += (sum: inout DayDigest, digest: DayDigest) {
        sum.dailyHash &+= digest.dailyHash
        sum.funnelHash &+= digest.funnelHash
        sum.events += digest.events
        sum.messages += digest.messages
    }
}

extension [Int32: DayDigest] {
    /// The digests of a partition's tables, by day. `names` belong to the partition's numbers.
    package init(_ tables: DailyTables, _ names: NameHashes) {
        self.init()
        add(tables.daily, names)
        add(tables.funnel, names)
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
            var digest = DayDigest()
            digest.dailyHash = hash
            digest.events = sums.events
            add(digest, of: row.day, &run)
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
            var digest = DayDigest()
            digest.funnelHash = hash
            digest.messages = entry.value
            add(digest, of: DailyFunnel.day(entry.key), &run)
        }
        end(&run)
    }

    /// The digest of consecutive rows of one day. Rows of the same day are mostly next to each other.
    private typealias Run = (day: Int32, digest: DayDigest)

    @inline(__always)
    private mutating func add(_ digest: DayDigest, of day: Int32, _ run: inout Run?) {
        if day != run?.day {
            end(&run)
            run = (day, DayDigest())
        }
        run?.digest += digest
    }

    private mutating func end(_ run: inout Run?) {
        guard let ended = run else { return }
        self[ended.day, default: DayDigest()] += ended.digest
        run = nil
    }
}
