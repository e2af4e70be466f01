import Events
import Hashing

/// A digest of the rows that a partition adds to a day. Digests of several partitions are added up. Equal sums mean
/// that the day has equal rows in all tables.
package struct DayDigest: Codable, Equatable, Sendable {
    /// The sum of the hashes of the partition's rows. Each has the log date too, because daily_lateness shows it.
    package var hash: UInt64 = 0
    /// Events that count.
    package var events = 0
    package var messages = 0
    package var opened = 0
    /// The platforms of which there are arrivals, as bits: 1 for the platform of number 0, 2 for the next.
    package var arrivals: UInt8 = 0

    package init() {}

    package func hasArrivals(of platform: Platform) -> Bool { arrivals >> platform.rawValue & 1 == 1 }

    package static func += (sum: inout DayDigest, digest: DayDigest) {
        sum.hash &+= digest.hash
        sum.events += digest.events
        sum.messages += digest.messages
        sum.opened += digest.opened
        sum.arrivals |= digest.arrivals
    }
}

extension DayDigest {
    /// Takes out what a partition has added. The platforms with arrivals stay: they are those of the whole day.
    package mutating func subtract(_ digest: DayDigest) {
        hash &-= digest.hash
        events -= digest.events
        messages -= digest.messages
        opened -= digest.opened
    }

    /// Whether anything has been added to it.
    package var hasRows: Bool { (hash, events, messages) != (0, 0, 0) }
}

extension [Int32: DayDigest] {
    /// The digests of a partition's tables, by day. `names` belong to the partition's numbers.
    package init(_ tables: DailyTables, _ names: EventNames, logDate: Int32) {
        self.init()
        let isArrival = names.actions.map { Stages(action: $0) == .arrived }
        let names = NameHashes(names)
        let logDate = UInt64(bitPattern: Int64(logDate))
        var run: Run?
        for entry in tables.daily.table.entries {
            let row = DailyActions.Row(entry.key, entry.value)
            var digest = DayDigest()
            digest.hash = WordHash.of([
                0, logDate, names.sources[Int(row.source)], names.deliveries[Int(row.delivery)],
                names.actions[Int(row.action)], UInt64(row.platform.rawValue), UInt64(row.events),
                UInt64(row.duplicates),
            ])
            digest.events = row.events
            if isArrival[Int(row.action)] { digest.arrivals = 1 << row.platform.rawValue }
            add(digest, of: row.day, &run)
        }
        for entry in tables.funnel.table.entries where entry.value != 0 {
            var digest = DayDigest()
            digest.hash = WordHash.of([
                1, logDate, names.deliveries[Int(UInt32(truncatingIfNeeded: entry.key.high))], entry.key.low,
                UInt64(entry.value),
            ])
            digest.messages = entry.value
            if DailyFunnel.parts(entry.key).1.stages.contains(.opened) { digest.opened = entry.value }
            add(digest, of: DailyFunnel.day(entry.key), &run)
        }
        for entry in tables.hourly.table.entries {
            let row = HourlyActions.Row(entry.key, entry.value)
            var digest = DayDigest()
            digest.hash = WordHash.of([
                2, logDate, entry.key.high, names.sources[Int(row.source)], names.actions[Int(row.action)],
                UInt64(row.platform.rawValue), UInt64(row.counts.events), UInt64(row.counts.duplicates),
            ])
            add(digest, of: row.day, &run)
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
