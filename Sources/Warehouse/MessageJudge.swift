import Events
import Foundation

/// Decides which events count and which are their message's first (SPEC 7), and adds them up. It is given all events of
/// a message at once, partition by partition in the order of log dates.
struct MessageJudge {
    /// The events of one partition: a range in the message's events.
    struct Part {
        let partition: Int
        let events: Range<Int>
    }

    /// An event in the terms of all partitions.
    private struct Member {
        let time: Int64
        /// Source, delivery and platform, as one number that compares as they do in this order.
        let tie: UInt64
        let part: Int
        let records: UInt32
        let action: UInt16

        var source: UInt16 { UInt16(truncatingIfNeeded: tie >> 34) }
        var delivery: UInt32 { UInt32(truncatingIfNeeded: tie >> 2) }
        var platform: Platform { Platform(rawValue: UInt8(truncatingIfNeeded: tie & 3)) ?? .unknown }

        /// The order of events of one action.
        @inline(__always)
        func precedesRecord(_ other: Member) -> Bool {
            if time != other.time { return time < other.time }
            return tie != other.tie ? tie < other.tie : part < other.part
        }

        /// The order of events of one message.
        @inline(__always)
        func precedesEvent(_ other: Member) -> Bool {
            if time != other.time { return time < other.time }
            if tie != other.tie { return tie < other.tie }
            return action != other.action ? action < other.action : part < other.part
        }
    }

    private let logDates: [Int32]
    private let windowDays: Int
    private let names: GlobalNames
    private var days: DayCache
    private(set) var daily = DailyActions()
    private(set) var funnel = DailyFunnel()
    private var members: [Member] = []
    /// By part of a message: its first member, and the stages that it reached.
    private var candidates: [(first: Int, stages: Stages)] = []
    /// By global action: the earliest member of the message in hand; -1 for none. Cleared after each message.
    private var earliest: [Int]

    init(logDates: [Int32], windowDays: Int, names: GlobalNames, zone: TimeZone) {
        self.logDates = logDates
        self.windowDays = windowDays
        self.names = names
        days = DayCache(zone: zone)
        earliest = Array(repeating: -1, count: names.names.actions.count)
    }

    /// A message that lies in one partition: all its events count, one is the first.
    mutating func judge(_ events: [Event], of partition: Int) {
        var stages: Stages = []
        var first: Member?
        var firstDay: Int32 = 0
        for event in events {
            let member = member(event, part: 0, partition: partition)
            let day = days.day(of: member.time)
            stages.formUnion(names.stages[Int(member.action)])
            add(member, day: day, counts: true)
            if first.map({ member.precedesEvent($0) }) ?? true {
                first = member
                firstDay = day
            }
        }
        guard let first else { return }
        funnel.add(day: firstDay, platform: first.platform, delivery: first.delivery, stages: stages)
    }

    /// A message that lies in several partitions.
    mutating func judge(_ events: [Event], parts: [Part]) {
        members.removeAll(keepingCapacity: true)
        candidates.removeAll(keepingCapacity: true)
        for (part, range) in parts.enumerated() {
            var candidate = (first: members.count, stages: Stages())
            for event in events[range.events] {
                let member = member(event, part: part, partition: range.partition)
                candidate.stages.formUnion(names.stages[Int(member.action)])
                members.append(member)
                if member.precedesEvent(members[candidate.first]) { candidate.first = members.count - 1 }
            }
            candidates.append(candidate)
        }
        judgeActions(parts)
        judgeFirsts(parts)
    }

    private mutating func judgeActions(_ parts: [Part]) {
        for (index, member) in members.enumerated() {
            let known = earliest[Int(member.action)]
            if known < 0 || member.precedesRecord(members[known]) { earliest[Int(member.action)] = index }
        }
        for (index, member) in members.enumerated() {
            let first = earliest[Int(member.action)]
            // Mostly the earliest of all settles it; else an earlier one that is nearer may be within reach.
            let counts =
                first == index
                || !withinReach(members[first].part, member.part, parts)
                    && !members.contains {
                        $0.action == member.action && $0.part != member.part && $0.precedesRecord(member)
                            && withinReach($0.part, member.part, parts)
                    }
            add(member, day: days.day(of: member.time), counts: counts)
        }
        for member in members { earliest[Int(member.action)] = -1 }
    }

    private mutating func judgeFirsts(_ parts: [Part]) {
        guard var earliest = candidates.first?.first else { return }
        for candidate in candidates where members[candidate.first].precedesEvent(members[earliest]) {
            earliest = candidate.first
        }
        for (part, candidate) in candidates.enumerated() {
            let member = members[candidate.first]
            if candidate.first != earliest {
                if withinReach(members[earliest].part, part, parts) { continue }
                let isPreceded = candidates.indices.contains { other in
                    other != part && withinReach(other, part, parts)
                        && members[candidates[other].first].precedesEvent(member)
                }
                if isPreceded { continue }
            }
            var stages: Stages = []
            for other in candidates.indices where withinReach(other, part, parts) {
                stages.formUnion(candidates[other].stages)
            }
            funnel.add(
                day: days.day(of: member.time), platform: member.platform, delivery: member.delivery,
                stages: stages)
        }
    }

    @inline(__always)
    private func withinReach(_ a: Int, _ b: Int, _ parts: [Part]) -> Bool {
        abs(Int(logDates[parts[a].partition]) - Int(logDates[parts[b].partition])) <= windowDays
    }

    @inline(__always)
    private mutating func add(_ member: Member, day: Int32, counts: Bool) {
        daily.add(
            day: day, source: member.source, platform: member.platform, delivery: member.delivery,
            action: member.action, records: member.records, time: member.time, counts: counts)
    }

    @inline(__always)
    private func member(_ event: Event, part: Int, partition: Int) -> Member {
        let source = names.sources.global(Int(event.source), of: partition)
        let delivery = names.deliveries.global(Int(event.delivery), of: partition)
        let action = names.actions.global(Int(event.action), of: partition)
        return Member(
            time: event.time,
            tie: UInt64(source) << 34 | UInt64(delivery) << 2 | UInt64(event.platform.rawValue),
            part: part, records: event.records, action: UInt16(truncatingIfNeeded: action))
    }
}
