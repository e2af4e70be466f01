import Calendar
import Events

/// Computes the standalone tables of one partition: all its events count, and the earliest event of a message is its
/// first. Keys use the partition's own numbers. An event takes a few nanoseconds.
///
/// Events must be sorted by id. They are added in spans of at most `EventBlock.capacity` events. A span may end within
/// a message.
package struct StandaloneTables: Sendable {
    package private(set) var tables = DailyTables()
    private let order: Order
    /// The last message, which the next span may continue.
    private var open: Message?
    /// The rows of the day that has most events.
    private var sums: DaySums
    private var hasBegun = false
    /// Scratch: the messages of a span.
    private var found: [DaySums.Message] = []
    /// Scratch: for each event of a span, 1 if it begins a message, else 0. A final 0 follows.
    private var begins: [UInt8] = []

    /// Ranks a message's events.
    private struct Order: Sendable {
        /// By source number: the source's index in the pipeline.
        let sourceRanks: [UInt16]
        let stages: [Stages]

        func rank(_ event: Event) -> EventRank {
            EventRank(
                time: event.time, source: sourceRanks[Int(event.source)], delivery: event.delivery,
                platform: event.platform, action: event.action)
        }
    }

    private struct Message: Sendable {
        var earliest: Event
        var stages: Stages
        /// The time of its open, if it was opened.
        var open: Int64

        var outcome: MessageOutcome { MessageOutcome(stages, first: earliest.time, open: open) }
    }

    /// - Parameters:
    ///   - names: actions and deliveries must be sorted by their bytes.
    ///   - sourceRanks: each source's index in the pipeline. Nil if it is the source's number.
    package init(_ names: EventNames, sourceRanks: [UInt16]? = nil) {
        assert(sourceRanks.map { $0.count == names.sources.count } ?? true)
        let stages = names.actions.map(Stages.init(action:))
        order = Order(sourceRanks: sourceRanks ?? names.sources.indices.map { UInt16($0) }, stages: stages)
        sums = DaySums(
            deliveries: names.deliveries.count, sources: order.sourceRanks.count, actions: stages.count,
            haveSends: stages.contains { !$0.isDisjoint(with: [.sent, .failed]) })
    }

    /// Adds events. If the last message is incomplete, the next span must continue it.
    package mutating func add(_ events: Span<Event>, days: inout DayClock) {
        guard events.count > 0 else { return }
        assert(events.isSorted)
        if sums.isFull { flush() }
        if !hasBegun {
            hasBegun = true
            sums.begin(days.hour(of: events[events.count / 2].time))
        }
        sums.add(events, days: &days) { event, hour in
            tables.daily.add(event, day: hour.day)
            tables.hourly.add(event, at: hour)
        }
        let start = continueMessage(with: events, days: &days)
        if start < events.count { addMessages(events, from: start, days: &days) }
    }

    /// Ends the last message. Call it after the last span, and before events that do not continue the sequence of ids.
    package mutating func endMessage(days: inout DayClock) {
        if let open { tables.funnel.add(first: open.earliest, outcome: open.outcome, days: &days) }
        open = nil
    }

    /// Completes `tables`. Call it after the last message has ended.
    package mutating func flush() {
        sums.move(into: &tables)
        hasBegun = false
    }

    /// Adds the tables of other messages of the same partition. Both values must be complete.
    package mutating func merge(_ other: StandaloneTables) {
        assert(open == nil && other.open == nil && !hasBegun && !other.hasBegun)
        tables.merge(other.tables)
    }

    /// Adds the first events to the open message, if they belong to it. Returns the index of the first event that does
    /// not.
    private mutating func continueMessage(with events: Span<Event>, days: inout DayClock) -> Int {
        guard var message = open else { return 0 }
        var index = 0
        while index < events.count, events[index].id == message.earliest.id {
            let stage = order.stages[Int(events[index].action)]
            message.stages.formUnion(stage)
            if stage == .opened { message.open = events[index].time }
            if order.rank(events[index]) < order.rank(message.earliest) { message.earliest = events[index] }
            index &+= 1
        }
        open = message
        if index < events.count { endMessage(days: &days) }
        return index
    }

    /// Whether an event begins a message is unpredictable. So everything is computed for every event without a branch,
    /// and used only where a message ends. The flags are stored as numbers, because the compiler would turn booleans
    /// into branches.
    private mutating func addMessages(_ events: Span<Event>, from start: Int, days: inout DayClock) {
        let count = events.count
        var (found, begins): ([DaySums.Message], [UInt8]) = ([], [])
        swap(&found, &self.found)
        swap(&begins, &self.begins)
        if found.count < count {
            found = Array(repeating: DaySums.Message(first: 0, open: 0, stages: []), count: count)
            begins = Array(repeating: 0, count: count &+ 1)
        }
        begins[start] = 1
        for index in start &+ 1..<max(count, start &+ 1) {
            begins[index] = events[index].id == events[index &- 1].id ? 0 : 1
        }
        // The next span may continue the last message.
        begins[count] = 0

        var earliest = start
        // The time and detail of the message's earliest event.
        var earliestTime = events[start].time
        var earliestDetail = events[start].detail
        var reached = 0 as UInt8
        // Of the message's open, if it was opened.
        var open = start
        var ended = 0
        let order = order
        let stages = order.stages.span
        let flags = begins.span
        var messages = found.mutableSpan
        for index in start..<count {
            let time = events[index].time
            let detail = events[index].detail
            let begins = flags[index]
            let stage = stages[Int(events[index].action)]
            reached = reached & (begins &- 1) | stage.rawValue
            open = stage == .opened ? index : open
            var takes = begins | (time < earliestTime ? 1 : 0)
            // Few events have the same time. If the detail is equal too, the events are already sorted by action.
            let difference = UInt64(bitPattern: time ^ earliestTime) | UInt64(begins)
            if difference == 0, detail != earliestDetail {
                takes = order.rank(events[index]) < order.rank(events[earliest]) ? 1 : 0
            }
            earliest = takes == 1 ? index : earliest
            earliestTime = takes == 1 ? time : earliestTime
            earliestDetail = takes == 1 ? detail : earliestDetail
            messages[ended] = DaySums.Message(
                first: Int32(truncatingIfNeeded: earliest), open: Int32(truncatingIfNeeded: open),
                stages: Stages(rawValue: reached))
            ended &+= Int(flags[index &+ 1])
        }
        self.open = Message(
            earliest: events[earliest], stages: Stages(rawValue: reached), open: events[open].time)
        sums.add(found.span.extracting(0..<ended), of: events) { message, outcome in
            tables.funnel.add(first: events[Int(message.first)], outcome: outcome, days: &days)
        }
        self.found = found
        self.begins = begins
    }
}

extension Event {
    /// Source, delivery and platform in one word.
    @inline(__always)
    fileprivate var detail: UInt64 {
        UInt64(delivery) << 32 | UInt64(source) << 8 | UInt64(platform.rawValue)
    }
}
