import Calendar
import Events

/// The rows of one day, in flat tables with a cell for each combination of names. Nearly all events of a partition are
/// of one day and have one offset, so they need no search for a row. An event takes a few nanoseconds.
struct DaySums: Sendable {
    /// 2 MiB of rows. Partitions with more combinations do not use these tables.
    private static let mostCells = 1 << 18
    private static let platforms = 4

    /// The first hour of the day; nil if there are no events yet, or too many combinations. Events with other offsets
    /// are counted elsewhere.
    private var start: LocalHour?
    private let deliveries: Int
    private let sources: Int
    private let actions: Int
    /// Outcomes of messages are below this number.
    private let outcomes: Int
    private var rows: [Counts] = []
    /// For each event of the last span: the cell of its delivery and platform; -1 for other days.
    private var cells: [Int32] = []
    /// The number of records in all rows.
    private var records = 0
    /// Events and duplicates by hour of the day, platform, source and action.
    private var hours: [Counts] = []
    /// Messages by delivery, platform and outcome.
    private var messages: [UInt32] = []

    /// A message in a span of events.
    struct Message: Sendable {
        /// The indices of its first event in the span, and of its open, if it was opened.
        var first: Int32
        var open: Int32
        var stages: Stages
    }

    /// 8 bytes, because the CPU cache is small. `isFull` becomes true before a sum can overflow.
    private struct Counts: Sendable {
        var events: UInt32 = 0
        var duplicates: UInt32 = 0

        var wide: EventCounts { EventCounts(events: Int(events), duplicates: Int(duplicates)) }
    }

    /// - Parameter haveSends: whether any message can be sent or failed.
    init(deliveries: Int, sources: Int, actions: Int, haveSends: Bool) {
        self.deliveries = deliveries
        self.sources = sources
        self.actions = actions
        outcomes = haveSends ? MessageOutcome.count : MessageOutcome.countWithoutSends
    }

    /// Whether the rows must be moved out before more events are added.
    var isFull: Bool { records > 1 << 31 }

    /// Allocates the rows of the day of an hour, unless they are too many.
    mutating func begin(_ hour: LocalHour) {
        let (product, overflow) = (DaySums.platforms * sources * actions).multipliedReportingOverflow(by: deliveries)
        guard !overflow, product <= DaySums.mostCells, deliveries * outcomes <= DaySums.mostCells * 4 else { return }
        start = hour.startOfDay
        rows = Array(repeating: Counts(), count: product)
        hours = Array(repeating: Counts(), count: 24 * DaySums.platforms * sources * actions)
        messages = Array(repeating: 0, count: deliveries * DaySums.platforms * outcomes)
    }

    /// Adds events, all of which count. Events of other days or offsets, or with very many records, go to `other`.
    /// - Parameter events: at most `EventBlock.capacity`.
    mutating func add(_ events: Span<Event>, days: inout DayClock, other: (Event, LocalHour) -> Void) {
        assert(!isFull && events.count <= EventBlock.capacity)
        var (scratch, hourRows): ([Int32], [Counts]) = ([], [])
        swap(&scratch, &cells)
        swap(&hourRows, &hours)
        if scratch.count < events.count { scratch = Array(repeating: 0, count: events.count) }
        // Without rows, no hour is that far.
        let start = start ?? LocalHour(number: .max, offset: 0)
        let actions = actions
        let kinds = sources &* actions
        var records = 0 as UInt32
        var rows = rows.mutableSpan
        var hours = hourRows.mutableSpan
        var cells = scratch.mutableSpan
        for index in events.indices {
            // Reading single fields is faster: a copy of a whole event costs more than the rest of the loop.
            let eventRecords = events[index].records
            let hour = days.hour(of: events[index].time)
            let ofDay = UInt32(bitPattern: hour.number &- start.number)
            guard ofDay < 24, hour.offset == start.offset, eventRecords <= UInt16.max else {
                cells[index] = -1
                other(events[index], hour)
                continue
            }
            let cell = Int(events[index].delivery) &* DaySums.platforms &+ Int(events[index].platform.rawValue)
            let kind = Int(events[index].source) &* actions &+ Int(events[index].action)
            let row = cell &* kinds &+ kind
            cells[index] = Int32(truncatingIfNeeded: cell)
            rows[row].events &+= 1
            rows[row].duplicates &+= eventRecords &- 1
            records &+= eventRecords
            let hourRow = (Int(ofDay) &* DaySums.platforms &+ Int(events[index].platform.rawValue)) &* kinds &+ kind
            hours[hourRow].events &+= 1
            hours[hourRow].duplicates &+= eventRecords &- 1
        }
        self.cells = scratch
        self.hours = hourRows
        self.records += Int(records)
    }

    /// Adds messages of the last span of events. Messages that were first seen on another day go to `other`.
    mutating func add(
        _ messages: Span<Message>, of events: Span<Event>, other: (Message, MessageOutcome) -> Void
    ) {
        let all = self.cells
        let cells = all.span
        let outcomes = outcomes
        var sums = self.messages.mutableSpan
        for index in messages.indices {
            let message = messages[index]
            let outcome = MessageOutcome(
                message.stages, first: events[Int(message.first)].time, open: events[Int(message.open)].time)
            let cell = cells[Int(message.first)]
            guard cell >= 0 else {
                other(message, outcome)
                continue
            }
            sums[Int(cell) &* outcomes &+ Int(outcome.rawValue)] &+= 1
        }
    }

    /// Moves all rows into `tables`. Afterwards this value is empty.
    mutating func move(into tables: inout DailyTables) {
        guard let start else { return }
        for index in rows.indices where rows[index].events > 0 {
            let delivery = index / (DaySums.platforms * sources * actions)
            let platform = Platform(rawValue: UInt8(index / (sources * actions) % DaySums.platforms)) ?? .unknown
            let key = PackedKey(
                day: start.day, delivery: UInt32(delivery), source: UInt16(index / actions % sources),
                platform: platform, action: UInt16(index % actions))
            tables.daily.table.add(rows[index].wide, at: key)
        }
        for index in hours.indices where hours[index].events > 0 {
            let ofDay = index / (DaySums.platforms * sources * actions)
            let hour = LocalHour(number: start.number + Int32(ofDay), offset: start.offset)
            let platform = Platform(rawValue: UInt8(index / (sources * actions) % DaySums.platforms)) ?? .unknown
            tables.hourly.table.add(
                hours[index].wide,
                at: PackedKey(
                    number: hour.number, rest: UInt32(bitPattern: hour.offset),
                    source: UInt16(index / actions % sources), platform: platform,
                    action: UInt16(index % actions)))
        }
        for index in messages.indices where messages[index] > 0 {
            let row = index / outcomes
            let key = DailyFunnel.key(
                day: start.day, platform: Platform(rawValue: UInt8(row % DaySums.platforms)) ?? .unknown,
                delivery: UInt32(row / DaySums.platforms),
                outcome: MessageOutcome(rawValue: UInt16(index % outcomes)))
            tables.funnel.merge(Int(messages[index]), at: key)
        }
        self = DaySums(
            deliveries: deliveries, sources: sources, actions: actions, haveSends: outcomes == MessageOutcome.count)
    }
}
