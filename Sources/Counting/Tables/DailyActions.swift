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
        /// Milliseconds since 1970 of the earliest and latest event that counts. Nil if no event counts.
        package var firstAt: Int64?
        package var lastAt: Int64?

        var counts: EventCounts { EventCounts(events: events, duplicates: duplicates) }
    }

    struct Sums: Sendable {
        var events = 0
        var duplicates = 0
        var first = Int64.max
        var last = Int64.min
    }

    var table = PackedTable<Sums>()

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

    /// Adds an event that counts.
    @inline(__always)
    package mutating func add(_ event: Event, day: Int32) {
        let duplicates = Int(max(event.records, 1)) &- 1
        merge(
            Sums(events: 1, duplicates: duplicates, first: event.time, last: event.time),
            at: PackedKey(event, day: day))
    }

    package mutating func merge(_ other: DailyActions) {
        for entry in other.table.entries { merge(entry.value, at: entry.key) }
    }

    @inline(__always)
    mutating func merge(_ other: Sums, at key: PackedKey) {
        let index = table.index(of: key, initial: Sums())
        table.update(index) { sums in
            sums.events &+= other.events
            sums.duplicates &+= other.duplicates
            sums.first = min(sums.first, other.first)
            sums.last = max(sums.last, other.last)
        }
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
        return order.sorted { $0.precedes($1) }.map { Row(table.entries[$0.index]) }
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

    /// Changes an existing row.
    mutating func update(_ key: PackedKey, _ body: (inout Sums) -> Void) {
        table.update(table.index(of: key, initial: Sums()), body)
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
    init(_ entry: PackedTable<DailyActions.Sums>.Entry) {
        self.init(entry.key)
        events = entry.value.events
        duplicates = entry.value.duplicates
        guard events > 0 else { return }
        firstAt = entry.value.first
        lastAt = entry.value.last
    }

    /// An empty row.
    init(_ key: PackedKey) {
        self.init(
            day: Int32(bitPattern: UInt32(key.high >> 32)), source: UInt16(truncatingIfNeeded: key.low >> 32),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: key.low)) ?? .unknown,
            delivery: UInt32(truncatingIfNeeded: key.high), action: UInt16(truncatingIfNeeded: key.low >> 16),
            events: 0, duplicates: 0)
    }
}
