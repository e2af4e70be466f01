import Calendar
import Events

/// A message among some events: the place of its first one, and what it reached.
struct FoundMessage: Sendable {
    var first: Int32
    var stages: Stages
}

/// The sums of one day in flat tables with a place for each combination: what nearly all events of a partition need, and
/// no search for a row. A few nanoseconds an event.
struct DayTable: Sendable {
    /// 8 MiB of sums; partitions with more combinations go without.
    private static let mostPlaces = 1 << 18
    private static let platforms = 4
    private static let stageSets = 16

    /// Nil where there are no events yet, or too many combinations.
    private(set) var day: Int32?
    private let deliveries: Int
    private let sources: Int
    private let actions: Int
    private var rows: [Sums] = []
    /// Where the events that were added last belong: delivery and platform, -1 for those of other days.
    private var cells: [Int32] = []
    /// What times are counted from: 2^31 ms before one of the day.
    private var base: Int64 = 0
    /// Records of all rows together.
    private var records = 0
    /// Messages by delivery, platform and stages.
    private var messages: [UInt32] = []

    /// Sums in 16 bytes, since the cache is small; `isFull` tells when they could run over.
    private struct Sums: Sendable {
        var events: UInt32 = 0
        var duplicates: UInt32 = 0
        /// Milliseconds above `base`.
        var first = UInt32.max
        var last: UInt32 = 0
    }

    init(deliveries: Int, sources: Int, actions: Int) {
        self.deliveries = deliveries
        self.sources = sources
        self.actions = actions
    }

    /// Whether the sums must be moved on before more is added.
    var isFull: Bool { records > 1 << 31 }

    /// Makes room for the sums of a day, one instant of which is `time`, if they are not too many.
    mutating func begin(_ day: Int32, time: Int64) {
        let (product, overflow) = (DayTable.platforms * sources * actions).multipliedReportingOverflow(by: deliveries)
        guard !overflow, product <= DayTable.mostPlaces, deliveries <= DayTable.mostPlaces / 64 else { return }
        self.day = day
        base = time &- (1 << 31)
        rows = Array(repeating: Sums(), count: product)
        messages = Array(repeating: 0, count: deliveries * DayTable.platforms * DayTable.stageSets)
    }

    /// Adds what counts, at most `EventBlock.capacity` events; those of other days, and of very many records, go to `other`.
    mutating func add(_ events: Span<Event>, days: inout DayClock, other: (Event, Int32) -> Void) {
        var places: [Int32] = []
        swap(&places, &cells)
        if places.count < events.count { places = Array(repeating: 0, count: events.count) }
        let (tableDay, sources, actions, base) = (day, sources, actions, base)
        var records = 0 as UInt32
        var rows = rows.mutableSpan
        var cells = places.mutableSpan
        for index in events.indices {
            // Field by field: a copy of a whole event costs more than all else here.
            let time = events[index].time
            let eventRecords = events[index].records
            let day = days.day(of: time)
            let above = UInt64(bitPattern: time &- base)
            // A time without a date of ten characters has the nearest day, however far.
            guard day == tableDay, eventRecords <= UInt16.max, above <= UInt32.max else {
                cells[index] = -1
                other(events[index], day)
                continue
            }
            let cell = Int(events[index].delivery) &* DayTable.platforms &+ Int(events[index].platform.rawValue)
            let row = (cell &* sources &+ Int(events[index].source)) &* actions &+ Int(events[index].action)
            let offset = UInt32(truncatingIfNeeded: above)
            cells[index] = Int32(truncatingIfNeeded: cell)
            rows[row].events &+= 1
            rows[row].duplicates &+= eventRecords &- 1
            rows[row].first = min(rows[row].first, offset)
            rows[row].last = max(rows[row].last, offset)
            records &+= eventRecords
        }
        self.cells = places
        self.records += Int(records)
    }

    /// Adds messages, each by the place of its first event among those that were added last; hands those on that were first
    /// seen on other days.
    mutating func add(_ messages: Span<FoundMessage>, other: (FoundMessage) -> Void) {
        let places = cells
        let cells = places.span
        var sums = self.messages.mutableSpan
        for index in messages.indices {
            let cell = cells[Int(messages[index].first)]
            guard cell >= 0 else {
                other(messages[index])
                continue
            }
            sums[Int(cell) &* DayTable.stageSets &+ Int(messages[index].stages.rawValue)] &+= 1
        }
    }

    /// Hands all sums on, and is as it was before it began.
    mutating func move(into daily: inout DailyActions, _ funnel: inout DailyFunnel) {
        guard let day else { return }
        for place in rows.indices where rows[place].events > 0 {
            let delivery = place / (DayTable.platforms * sources * actions)
            let platform = Platform(rawValue: UInt8(place / (sources * actions) % DayTable.platforms)) ?? .unknown
            let key = PackedKey(
                day, UInt16(place / actions % sources), platform, UInt32(delivery), UInt16(place % actions))
            let sums = rows[place]
            daily.merge(
                DailyActions.Sums(
                    events: Int(sums.events), duplicates: Int(sums.duplicates), first: base &+ Int64(sums.first),
                    last: base &+ Int64(sums.last)),
                at: key)
        }
        for place in messages.indices where messages[place] > 0 {
            let row = place / DayTable.stageSets
            funnel.add(
                day: day, platform: Platform(rawValue: UInt8(row % DayTable.platforms)) ?? .unknown,
                delivery: UInt32(row / DayTable.platforms),
                stages: Stages(rawValue: UInt8(place % DayTable.stageSets)), messages: Int(messages[place]))
        }
        self = DayTable(deliveries: deliveries, sources: sources, actions: actions)
    }
}
