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

        package var counts: EventCounts { EventCounts(events: events, duplicates: duplicates) }
    }

    var table = PackedTable<EventCounts>()

    package init() {}

    /// The days of the rows, sorted.
    package var days: [Int32] {
        var days: Set<Int32> = []
        var last: Int32?
        // Rows of the same day are mostly next to each other.
        for entry in table.entries {
            let day = Row(entry.key).day
            if day != last { days.insert(day) }
            last = day
        }
        return days.sorted()
    }

    /// The number of events that count, by source and day.
    package var eventsBySourceAndDay: [Int: [Int: Int]] {
        var events: [Int: [Int: Int]] = [:]
        for entry in table.entries {
            let row = Row(entry.key)
            events[Int(row.source), default: [:]][Int(row.day), default: 0] += entry.value.events
        }
        return events
    }

    /// The number of events that count, by source and action.
    package var eventsBySourceAndAction: [Int: [Int: Int]] {
        var events: [Int: [Int: Int]] = [:]
        for entry in table.entries {
            let row = Row(entry.key)
            events[Int(row.source), default: [:]][Int(row.action), default: 0] += entry.value.events
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

    /// The rows in the order of (day, delivery, platform, source, action). Sources are ordered by number, or by
    /// `sourceRanks` if it is given.
    package func rows(sourceRanks: [Int]? = nil) -> [Row] {
        let order = table.entries.enumerated().map { index, entry in
            let (high, low) = (entry.key.high, entry.key.low)
            let source = Int(low >> 32)
            return SortKey(
                // Days may lie before 1970.
                dayAndDelivery: high ^ 1 << 63,
                rest: (low & 0xFFFF) << 48 | UInt64(sourceRanks?[source] ?? source) << 16 | low >> 16 & 0xFFFF,
                index: index)
        }
        return order.sorted { $0.precedes($1) }.map { Row(table.entries[$0.index].key, table.entries[$0.index].value) }
    }

    /// The sort key of a row, in two words.
    private struct SortKey {
        let dayAndDelivery: UInt64
        /// Platform, source, action.
        let rest: UInt64
        let index: Int

        @inline(__always)
        func precedes(_ other: SortKey) -> Bool {
            dayAndDelivery != other.dayAndDelivery ? dayAndDelivery < other.dayAndDelivery : rest < other.rest
        }
    }
}

extension PackedKey {
    /// The key of a row of daily_actions. A day whose date does not have ten characters is moved to the nearest day
    /// that has.
    @inline(__always)
    init(_ day: Int32, _ source: UInt16, _ platform: Platform, _ delivery: UInt32, _ action: UInt16) {
        let day = min(max(day, CalendarText.days.lowerBound), CalendarText.days.upperBound)
        self.init(
            high: UInt64(UInt32(bitPattern: day)) << 32 | UInt64(delivery),
            low: UInt64(source) << 32 | UInt64(action) << 16 | UInt64(platform.rawValue))
    }

    /// The key of the event's row.
    @inline(__always)
    init(_ event: Event, day: Int32) {
        self.init(day, event.source, event.platform, event.delivery, event.action)
    }
}

extension DailyActions.Row {
    init(_ key: PackedKey, _ counts: EventCounts = EventCounts()) {
        self.init(
            day: Int32(bitPattern: UInt32(key.high >> 32)), source: UInt16(truncatingIfNeeded: key.low >> 32),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: key.low)) ?? .unknown,
            delivery: UInt32(truncatingIfNeeded: key.high), action: UInt16(truncatingIfNeeded: key.low >> 16),
            events: counts.events, duplicates: counts.duplicates)
    }
}
