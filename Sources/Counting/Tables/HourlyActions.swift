import Calendar
import Events

/// hourly_actions: events and duplicates by local hour, source, platform and action.
package struct HourlyActions: Sendable {
    package struct Row: Equatable, Sendable {
        package let hour: LocalHour
        /// A number of a name, like `action`.
        package let source: UInt16
        package let platform: Platform
        package let action: UInt16
        package let counts: EventCounts

        package var day: Int32 { hour.day }
    }

    var table = PackedTable<EventCounts>()

    package init() {}

    /// Adds an event that counts.
    @inline(__always)
    mutating func add(_ event: Event, _ hour: LocalHour) {
        let duplicates = Int(max(event.records, 1)) &- 1
        table.add(EventCounts(events: 1, duplicates: duplicates), at: PackedKey(event, hour))
    }

    mutating func merge(_ other: HourlyActions) {
        for entry in other.table.entries { table.add(entry.value, at: entry.key) }
    }

    /// The rows in the order of (day, hour, hour_epoch, source, platform, action). Sources are ordered by
    /// `sourceRanks`.
    package func rows(sourceRanks: [Int]) -> [Row] {
        let rows = table.entries.map { Row($0.key, $0.value) }
        return rows.sorted { a, b in
            if a.hour.number != b.hour.number { return a.hour.number < b.hour.number }
            if a.hour.offset != b.hour.offset { return a.hour.epoch < b.hour.epoch }
            if a.source != b.source { return sourceRanks[Int(a.source)] < sourceRanks[Int(b.source)] }
            return a.platform != b.platform ? a.platform.rawValue < b.platform.rawValue : a.action < b.action
        }
    }
}

extension HourlyActions.Row {
    init(_ key: PackedKey, _ counts: EventCounts) {
        hour = LocalHour(
            number: Int32(bitPattern: UInt32(key.high >> 32)), offset: Int32(truncatingIfNeeded: key.high))
        source = UInt16(truncatingIfNeeded: key.low >> 32)
        platform = Platform(rawValue: UInt8(truncatingIfNeeded: key.low)) ?? .unknown
        action = UInt16(truncatingIfNeeded: key.low >> 16)
        self.counts = counts
    }
}

extension PackedKey {
    /// The key of a row of hourly_actions.
    @inline(__always)
    init(_ hour: LocalHour, _ source: UInt16, _ platform: Platform, _ action: UInt16) {
        self.init(
            high: UInt64(UInt32(bitPattern: hour.number)) << 32 | UInt64(UInt32(bitPattern: hour.offset)),
            low: UInt64(source) << 32 | UInt64(action) << 16 | UInt64(platform.rawValue))
    }

    @inline(__always)
    init(_ event: Event, _ hour: LocalHour) {
        self.init(hour, event.source, event.platform, event.action)
    }
}
