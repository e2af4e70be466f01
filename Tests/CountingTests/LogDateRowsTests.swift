import Calendar
import Events
import Testing

import struct Reference.SplitMix64

@testable import Counting

@Suite struct LogDateRowsTests {
    private let names = EventNames(
        sources: ["a", "b"], actions: ["click", "open"], deliveries: (0..<300).map { "d\($0)" })

    private func rows() -> LogDateRows {
        var tables = DailyTables()
        var random = SplitMix64(seed: UInt64(7))
        for _ in 0..<500 {
            let day = Int32.random(in: random.chance(20) ? -9...0 : 0...20_500, using: &random)
            let delivery = random.pick([0, 5, 299] as [UInt32])
            let actions = PackedKey(
                day: LogDate(dayNumber: Int(day)), delivery: delivery, source: random.pick([0, 1]),
                platform: random.pick(Platform.allCases),
                action: random.pick([0, 1]))
            tables.daily.table.add(
                EventCounts(events: random.pick([0, 1, 70_000]), duplicates: random.pick([0, 1, 70_000])), at: actions)
            let outcome = MessageOutcome(rawValue: random.pick([0, 3, 0x1F, 0xDB]))
            tables.funnel.merge(
                random.pick([1, 900]),
                at: DailyFunnel.key(
                    day: LogDate(dayNumber: Int(day)), platform: random.pick(Platform.allCases), delivery: delivery,
                    outcome: outcome))
            let offset = random.pick([-12_600, 0, 7200] as [Int32])
            tables.hourly.table.add(
                EventCounts(events: random.pick([0, 1, 70_000]), duplicates: random.pick([0, 1])),
                at: PackedKey(
                    number: day * 24 + random.pick([0, 23]), rest: UInt32(bitPattern: offset),
                    source: random.pick([0, 1]),
                    platform: random.pick(Platform.allCases), action: random.pick([0, 1])))
        }
        return LogDateRows(tables)
    }

    /// The same rows, from their numbers.
    private func read(_ rows: LogDateRows, _ names: EventNames) throws -> LogDateRows {
        var read = LogDateRows()
        for row in rows.actions.map(\.ofDay) { try read.addAction(InlineArray { row[$0] }, names: names) }
        for row in rows.hours.map(\.ofHour) { try read.addHour(InlineArray { row[$0] }, names: names) }
        for row in rows.funnel {
            try read.addFunnel(
                day: Int64(row.day.dayNumber), delivery: Int64(row.delivery), platform: Int64(row.platform.rawValue),
                counts: row.counts,
                names: names)
        }
        for row in rows.paths {
            try read.addPath(
                day: Int64(row.day.dayNumber), platform: Int64(row.platform.rawValue), path: row.stages,
                messages: Int64(row.messages))
        }
        return read
    }

    @Test func rowsOfNumbersAreTheSameRows() throws {
        let rows = rows()
        let read = try read(rows, names)
        #expect(rows.actions == read.actions)
        #expect(rows.hours == read.hours)
        #expect(rows.funnel.map(\.counts) == read.funnel.map(\.counts))
        #expect(rows.paths.map(\.stages) == read.paths.map(\.stages))
        #expect(rows.paths.map(\.messages) == read.paths.map(\.messages))
    }

    @Test func rowsAreSortedAlsoBefore1970() {
        func key(_ row: ActionCounts.Row) -> [Int] {
            [row.day.dayNumber, Int(row.delivery), Int(row.platform.rawValue), Int(row.source), Int(row.action)]
        }
        let rows = rows()
        let actions = rows.actions.map(key)
        #expect(actions.contains { $0[0] < 0 })
        #expect(zip(actions, actions.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        let hours = rows.hours.map(\.hour.number)
        #expect(hours == hours.sorted())
    }

    @Test func numbersBeyondTheLimitsAreAnError() {
        let fewer = EventNames(sources: ["a"], actions: ["click"], deliveries: ["d"])
        let counted = rows()
        #expect(throws: UnknownNumber.self) { try read(counted, fewer) }
        var rows = LogDateRows()
        for numbers: InlineArray<7, Int64> in [
            [.max, 0, 0, 0, 0, 1, 0], [0, -1, 0, 0, 0, 1, 0], [0, 0, 2, 0, 0, 1, 0], [0, 0, 0, 9, 0, 1, 0],
            [0, 0, 0, 0, 99, 1, 0], [0, 0, 0, 0, 0, -1, 0],
        ] {
            #expect(throws: UnknownNumber.self) { try rows.addAction(numbers, names: names) }
        }
        #expect(throws: UnknownNumber.self) { try rows.addHour([.max, 0, 0, 0, 0, 1, 0], names: names) }
        #expect(throws: UnknownNumber.self) { try rows.addPath(day: 0, platform: 99, path: [], messages: 1) }
        #expect(throws: UnknownNumber.self) { try rows.addPath(day: 0, platform: 0, path: [], messages: -1) }
    }
}
