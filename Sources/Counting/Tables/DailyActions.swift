import Calendar
import Events

/// daily_actions: events and duplicates by day, source, platform, delivery and action. Each worker has its own value;
/// `merge` joins values in any order. An event takes a few nanoseconds.
package struct DailyActions: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01.
        package var day: Int32
        /// A number of a name, like `delivery` and `action`.
        package var source: UInt16
        package var platform: Platform
        package var delivery: UInt32
        package var action: UInt16
        /// Events that count.
        package var events: Int
        /// Accepted records that are not an event that counts.
        package var duplicates: Int
    }

    var table = PackedTable<EventCounts>()

    package init() {}

    package var isEmpty: Bool { table.entries.isEmpty }

    /// The number of events that count, by source and day.
    package var eventsBySourceAndDay: [Int: [Int: Int]] {
        var events: [Int: [Int: Int]] = [:]
        for entry in table.entries {
            let row = Row(entry.key, entry.value)
            events[Int(row.source), default: [:]][Int(row.day), default: 0] += row.events
        }
        return events
    }

    /// The number of events that count, by source and action.
    package var eventsBySourceAndAction: [Int: [Int: Int]] {
        var events: [Int: [Int: Int]] = [:]
        for entry in table.entries {
            let row = Row(entry.key, entry.value)
            events[Int(row.source), default: [:]][Int(row.action), default: 0] += row.events
        }
        return events
    }

    /// Adds an event that counts.
    @inline(__always)
    package mutating func add(_ event: Event, day: Int32) {
        let duplicates = Int(max(event.records, 1)) &- 1
        table.add(EventCounts(events: 1, duplicates: duplicates), at: PackedKey(event, day: day))
    }

    package mutating func merge(_ other: DailyActions) {
        for entry in other.table.entries { table.add(entry.value, at: entry.key) }
    }

    /// The rows in the order of (day, delivery, platform, source, action).
    package func rows() -> [Row] { table.sortedEntries.map { Row($0.key, $0.value) } }
}

extension PackedKey {
    /// The key of a row of daily_actions. A day whose date does not have ten characters is moved to the nearest day
    /// that has.
    @inline(__always)
    init(_ day: Int32, _ source: UInt16, _ platform: Platform, _ delivery: UInt32, _ action: UInt16) {
        let day = min(max(day, CalendarText.days.lowerBound), CalendarText.days.upperBound)
        self.init(
            day, delivery, low: UInt64(platform.rawValue) << 32 | UInt64(source) << 16 | UInt64(action))
    }

    /// The key of the event's row.
    @inline(__always)
    init(_ event: Event, day: Int32) {
        self.init(day, event.source, event.platform, event.delivery, event.action)
    }
}

extension DailyActions.Row {
    init(_ key: PackedKey, _ counts: EventCounts) {
        self.init(
            day: key.number, source: UInt16(truncatingIfNeeded: key.low >> 16),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: key.low >> 32)) ?? .unknown,
            delivery: key.rest, action: UInt16(truncatingIfNeeded: key.low), events: counts.events,
            duplicates: counts.duplicates)
    }
}

extension DailyActions {
    /// Adds a row, see `Row.numbers`.
    /// - Throws: if a number is outside `limits`.
    @inline(__always)
    package mutating func add(
        _ numbers: InlineArray<7, Int64>, _ limits: NameCounts
    ) throws(NumberColumnsError) {
        guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
            (0..<Int64(limits.deliveries)).contains(numbers[1]), (0..<Int64(limits.sources)).contains(numbers[2]),
            (0..<Int64(limits.actions)).contains(numbers[3]),
            let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
            (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
        else { throw NumberColumnsError() }
        table.add(
            EventCounts(events: Int(numbers[5]), duplicates: Int(numbers[6])),
            at: PackedKey(
                day, UInt16(truncatingIfNeeded: numbers[2]), platform, UInt32(truncatingIfNeeded: numbers[1]),
                UInt16(truncatingIfNeeded: numbers[3])))
    }
}

extension DailyActions.Row {
    /// Day, delivery, source, action, platform, events, duplicates.
    package var numbers: InlineArray<7, Int64> {
        [
            Int64(day), Int64(delivery), Int64(source), Int64(action), Int64(platform.rawValue), Int64(events),
            Int64(duplicates),
        ]
    }
}
