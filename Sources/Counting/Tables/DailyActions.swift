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
    package func rows() -> [Row] {
        let order = table.entries.enumerated().map { index, entry in
            let (high, low) = (entry.key.high, entry.key.low)
            return SortKey(
                // Days may lie before 1970.
                dayAndDelivery: high ^ 1 << 63,
                rest: (low & 0xFFFF) << 48 | (low >> 32) << 16 | low >> 16 & 0xFFFF,
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
    init(_ key: PackedKey, _ counts: EventCounts) {
        self.init(
            day: Int32(bitPattern: UInt32(key.high >> 32)), source: UInt16(truncatingIfNeeded: key.low >> 32),
            platform: Platform(rawValue: UInt8(truncatingIfNeeded: key.low)) ?? .unknown,
            delivery: UInt32(truncatingIfNeeded: key.high), action: UInt16(truncatingIfNeeded: key.low >> 16),
            events: counts.events, duplicates: counts.duplicates)
    }
}

// daily_actions as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, source, action, platform, events, duplicates

extension DailyActions {
    package var bytes: [UInt8] {
        NumberColumns.bytes(of: table.sortedEntries.map { Row($0.key, $0.value).numbers })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<7>(bytes).rows)
        try NumberColumns<7>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in try add(numbers, limits) }
    }

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
