import Calendar
import Events
import Foundation

/// The figures of one partition as if it were alone, in its own numbers: all its events count, and the earliest of a
/// message is its first. Events come in the order of their ids, in spans that may cut a message. Some nanoseconds an
/// event.
package struct AloneFigures: Sendable {
    package private(set) var daily = DailyActions()
    private(set) var funnel = DailyFunnel()
    private let judge: Judge
    /// The message that the next span may go on with.
    private var open: Message?
    /// What falls on the day of most events.
    private var table: DayTable
    private var hasBegun = false
    /// Room for the messages of a span.
    private var found: [FoundMessage] = []
    /// For each of them 1 if it begins a message, else 0; and a 0.
    private var begins: [UInt8] = []

    /// What decides which event of a message is the first.
    private struct Judge: Sendable {
        /// By the partition's own numbers: where a source stands in the pipeline.
        let sourceRanks: [UInt32]
        let stages: [Stages]

        /// The order of SPEC 7 for events of one time; those of one message come by action.
        func precedes(_ a: Event, _ b: Event) -> Bool {
            if a.source != b.source { return sourceRanks[Int(a.source)] < sourceRanks[Int(b.source)] }
            if a.delivery != b.delivery { return a.delivery < b.delivery }
            if a.platform != b.platform { return a.platform.rawValue < b.platform.rawValue }
            return a.action < b.action
        }

        func isEarlier(_ a: Event, _ b: Event) -> Bool {
            a.time != b.time ? a.time < b.time : precedes(a, b)
        }
    }

    private struct Message: Sendable {
        var earliest: Event
        var stages: Stages
    }

    /// The names' deliveries and actions must be in the order of their bytes. `sourceRanks` tell where the sources stand
    /// in the pipeline, if that is not their order among the names.
    package init(_ names: EventNames, sourceRanks: [UInt32]? = nil) {
        let stages = names.actions.map(Stages.init(action:))
        judge = Judge(
            sourceRanks: sourceRanks ?? names.sources.indices.map { UInt32($0) },
            stages: stages)
        table = DayTable(
            deliveries: names.deliveries.count, sources: judge.sourceRanks.count, actions: stages.count)
    }

    /// Adds events. A message that spans cut must go on in the next one.
    package mutating func add(_ events: Span<Event>, days: inout DayClock) {
        guard events.count > 0 else { return }
        if table.isFull { settle() }
        if !hasBegun {
            hasBegun = true
            let time = events[events.count / 2].time
            table.begin(days.day(of: time), time: time)
        }
        table.add(events, days: &days) { event, day in daily.add(event, day: day, counts: true) }
        let start = goOn(with: events, days: &days)
        if start < events.count { addMessages(events, from: start, days: &days) }
    }

    /// Ends the last message: after the last span, and before events whose ids do not follow.
    package mutating func endMessage(days: inout DayClock) {
        if let open { funnel.add(first: open.earliest, open.stages, &days) }
        open = nil
    }

    /// Brings all figures together, after the last message has ended.
    package mutating func settle() {
        table.move(into: &daily, &funnel)
        hasBegun = false
    }

    /// Both must be settled.
    package mutating func merge(_ other: AloneFigures) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
    }

    /// Adds the first events to the open message, if they are of it; answers where those of others begin.
    private mutating func goOn(with events: Span<Event>, days: inout DayClock) -> Int {
        guard var message = open else { return 0 }
        var index = 0
        while index < events.count, events[index].id == message.earliest.id {
            message.stages.formUnion(judge.stages[Int(events[index].action)])
            if judge.isEarlier(events[index], message.earliest) { message.earliest = events[index] }
            index &+= 1
        }
        open = message
        if index < events.count { endMessage(days: &days) }
        return index
    }

    /// Whether an event begins a message is a coin's toss: so all is computed for every event, and kept where one ends. That
    /// it begins one is noted first, as a number in memory: of what the compiler knows to be true or false it makes a branch.
    private mutating func addMessages(_ events: Span<Event>, from start: Int, days: inout DayClock) {
        let count = events.count
        var (found, begins): ([FoundMessage], [UInt8]) = ([], [])
        swap(&found, &self.found)
        swap(&begins, &self.begins)
        if found.count < count {
            found = Array(repeating: FoundMessage(first: 0, stages: []), count: count)
            begins = Array(repeating: 0, count: count &+ 1)
        }
        begins[start] = 1
        for index in start &+ 1..<max(count, start &+ 1) {
            begins[index] = events[index].id == events[index &- 1].id ? 0 : 1
        }
        // The last message may go on.
        begins[count] = 0

        var earliest = start
        // Of the earliest event: what it is told by, and what else it has.
        var (earliestTime, earliestDetail) = (events[start].time, events[start].detail)
        var reached = 0 as UInt8
        var ended = 0
        let judge = judge
        let stages = judge.stages.span
        let flags = begins.span
        var messages = found.mutableSpan
        for index in start..<count {
            let (time, detail) = (events[index].time, events[index].detail)
            let begins = flags[index]
            reached = reached & (begins &- 1) | stages[Int(events[index].action)].rawValue
            var takes = begins | (time < earliestTime ? 1 : 0)
            // Of one time are few. Those that differ in nothing else come in the order of their actions.
            let difference = UInt64(bitPattern: time ^ earliestTime) | UInt64(begins)
            if difference == 0, detail != earliestDetail {
                takes = judge.precedes(events[index], events[earliest]) ? 1 : 0
            }
            earliest = takes == 1 ? index : earliest
            earliestTime = takes == 1 ? time : earliestTime
            earliestDetail = takes == 1 ? detail : earliestDetail
            messages[ended] = FoundMessage(
                first: Int32(truncatingIfNeeded: earliest), stages: Stages(rawValue: reached))
            ended &+= Int(flags[index &+ 1])
        }
        open = Message(earliest: events[earliest], stages: Stages(rawValue: reached))
        table.add(found.span.extracting(0..<ended)) { message in
            funnel.add(first: events[Int(message.first)], message.stages, &days)
        }
        self.found = found
        self.begins = begins
    }
}

extension Event {
    /// Where it comes from, in one word.
    @inline(__always)
    fileprivate var detail: UInt64 {
        UInt64(delivery) << 32 | UInt64(source) << 8 | UInt64(platform.rawValue)
    }
}

extension DailyFunnel {
    fileprivate mutating func add(first: Event, _ stages: Stages, _ days: inout DayClock) {
        add(day: days.day(of: first.time), platform: first.platform, delivery: first.delivery, stages: stages)
    }
}
