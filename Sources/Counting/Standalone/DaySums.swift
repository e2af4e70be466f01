import Calendar
import Events

/// The rows of one day, in flat tables with a cell for each combination of names. Nearly all events of a partition are
/// of one day, so they need no search for a row. An event takes a few nanoseconds.
struct DaySums: Sendable {
    /// 8 MiB of rows. Partitions with more combinations do not use these tables.
    private static let mostCells = 1 << 18
    private static let platforms = 4
    private static let stageSets = 16

    /// Nil if there are no events yet, or too many combinations.
    private(set) var day: Int32?
    private let deliveries: Int
    private let sources: Int
    private let actions: Int
    private var rows: [Row] = []
    /// For each event of the last span: the cell of its delivery and platform; -1 for other days.
    private var cells: [Int32] = []
    /// 2^31 ms before an instant of the day. Times are stored as milliseconds after it.
    private var base: Int64 = 0
    /// The number of records in all rows.
    private var records = 0
    /// Messages by delivery, platform and stages.
    private var messages: [UInt32] = []

    /// A message in a span of events.
    struct Message: Sendable {
        /// The index of its first event in the span.
        var first: Int32
        var stages: Stages
    }

    /// 16 bytes, because the CPU cache is small. `isFull` becomes true before a sum can overflow.
    private struct Row: Sendable {
        var events: UInt32 = 0
        var duplicates: UInt32 = 0
        /// Milliseconds after `base`.
        var first = UInt32.max
        var last: UInt32 = 0
    }

    init(deliveries: Int, sources: Int, actions: Int) {
        self.deliveries = deliveries
        self.sources = sources
        self.actions = actions
    }

    /// Whether the rows must be moved out before more events are added.
    var isFull: Bool { records > 1 << 31 }

    /// Allocates the rows of a day, unless they are too many. `time` is an instant of the day.
    mutating func begin(_ day: Int32, time: Int64) {
        let (product, overflow) = (DaySums.platforms * sources * actions).multipliedReportingOverflow(by: deliveries)
        guard !overflow, product <= DaySums.mostCells, deliveries <= DaySums.mostCells / 64 else { return }
        self.day = day
        base = time &- (1 << 31)
        rows = Array(repeating: Row(), count: product)
        messages = Array(repeating: 0, count: deliveries * DaySums.platforms * DaySums.stageSets)
    }

    /// Adds events, all of which count. Events of other days, or with very many records, go to `other`.
    /// - Parameter events: at most `EventBlock.capacity`.
    mutating func add(_ events: Span<Event>, days: inout DayClock, other: (Event, Int32) -> Void) {
        var scratch: [Int32] = []
        swap(&scratch, &cells)
        if scratch.count < events.count { scratch = Array(repeating: 0, count: events.count) }
        let (tableDay, sources, actions, base) = (day, sources, actions, base)
        var records = 0 as UInt32
        var rows = rows.mutableSpan
        var cells = scratch.mutableSpan
        for index in events.indices {
            // Reading single fields is faster: a copy of a whole event costs more than the rest of the loop.
            let time = events[index].time
            let eventRecords = events[index].records
            let day = days.day(of: time)
            let above = UInt64(bitPattern: time &- base)
            // A time outside the range of dates has the nearest day, however far away it is.
            guard day == tableDay, eventRecords <= UInt16.max, above <= UInt32.max else {
                cells[index] = -1
                other(events[index], day)
                continue
            }
            let cell = Int(events[index].delivery) &* DaySums.platforms &+ Int(events[index].platform.rawValue)
            let row = (cell &* sources &+ Int(events[index].source)) &* actions &+ Int(events[index].action)
            let offset = UInt32(truncatingIfNeeded: above)
            cells[index] = Int32(truncatingIfNeeded: cell)
            rows[row].events &+= 1
            rows[row].duplicates &+= eventRecords &- 1
            rows[row].first = min(rows[row].first, offset)
            rows[row].last = max(rows[row].last, offset)
            records &+= eventRecords
        }
        self.cells = scratch
        self.records += Int(records)
    }

    /// Adds messages of the last span of events. Messages that were first seen on another day go to `other`.
    mutating func add(_ messages: Span<Message>, other: (Message) -> Void) {
        let all = self.cells
        let cells = all.span
        var sums = self.messages.mutableSpan
        for index in messages.indices {
            let cell = cells[Int(messages[index].first)]
            guard cell >= 0 else {
                other(messages[index])
                continue
            }
            sums[Int(cell) &* DaySums.stageSets &+ Int(messages[index].stages.rawValue)] &+= 1
        }
    }

    /// Moves all rows into `tables`. Afterwards this value is empty.
    mutating func move(into tables: inout DailyTables) {
        guard let day else { return }
        for index in rows.indices where rows[index].events > 0 {
            let delivery = index / (DaySums.platforms * sources * actions)
            let platform = Platform(rawValue: UInt8(index / (sources * actions) % DaySums.platforms)) ?? .unknown
            let key = PackedKey(
                day, UInt16(index / actions % sources), platform, UInt32(delivery), UInt16(index % actions))
            let sums = rows[index]
            tables.daily.merge(
                DailyActions.Sums(
                    events: Int(sums.events), duplicates: Int(sums.duplicates), first: base &+ Int64(sums.first),
                    last: base &+ Int64(sums.last)),
                at: key)
        }
        for index in messages.indices where messages[index] > 0 {
            let row = index / DaySums.stageSets
            let key = DailyFunnel.key(
                day, Platform(rawValue: UInt8(row % DaySums.platforms)) ?? .unknown, UInt32(row / DaySums.platforms),
                Stages(rawValue: UInt8(index % DaySums.stageSets)))
            tables.funnel.merge(Int(messages[index]), at: key)
        }
        self = DaySums(deliveries: deliveries, sources: sources, actions: actions)
    }
}
