import Calendar
import Events

/// Decides which events count and which are their message's first (SPEC 7), for messages that lie in several partitions,
/// and notes what that changes in each partition's own figures. It is given all events of a message at once, partition
/// by partition in the order of log dates.
struct MessageJudge {
    /// What one partition has of the message in hand.
    private struct Part {
        let partition: Int
        let logDate: Int32
        /// The first of its members.
        var first: Int
        var stages: Stages
    }

    /// An event in the terms of all partitions.
    private struct Member {
        let time: Int64
        /// Source, delivery and platform, as one number that compares as they do in this order.
        let tie: UInt64
        let part: Int
        let action: UInt16
        /// In the numbers of its partition.
        let event: Event
        /// Where in its partition it lies.
        let place: Int

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
    private let isFresh: [Bool]
    private let names: GlobalNames
    /// By partition.
    private(set) var corrections: [Corrections]
    private var members: [Member] = []
    private var parts: [Part] = []
    /// By global action: the earliest member of the message in hand; -1 for none. Cleared after each message.
    private var earliest: [Int]

    init(logDates: [Int32], windowDays: Int, isFresh: [Bool], names: GlobalNames) {
        self.isFresh = isFresh
        self.logDates = logDates
        self.windowDays = windowDays
        self.names = names
        earliest = Array(repeating: -1, count: names.names.actions.count)
        corrections = Array(repeating: Corrections(), count: logDates.count)
    }

    /// Takes what a partition has of the message in hand: some of `events`, whose numbers must be within the partition's
    /// tables, and where in the partition each lies.
    mutating func take(_ range: Range<Int>, of events: Span<Event>, places: Span<Int>, partition: Int) {
        var part = Part(partition: partition, logDate: logDates[partition], first: members.count, stages: [])
        for index in range {
            let member = member(events[index], place: places[index], partition: partition)
            members.append(member)
            part.stages.formUnion(names.stages[Int(member.action)])
            if member.precedesEvent(members[part.first]) { part.first = members.count - 1 }
        }
        parts.append(part)
    }

    /// Whose corrections a judgement goes to.
    enum Scope {
        case all
        /// Those of fresh partitions only.
        case fresh
        /// Those of the other partitions only, from which it is taken away.
        case undoingKept
    }

    /// Judges the message that was taken, and is ready for the next.
    mutating func judge(_ scope: Scope, _ days: inout DayClock) {
        judgeActions(scope, &days)
        judgeFirsts(scope, &days)
        members.removeAll(keepingCapacity: true)
        parts.removeAll(keepingCapacity: true)
    }

    private mutating func judgeActions(_ scope: Scope, _ days: inout DayClock) {
        for index in members.indices {
            let member = members[index]
            let known = earliest[Int(member.action)]
            if known < 0 || member.precedesRecord(members[known]) { earliest[Int(member.action)] = index }
        }
        for index in members.indices {
            let member = members[index]
            let first = earliest[Int(member.action)]
            // Mostly the earliest of all settles it; else an earlier one that is nearer may be within reach.
            let counts =
                first == index
                || !withinReach(members[first].part, member.part)
                    && !members.contains {
                        $0.action == member.action && $0.part != member.part && $0.precedesRecord(member)
                            && withinReach($0.part, member.part)
                    }
            guard !counts else { continue }
            let (partition, day) = (parts[member.part].partition, days.day(of: member.time))
            guard concerns(partition, scope) else { continue }
            if scope == .undoingKept {
                corrections[partition].removeNotCounting(member.event, day: day, place: member.place)
            } else {
                corrections[partition].addNotCounting(member.event, day: day, place: member.place)
            }
        }
        for index in members.indices { earliest[Int(members[index].action)] = -1 }
    }

    private mutating func judgeFirsts(_ scope: Scope, _ days: inout DayClock) {
        let messages = scope == .undoingKept ? -1 : 1
        guard var earliest = parts.first?.first else { return }
        for index in parts.indices where members[parts[index].first].precedesEvent(members[earliest]) {
            earliest = parts[index].first
        }
        for index in parts.indices where concerns(parts[index].partition, scope) {
            let part = parts[index]
            let member = members[part.first]
            let day = days.day(of: member.time)
            // Alone it would be the message's first, with the stages of its own partition.
            corrections[part.partition].addMessages(
                -messages, first: member.event, day: day, stages: part.stages)
            if part.first != earliest {
                if withinReach(members[earliest].part, index) { continue }
                let isPreceded = parts.indices.contains { other in
                    other != index && withinReach(other, index)
                        && members[parts[other].first].precedesEvent(member)
                }
                if isPreceded { continue }
            }
            var stages: Stages = []
            for other in parts.indices where withinReach(other, index) { stages.formUnion(parts[other].stages) }
            corrections[part.partition].addMessages(messages, first: member.event, day: day, stages: stages)
        }
    }

    @inline(__always)
    private func concerns(_ partition: Int, _ scope: Scope) -> Bool {
        switch scope {
        case .all: true
        case .fresh: isFresh[partition]
        case .undoingKept: !isFresh[partition]
        }
    }

    @inline(__always)
    private func withinReach(_ a: Int, _ b: Int) -> Bool {
        abs(Int(parts[a].logDate) - Int(parts[b].logDate)) <= windowDays
    }

    @inline(__always)
    private func member(_ event: Event, place: Int, partition: Int) -> Member {
        let source = names.sources.global(Int(event.source), of: partition)
        let delivery = names.deliveries.global(Int(event.delivery), of: partition)
        let action = names.actions.global(Int(event.action), of: partition)
        return Member(
            time: event.time,
            tie: UInt64(source) << 34 | UInt64(delivery) << 2 | UInt64(event.platform.rawValue),
            part: parts.count, action: UInt16(truncatingIfNeeded: action), event: event, place: place)
    }
}
