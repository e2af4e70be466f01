import Calendar
import Events

/// Events and duplicates by source, platform and action: for daily_actions of each day and delivery, for hourly_actions
/// of each local hour. Each worker has its own value; `merge` joins values in any order. An event takes a few
/// nanoseconds.
package struct ActionCounts: Sendable {
    package enum Place: Sendable { case day, hour }

    package struct Row: Equatable, Sendable {
        fileprivate let key: PackedKey
        package let counts: EventCounts

        /// Of a day: the day, and the number of the delivery's name.
        package var day: LogDate { key.day }
        package var delivery: UInt32 { key.rest }
        /// Of an hour.
        package var hour: LocalHour { LocalHour(number: key.number, offset: Int32(bitPattern: key.rest)) }
        /// A number of a name, like `action`.
        package var source: UInt16 { UInt16(truncatingIfNeeded: key.low >> 16) }
        package var platform: Platform { Platform(rawValue: UInt8(truncatingIfNeeded: key.low >> 32)) ?? .unknown }
        package var action: UInt16 { UInt16(truncatingIfNeeded: key.low) }

        /// Its numbers in a partition: of a row of a day, or of an hour.
        package var ofDay: [Int64] { [Int64(day.dayNumber), Int64(delivery)] + counted }
        package var ofHour: [Int64] { [Int64(hour.number), Int64(hour.offset)] + counted }

        private var counted: [Int64] {
            [
                Int64(source), Int64(action), Int64(platform.rawValue), Int64(counts.events), Int64(counts.duplicates),
            ]
        }
    }

    private let place: Place
    var table = PackedTable<EventCounts>()

    package init(by place: Place) {
        self.place = place
    }

    package var isEmpty: Bool { table.entries.isEmpty }

    /// The number of events that count, by source and day.
    package var eventsBySourceAndDay: [Int: [LogDate: Int]] { events { $0.day } }
    /// The days with events, in order.
    package var days: [LogDate] { Set(eventsBySourceAndDay.values.flatMap(\.keys)).sorted() }
    /// The number of events that count, by source and action.
    package var eventsBySourceAndAction: [Int: [Int: Int]] { events { Int($0.action) } }

    /// The same of unknown platform.
    package var unknownBySourceAndAction: [Int: [Int: Int]] {
        events(where: { $0.platform == .unknown }, by: { Int($0.action) })
    }

    private func events<Key: Hashable>(
        where isMeant: (Row) -> Bool = { _ in true }, by key: (Row) -> Key
    ) -> [Int: [Key: Int]] {
        var events: [Int: [Key: Int]] = [:]
        for entry in table.entries {
            let row = Row(key: entry.key, counts: entry.value)
            guard isMeant(row) else { continue }
            events[Int(row.source), default: [:]][key(row), default: 0] += row.counts.events
        }
        return events
    }

    /// Adds an event that counts.
    @inline(__always)
    package mutating func add(_ event: Event, day: LogDate) {
        table.add(EventCounts(of: event), at: PackedKey(event, day: day))
    }

    @inline(__always)
    mutating func add(_ event: Event, at hour: LocalHour) {
        table.add(EventCounts(of: event), at: PackedKey(of: event, at: hour))
    }

    package mutating func merge(_ other: ActionCounts) {
        assert(place == other.place)
        for entry in other.table.entries { table.add(entry.value, at: entry.key) }
    }

    /// The rows in the order of (day, delivery, platform, source, action), or of the hours.
    package func rows() -> [Row] { table.sortedEntries.map { Row(key: $0.key, counts: $0.value) } }
}

extension EventCounts {
    /// Those of an event that counts.
    @inline(__always)
    fileprivate init(of event: Event) {
        self.init(events: 1, duplicates: Int(max(event.records, 1)) &- 1)
    }
}

extension PackedKey {
    /// - Parameters:
    ///   - number: of a day or an hour.
    ///   - rest: a delivery, or the offset of an hour.
    @inline(__always)
    init(number: Int32, rest: UInt32, source: UInt16, platform: Platform, action: UInt16) {
        self.init(
            number: number, rest: rest, low: UInt64(platform.rawValue) << 32 | UInt64(source) << 16 | UInt64(action))
    }

    @inline(__always)
    init(day: LogDate, delivery: UInt32, source: UInt16, platform: Platform, action: UInt16) {
        self.init(
            number: Int32(truncatingIfNeeded: day.dayNumber), rest: delivery, source: source, platform: platform,
            action: action)
    }

    /// The key of the event's row in daily_actions. A day whose date does not have ten characters is moved to the
    /// nearest day that has.
    @inline(__always)
    init(_ event: Event, day: LogDate) {
        self.init(
            day: day.nearestWritten, delivery: event.delivery, source: event.source, platform: event.platform,
            action: event.action)
    }

    /// The key of the event's row in hourly_actions.
    @inline(__always)
    init(of event: Event, at hour: LocalHour) {
        self.init(
            number: hour.number, rest: UInt32(bitPattern: hour.offset), source: event.source, platform: event.platform,
            action: event.action)
    }
}

// Rows as numbers, as a partition has them:
//
//     day, delivery,  source, action, platform, events, duplicates
//     hour, offset,   source, action, platform, events, duplicates

extension ActionCounts {
    /// Whether there is a day or an hour with this number.
    @inline(__always)
    private func isPlace(_ number: Int32) -> Bool {
        switch place {
        case .day: LogDate.written.contains(LogDate(dayNumber: Int(number)))
        case .hour: LocalHour.numbers.contains(number)
        }
    }

    /// Adds the row of some numbers.
    /// - Throws: if a number has no name in `names`.
    @inline(__always)
    package mutating func add(
        _ numbers: InlineArray<7, Int64>, names: EventNames
    ) throws(UnknownNumber) {
        let isRestGood =
            place == .day ? (0..<Int64(names.deliveries.count)).contains(numbers[1]) : Int32(exactly: numbers[1]) != nil
        guard isRestGood, let number = Int32(exactly: numbers[0]), isPlace(number),
            (0..<Int64(names.sources.count)).contains(numbers[2]),
            (0..<Int64(names.actions.count)).contains(numbers[3]),
            let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
            (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
        else { throw UnknownNumber() }
        let key = PackedKey(
            number: number, rest: UInt32(truncatingIfNeeded: numbers[1]),
            source: UInt16(truncatingIfNeeded: numbers[2]), platform: platform,
            action: UInt16(truncatingIfNeeded: numbers[3]))
        table.add(EventCounts(events: Int(numbers[5]), duplicates: Int(numbers[6])), at: key)
    }
}
