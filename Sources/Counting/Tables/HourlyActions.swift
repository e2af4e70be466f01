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

    /// The rows in the order of the hours.
    package func rows() -> [Row] { table.sortedEntries.map { Row($0.key, $0.value) } }
}

extension HourlyActions.Row {
    init(_ key: PackedKey, _ counts: EventCounts) {
        hour = LocalHour(number: key.number, offset: Int32(bitPattern: key.rest))
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
            hour.number, UInt32(bitPattern: hour.offset),
            low: UInt64(source) << 32 | UInt64(action) << 16 | UInt64(platform.rawValue))
    }

    @inline(__always)
    init(_ event: Event, _ hour: LocalHour) {
        self.init(hour, event.source, event.platform, event.action)
    }
}

// hourly_actions as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     hour, offset, source, action, platform, events, duplicates

extension HourlyActions {
    package var bytes: [UInt8] {
        NumberColumns<7>.bytes(
            of: table.sortedEntries.map { entry in
                let row = Row(entry.key, entry.value)
                return [
                    Int64(row.hour.number), Int64(row.hour.offset), Int64(row.source), Int64(row.action),
                    Int64(row.platform.rawValue), Int64(row.counts.events), Int64(row.counts.duplicates),
                ]
            })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<7>(bytes).rows)
        try NumberColumns<7>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in
            guard let number = Int32(exactly: numbers[0]), LocalHour.numbers.contains(number),
                let offset = Int32(exactly: numbers[1]),
                (0..<Int64(limits.sources)).contains(numbers[2]), (0..<Int64(limits.actions)).contains(numbers[3]),
                let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
                (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
            else { throw NumberColumnsError() }
            table.add(
                EventCounts(events: Int(numbers[5]), duplicates: Int(numbers[6])),
                at: PackedKey(
                    LocalHour(number: number, offset: offset), UInt16(truncatingIfNeeded: numbers[2]), platform,
                    UInt16(truncatingIfNeeded: numbers[3])))
        }
    }
}
