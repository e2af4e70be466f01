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
    }

    private struct Message: Sendable {
        var earliest: Event
        var day: Int32
        var stages: Stages
    }

    /// The names' deliveries and actions must be in the order of their bytes. `sourceRanks` tell where the sources stand
    /// in the pipeline, if that is not their order among the names.
    package init(_ names: EventNames, sourceRanks: [UInt32]? = nil) {
        judge = Judge(
            sourceRanks: sourceRanks ?? names.sources.indices.map { UInt32($0) },
            stages: names.actions.map(Stages.init(action:)))
    }

    /// Adds events. A message that spans cut must go on in the next one.
    package mutating func add(_ events: Span<Event>, days: inout DayClock) {
        guard events.count > 0 else { return }
        var message = open
        for index in events.indices {
            let event = events[index]
            let day = days.day(of: event.time)
            daily.add(event, day: day, counts: true)
            let stage = judge.stages[Int(event.action)]
            guard let known = message, known.earliest.id.isSame(as: event.id) else {
                if let message { close(message) }
                message = Message(earliest: event, day: day, stages: stage)
                continue
            }
            message?.stages.formUnion(stage)
            let earliest = known.earliest
            if event.time < earliest.time || event.time == earliest.time && judge.precedes(event, earliest) {
                message?.earliest = event
                message?.day = day
            }
        }
        open = message
    }

    /// Ends the last message: after the last span, and before events whose ids do not follow.
    package mutating func endMessage() {
        if let open { close(open) }
        open = nil
    }

    package mutating func merge(_ other: AloneFigures) {
        daily.merge(other.daily)
        funnel.merge(other.funnel)
    }

    @inline(__always)
    private mutating func close(_ message: Message) {
        funnel.add(
            day: message.day, platform: message.earliest.platform, delivery: message.earliest.delivery,
            stages: message.stages)
    }
}

extension EventID {
    /// `==` and `<` for hot loops: those of another module are calls.
    @inline(__always)
    func isSame(as other: EventID) -> Bool {
        low == other.low && high == other.high
    }

    @inline(__always)
    func precedes(_ other: EventID) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}
