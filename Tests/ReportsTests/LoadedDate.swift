import Calendar
import Events
import Foundation
import Support
import Synchronization

@testable import Partitions

/// A log date of a scene. Most scenes have the same ones, so each partition is written once.
struct LoadedDate: Hashable {
    let date: LogDate
    let status: PartitionStatus
    /// The messages of the day before, if something of them comes with this log date.
    let before: [Scene.Messages]
    let own: [Scene.Messages]

    private static let written = Kept<LoadedDate, ScratchFolder>()

    func install(into folder: OutputFolder) throws {
        let written = OutputFolder(try LoadedDate.written.value(of: self, orMade: write).root)
        try FileManager.default.linkItem(atPath: written.partitionPath(date), toPath: folder.partitionPath(date))
    }

    /// Ten of the log date's records are no events.
    private func write() throws -> ScratchFolder {
        let scratch = try ScratchFolder()
        let folder = OutputFolder(scratch.root)
        try folder.create()
        let deliveries = Set((before + own).map(\.delivery)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let numbers = Dictionary(zip(deliveries, (0 as UInt32)...)) { first, _ in first }
        var events: [Event] = []
        for (day, all) in [(date.adding(days: -1), before), (date, own)] {
            for (index, it) in all.enumerated() {
                let first = Event(
                    id: EventID(high: UInt64(day.dayNumber), low: UInt64(index) << 32),
                    time: Int64(day.dayNumber) * 86_400_000 + 19 * 3_600_000,
                    delivery: numbers[it.delivery] ?? 0, source: 0, action: 0, platform: it.platform)
                it.add(from: first, isNextDate: day != date, to: &events)
            }
        }
        events.sort { $0.id != $1.id ? $0.id < $1.id : $0.action < $1.action }
        // Without `failed` and `sent` there are fewer outcomes to count.
        let haveSends = (before + own).contains { $0.isSent || $0.failed > 0 }
        let actions = Scene.Messages.Action.allCases.filter { haveSends || $0 != .failed && $0 != .sent }
        let places = Scene.Messages.Action.allCases.map { UInt16(actions.firstIndex(of: $0) ?? 0) }
        for index in events.indices { events[index].action = places[Int(events[index].action)] }
        let names = EventNames(sources: ["adobe"], actions: actions.map { "\($0)" }, deliveries: deliveries)
        let left = [("link", 7), ("bad_time", 2), ("malformed_id", 1)].map { reason, records in
            OutcomeCount(
                source: "adobe", outcome: reason == "link" ? .filtered : .rejected, reason: reason, records: records)
        }
        try folder.install(events, of: date, names: names, status: status, left: left)
        return scratch
    }
}

extension Scene.Messages {
    /// In the order in which a partition numbers actions. `other` stands for an action that daily_funnel does not count.
    fileprivate enum Action: UInt16, CaseIterable { case click, failed, impression, open, other, sent }

    /// Adds the events of one of two log dates: of that of the day, or of the next.
    /// - Parameter first: an event of the first message.
    fileprivate func add(from first: Event, isNextDate: Bool, to events: inout [Event]) {
        let delays: [Int64] = [20, 200, 1500, 7200]
        let impressed = min(impressed, messages)
        let opened = min(opened, messages)
        let unseen = min(opened / 8, messages - impressed)
        let firstOpened = max(0, impressed + unseen - opened)
        let firstClicked = firstOpened + (openedWithoutClick ?? opened / 10)
        for number in 0..<messages {
            let isOpened = (firstOpened..<firstOpened + opened).contains(number)
            let isClicked = (number + messages - firstClicked) % messages < clicked
            let isOpenedNextDay = isOpened && number - firstOpened < openedNextDay
            let isLate = number * late % messages < late
            let delay = isOpenedNextDay ? 100_000 : isOpened ? delays[(number - firstOpened) % delays.count] : 60
            func add(_ action: Action, after delay: Int64 = 0) {
                guard isNextDate == (isLate || delay > 86_400) else { return }
                var event = first
                // Ids of which both log dates may tell are apart from the others.
                event.id.low += UInt64(number) + (isLate ? 2 << 60 : isOpenedNextDay ? 1 << 60 : 0)
                event.time += (Int64(number % 600) + delay) * 1000
                event.action = action.rawValue
                if action == .open, let opensOn { event.platform = opensOn }
                if action == .impression, number % 20 == 0 { event.records = 2 }
                events.append(event)
            }
            if isClicked { add(.click, after: delay) }
            if number >= messages - failed { add(.failed) }
            if number < impressed { add(.impression) }
            if isOpened { add(.open, after: delay) }
            if number >= impressed, !isClicked, !isOpened, !isSent, number < messages - failed { add(.other) }
            if isSent { add(.sent) }
        }
    }
}

/// What is made once, and kept until the end of the tests.
final class Kept<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let values = Mutex<[Key: Value]>([:])

    init() { AtExit.add { self.values.withLock { $0 = [:] } } }

    func value(of key: Key, orMade make: () throws -> Value) throws -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        let made = try make()
        return values.withLock { values in
            // Another test may have made it meanwhile.
            let first = values[key] ?? made
            values[key] = first
            return first
        }
    }
}

/// Folders that are kept in static values are removed by it.
private enum AtExit {
    private static let all: Mutex<[@Sendable () -> Void]> = {
        atexit { AtExit.all.withLock { for end in $0 { end() } } }
        return Mutex([])
    }()

    static func add(_ body: @escaping @Sendable () -> Void) { all.withLock { $0.append(body) } }
}
