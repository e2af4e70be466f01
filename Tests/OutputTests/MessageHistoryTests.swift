import Calendar
import Counting
import Events
import Foundation
import Partitions
import Support
import Testing

import struct Reference.SplitMix64

@Suite struct MessageHistoryTests {
    /// The rows of push.db as the explanations of single messages add up to them.
    private struct Sum {
        private var daily: [String: (events: Int, duplicates: Int)] = [:]
        private var funnel: [String: [Int]] = [:]

        mutating func add(_ history: MessageHistory) {
            for entry in history.entries {
                let event = entry.event
                let place = [event.day.description, event.platform.name, event.delivery]
                let key = [place[0], event.source, place[1], place[2], event.action].joined(separator: "|")
                daily[key, default: (0, 0)].events += entry.precedent == nil ? 1 : 0
                daily[key, default: (0, 0)].duplicates += event.records - (entry.precedent == nil ? 1 : 0)
                guard let stages = entry.stages else { continue }
                let (clicked, opened) = (stages.contains(.clicked), stages.contains(.opened))
                let added = [
                    true, stages.contains(.arrived), stages.contains(.impressed), clicked, opened, clicked && !opened,
                    opened && !clicked, opened && !stages.contains(.impressed),
                ].map { $0 ? 1 : 0 }
                let row = place.joined(separator: "|")
                funnel[row] = zip(funnel[row] ?? Array(repeating: 0, count: 8), added).map(+)
            }
        }

        var dailyActions: [String] {
            sortedTexts(daily.map { key, row in "\(key)|\(row.events)|\(row.duplicates)" })
        }

        var dailyFunnel: [String] {
            sortedTexts(funnel.map { key, row in ([key] + row.map(String.init)).joined(separator: "|") })
        }

    }

    private func keys(_ loads: [Load]) -> Set<MessageSearch.Key> {
        let names = EventNames(sources: [], actions: [], deliveries: [])
        return Set(
            loads.flatMap(\.hits).map { MessageSearch.Key(kind: $0.kind, id: $0.event(names).id) })
    }

    @Test(arguments: 0..<(Long.isOn ? 60 : 20))
    func theHistoriesOfAllMessagesAddUpToDailyActionsAndDailyFunnel(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 3000))
        let loads = random.loads()
        let scene = try Scene()
        let settings = scene.settings(
            zone: random.pick(["UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata"]),
            window: random.pick([0, 1, 3, 30]), sources: random.pick(PublishingTests.sourceOrders))
        for load in loads {
            try scene.load(
                load, sourceOrder: ["zeta", "adobe", "momo", "braze", "alpha"],
                blockSize: Int.random(in: 1...8, using: &random))
        }
        try scene.publish(settings)
        let published = try scene.dump()

        var sum = Sum()
        let keys = keys(loads)
        // All at once, and each on its own.
        let search = try scene.search(Array(keys), settings)
        for history in search.histories { sum.add(history) }
        for key in keys.prefix(3) {
            let one = try scene.search([key], settings)
            #expect(one.histories == search.histories.filter { $0.section.kind == key.kind && $0.id == key.id })
        }
        #expect(search.damaged.isEmpty)
        #expect(search.partitions == loads.count)
        let daily = """
            SELECT day, source, platform, delivery_id, action, sum(events), sum(duplicates) FROM daily_actions GROUP BY 1, 2, 3, 4, 5
            """
        #expect(try sortedTexts(scene.rows(daily)) == sum.dailyActions)
        let funnel = """
            SELECT day, platform, delivery_id, sum(messages), sum(arrived), sum(impressed), sum(clicked), sum(opened), sum(dismissed),
              sum(opened_without_click), sum(opened_without_impression) FROM daily_funnel GROUP BY 1, 2, 3
            """
        #expect(try sortedTexts(scene.rows(funnel)) == sum.dailyFunnel)
        #expect(try scene.dump() == published)
    }

    @Test func anEventNamesTheEarliestWithinReachThatComesBeforeIt() throws {
        let scene = try Scene()
        for (date, at) in [(1, 500), (3, 700), (4, 900)] as [(Int, Int64)] {
            try scene.load(Load(logDate: LogDate(dayNumber: date), hits: [Hit(id: 5, time: at)]))
        }
        let key = MessageSearch.Key(kind: .hex, id: EventID(high: 0, low: 5))
        let search = try scene.search([key], scene.settings(window: 2))
        let entries = try #require(search.histories.first).entries
        #expect(entries.map(\.event.logDate.dayNumber) == [1, 3, 4])
        #expect(entries.map(\.precedent?.logDate.dayNumber) == [nil, 1, 3])
        #expect(entries.map { $0.stages?.contains(.opened) } == [true, nil, nil])
    }

    @Test func aDamagedPartitionIsNamedAndTheOthersAreRead() throws {
        let scene = try Scene()
        for date in [1, 2] { try scene.load(Load(logDate: LogDate(dayNumber: date), hits: [Hit(id: 5, time: 500)])) }
        let path = scene.folder.partitionPath(LogDate(dayNumber: 2))
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        let key = MessageSearch.Key(kind: .hex, id: EventID(high: 0, low: 5))
        let search = try scene.search([key], scene.settings())
        #expect(search.damaged == [OutputError(.corrupt("it is not a SQLite database"), at: path)])
        #expect(search.histories.map { $0.entries.map(\.event.logDate.dayNumber) } == [[1]])
    }
}
