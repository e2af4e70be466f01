import Events
import GRDB

/// What stands in a daily table for each day, as a hash of its rows in whatever order: a day whose hash is the one that the
/// output DB has needs no look at its rows.
struct DayVersions: Equatable, Sendable {
    /// By day, as days since 1970-01-01.
    private(set) var hashes: [Int32: UInt64] = [:]

    /// Of `daily_actions`, whose numbers mean the texts with these hashes.
    init(_ daily: DailyActions, _ names: NameHashes) {
        for entry in daily.table.entries {
            let row = DailyActions.Row(entry.key)
            let sums = entry.value
            let counts = sums.events > 0
            hashes[row.day, default: 0] &+= RowHash.of([
                names.sources[Int(row.source)], names.deliveries[Int(row.delivery)], names.actions[Int(row.action)],
                UInt64(row.platform.rawValue), UInt64(sums.events), UInt64(sums.duplicates),
                counts ? UInt64(bitPattern: sums.first) : 0, counts ? UInt64(bitPattern: sums.last) : 0,
            ])
        }
    }

    /// Of `daily_funnel`.
    init(_ funnel: DailyFunnel, _ names: NameHashes) {
        for entry in funnel.table.entries where entry.value != 0 {
            hashes[DailyFunnel.day(entry.key), default: 0] &+= RowHash.of([
                names.deliveries[Int(UInt32(truncatingIfNeeded: entry.key.high))], entry.key.low,
                UInt64(entry.value),
            ])
        }
    }

    /// Reads what `rows` wrote; a day that does not read as one is left out.
    init(_ published: [String: String], of table: Table) {
        let prefix = table.name + " "
        for (item, version) in published where item.hasPrefix(prefix) {
            guard let day = CalendarText.day(of: String(item.dropFirst(prefix.count))),
                let hash = UInt64(version, radix: 16)
            else { continue }
            hashes[day] = hash
        }
    }

    /// As `publication` has them: the table and the day, and the hash in hexadecimal digits.
    func items(of table: Table) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: hashes.map { day, hash in
                ("\(table.name) \(CalendarText.date(ofDay: day))", String(hash, radix: 16))
            })
    }

    /// The days that differ, those included that only one of the two has.
    func days(unlike other: DayVersions) -> Set<Int32> {
        Set(hashes.keys).union(other.hashes.keys).filter { hashes[$0] != other.hashes[$0] }
    }
}

/// A hash of each text behind the numbers.
struct NameHashes: Sendable {
    let sources: [UInt64]
    let actions: [UInt64]
    let deliveries: [UInt64]

    init(_ names: EventNames) {
        func hashes(_ texts: [String]) -> [UInt64] {
            texts.map { text in
                var text = text
                return text.withUTF8 { WordHash.of($0.span) }
            }
        }
        sources = hashes(names.sources)
        actions = hashes(names.actions)
        deliveries = hashes(names.deliveries)
    }
}

private enum RowHash {
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
