import Events

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
    private var rows: [DailyActions.Sums] = []
    /// Messages by delivery, platform and stages: fewer than 2^32 each, since more events would not fit a disk.
    private var messages: [UInt32] = []

    init(deliveries: Int, sources: Int, actions: Int) {
        self.deliveries = deliveries
        self.sources = sources
        self.actions = actions
    }

    /// Makes room for the sums of a day, if they are not too many.
    mutating func begin(_ day: Int32) {
        let (product, overflow) = (DayTable.platforms * sources * actions).multipliedReportingOverflow(by: deliveries)
        guard !overflow, product <= DayTable.mostPlaces, deliveries <= DayTable.mostPlaces / 64 else { return }
        self.day = day
        rows = Array(repeating: DailyActions.Sums(), count: product)
        messages = Array(repeating: 0, count: deliveries * DayTable.platforms * DayTable.stageSets)
    }

    /// Adds what counts; events of other days go to `other`.
    mutating func add(_ events: Span<Event>, days: inout DayClock, other: (Event, Int32) -> Void) {
        let (tableDay, sources, actions) = (day, sources, actions)
        var rows = rows.mutableSpan
        for index in events.indices {
            let event = events[index]
            let day = days.day(of: event.time)
            guard day == tableDay else {
                other(event, day)
                continue
            }
            let place = Int(event.delivery) &* DayTable.platforms &+ Int(event.platform.rawValue)
            let row = (place &* sources &+ Int(event.source)) &* actions &+ Int(event.action)
            rows[row].add(event.time, records: event.records)
        }
    }

    /// Adds a message that was first seen on the day.
    @inline(__always)
    mutating func addMessage(platform: Platform, delivery: UInt32, stages: Stages) {
        let place = Int(delivery) &* DayTable.platforms &+ Int(platform.rawValue)
        messages[place &* DayTable.stageSets &+ Int(stages.rawValue)] &+= 1
    }

    /// Hands all sums on, and is as it was before it began.
    mutating func move(into daily: inout DailyActions, _ funnel: inout DailyFunnel) {
        guard let day else { return }
        for place in rows.indices where rows[place].events > 0 {
            let delivery = place / (DayTable.platforms * sources * actions)
            let platform = Platform(rawValue: UInt8(place / (sources * actions) % DayTable.platforms)) ?? .unknown
            let key = PackedKey(
                day, UInt16(place / actions % sources), platform, UInt32(delivery), UInt16(place % actions))
            daily.merge(rows[place], at: key)
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
