import Calendar
import Events

/// daily_funnel: messages by the day of their first event, platform, delivery and outcome.
package struct DailyFunnel: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01.
        package let day: Int32
        package let platform: Platform
        package let delivery: UInt32
        package var counts = FunnelCounts()
    }

    /// The number of messages, by row and outcome.
    var table = PackedTable<Int>()

    package init() {}

    /// Adds messages with the same first event. `messages` may be negative.
    @inline(__always)
    mutating func add(first: Event, _ outcome: MessageOutcome, messages: Int = 1, _ days: inout DayClock) {
        merge(messages, at: DailyFunnel.key(days.day(of: first.time), first.platform, first.delivery, outcome))
    }

    /// The key of a row. A day whose date does not have ten characters is moved to the nearest day that has.
    @inline(__always)
    static func key(_ day: Int32, _ platform: Platform, _ delivery: UInt32, _ outcome: MessageOutcome) -> PackedKey {
        let day = min(max(day, CalendarText.days.lowerBound), CalendarText.days.upperBound)
        return PackedKey(day, delivery, low: UInt64(platform.rawValue) << 8 | UInt64(outcome.rawValue))
    }

    @inline(__always)
    mutating func merge(_ messages: Int, at key: PackedKey) {
        table.update(table.index(of: key, initial: 0)) { $0 &+= messages }
    }

    package mutating func merge(_ other: DailyFunnel) {
        for entry in other.table.entries where entry.value != 0 { merge(entry.value, at: entry.key) }
    }

    /// The rows in the order of (day, delivery, platform).
    package func rows() -> [Row] {
        var rows: [Row] = []
        for entry in table.sortedEntries where entry.value != 0 {
            let (day, delivery) = (entry.key.number, entry.key.rest)
            let (platform, outcome) = DailyFunnel.parts(entry.key)
            if rows.last.map({ $0.day != day || $0.platform != platform || $0.delivery != delivery }) ?? true {
                rows.append(Row(day: day, platform: platform, delivery: delivery))
            }
            rows[rows.count - 1].counts.add(entry.value, outcome)
        }
        return rows
    }

    static func parts(_ key: PackedKey) -> (Platform, MessageOutcome) {
        (
            Platform(rawValue: UInt8(truncatingIfNeeded: key.low >> 8)) ?? .unknown,
            MessageOutcome(rawValue: UInt8(truncatingIfNeeded: key.low))
        )
    }
}

extension DailyFunnel {
    /// The messages of a day and a platform that reached the same stages: what daily_paths is made of.
    package struct Path: Sendable {
        /// Days since 1970-01-01.
        package let day: Int32
        package let platform: Platform
        package let stages: Stages
        /// All that is counted of them.
        package fileprivate(set) var counts = FunnelCounts()
    }

    /// In no order.
    package var paths: [Path] {
        // The deliveries go.
        var sums = PackedTable<Int>()
        for entry in table.entries where entry.value != 0 {
            let key = PackedKey(entry.key.number, 0, low: entry.key.low)
            sums.update(sums.index(of: key, initial: 0)) { $0 &+= entry.value }
        }
        var paths: [UInt64: Path] = [:]
        for entry in sums.entries {
            let (day, (platform, outcome)) = (entry.key.number, DailyFunnel.parts(entry.key))
            let key = entry.key.high | UInt64(platform.rawValue) << 8 | UInt64(outcome.stages.rawValue)
            paths[key, default: Path(day: day, platform: platform, stages: outcome.stages)].counts
                .add(entry.value, outcome)
        }
        return Array(paths.values)
    }
}

// daily_funnel as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, platform, outcome, messages

extension DailyFunnel {
    package var bytes: [UInt8] {
        let entries = table.sortedEntries.filter { $0.value != 0 }
        return NumberColumns<5>.bytes(
            of: entries.map { entry in
                let (key, low) = (entry.key, entry.key.low)
                return [Int64(key.number), Int64(key.rest), Int64(low >> 8), Int64(low & 0xFF), Int64(entry.value)]
            })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number has no name.
    package init(bytes: Span<UInt8>, names: EventNames) throws(NumberColumnsError) {
        self.init()
        let rows = try NumberColumns<5>.rows(in: bytes)
        table.reserveCapacity(rows.count)
        for numbers in rows {
            guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
                (0..<Int64(names.deliveries.count)).contains(numbers[1]),
                let platform = UInt8(exactly: numbers[2]).flatMap(Platform.init(rawValue:)),
                (0..<Int64(MessageOutcome.count)).contains(numbers[3]), (1..<1 << 60).contains(numbers[4])
            else { throw NumberColumnsError() }
            let outcome = MessageOutcome(rawValue: UInt8(truncatingIfNeeded: numbers[3]))
            merge(Int(numbers[4]), at: DailyFunnel.key(day, platform, UInt32(truncatingIfNeeded: numbers[1]), outcome))
        }
    }
}

/// The daily tables of one partition. Keys use the partition's own numbers for names.
package struct DailyTables: Sendable {
    package var daily = ActionCounts(by: .day)
    package var funnel = DailyFunnel()
    package var hourly = ActionCounts(by: .hour)

    package init() {}

    /// Adds to the rows of an event in daily_actions and hourly_actions.
    @inline(__always)
    mutating func add(_ event: Event, _ counts: EventCounts, _ hour: LocalHour) {
        daily.table.add(counts, at: PackedKey(event, day: hour.day))
        hourly.table.add(counts, at: PackedKey(event, hour))
    }

    package mutating func merge(_ other: DailyTables) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
        hourly.merge(other.hourly)
    }
}

extension DailyTables {
    /// Adds the rows of other tables. Their names get their common numbers.
    /// - Parameter index: the index of the other tables' names in `names`.
    package mutating func add(_ other: DailyTables, at index: Int, _ names: GlobalNames) {
        func add(_ other: ActionCounts, to sums: inout ActionCounts, _ rest: (ActionCounts.Row) -> UInt32) {
            for row in other.rows() {
                let source = UInt16(truncatingIfNeeded: names.sources[index][Int(row.source)])
                let action = UInt16(truncatingIfNeeded: names.actions[index][Int(row.action)])
                sums.table.add(row.counts, at: PackedKey(row.day, rest(row), source, row.platform, action))
            }
        }
        add(other.daily, to: &daily) { names.deliveries[index][Int($0.delivery)] }
        add(other.hourly, to: &hourly) { UInt32(bitPattern: $0.hour.offset) }
        for entry in other.funnel.table.entries where entry.value != 0 {
            let delivery = names.deliveries[index][Int(entry.key.rest)]
            funnel.merge(entry.value, at: PackedKey(entry.key.number, delivery, low: entry.key.low))
        }
    }
}
