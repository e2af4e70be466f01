import Calendar
import Events
import Foundation
import Testing

import struct Reference.SplitMix64

@testable import Counting

@Suite struct CodingTests {
    private let names = EventNames(
        sources: ["a", "b"], actions: ["click", "open"], deliveries: (0..<300).map { "d\($0)" })

    @Test func rowsOfNumbersReadAsTheyWereWritten() throws {
        let rows: [InlineArray<3, Int64>] = [[20_411, 7, .max], [20_414, 300, .min], [-5, 7, 0]]
        let read = try NumberColumns<3>.rows(in: NumberColumns.bytes(of: rows).span)
        func numbers(_ row: InlineArray<3, Int64>) -> [Int64] { row.indices.map { row[$0] } }
        #expect(read.map(numbers) == rows.map(numbers))
        // What is written at the top of the file.
        let example = NumberColumns<2>.bytes(of: [[20_411, 7], [20_414, 300]])
        #expect(Array(example[26...]) == [0, 3, 0, 0, 0x25, 1] + Array(repeating: 0, count: 8))
    }

    @Test func noRowsAreRowsToo() throws {
        let funnel = DailyFunnel()
        #expect(try DailyFunnel(bytes: funnel.bytes.span, names: names).rows().isEmpty)
    }

    private func figures() -> DailyTables {
        var tables = DailyTables()
        var random = SplitMix64(seed: UInt64(7))
        for _ in 0..<500 {
            let day = Int32.random(in: random.chance(20) ? -9...0 : 0...20_500, using: &random)
            let delivery = random.pick([0, 5, 299] as [UInt32])
            let actions = PackedKey(
                day, delivery, random.pick([0, 1]), random.pick(Platform.allCases), random.pick([0, 1]))
            tables.daily.table.add(
                EventCounts(events: random.pick([0, 1, 70_000]), duplicates: random.pick([0, 1, 70_000])), at: actions)
            let outcome = MessageOutcome(rawValue: random.pick([0, 3, 0x1F, 0xDB]))
            tables.funnel.merge(
                random.pick([1, 900]),
                at: DailyFunnel.key(day, random.pick(Platform.allCases), delivery, outcome))
            let offset = random.pick([-12_600, 0, 7200] as [Int32])
            tables.hourly.table.add(
                EventCounts(events: random.pick([0, 1, 70_000]), duplicates: random.pick([0, 1])),
                at: PackedKey(
                    day * 24 + random.pick([0, 23]), UInt32(bitPattern: offset), random.pick([0, 1]),
                    random.pick(Platform.allCases), random.pick([0, 1])))
        }
        return tables
    }

    @Test func figuresReadAsTheyWereWritten() throws {
        let tables = figures()
        let (daily, funnel, hourly) = (tables.daily, tables.funnel, tables.hourly)
        var read = ActionCounts(by: .day)
        for row in daily.rows() { try read.add(daily.numbers(of: row), names) }
        #expect(read.rows() == daily.rows())
        #expect(try DailyFunnel(bytes: funnel.bytes.span, names: names).rows() == funnel.rows())
        #expect(
            try ActionCounts(by: .hour, bytes: hourly.bytes.span, names: names).rows()
                == hourly.rows())
    }

    @Test func rowsAreSortedAlsoBefore1970() {
        func key(_ row: ActionCounts.Row) -> [Int] {
            [Int(row.day), Int(row.delivery), Int(row.platform.rawValue), Int(row.source), Int(row.action)]
        }
        let tables = figures()
        let rows = tables.daily.rows().map(key)
        #expect(rows.contains { $0[0] < 0 })
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
        let hours = tables.hourly.rows().map(\.hour.number)
        #expect(hours == hours.sorted())
    }

    /// A hash stands before these bytes, so that this only must not trap.
    @Test(arguments: 0..<40)
    func damagedBytesAreAnErrorOrOtherFigures(seed: Int) {
        let tables = figures()
        var random = SplitMix64(seed: UInt64(seed))
        for bytes in [tables.funnel.bytes, tables.hourly.bytes] {
            for _ in 0..<50 {
                var damaged =
                    random.chance(30) ? Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))) : bytes
                let limit = random.chance(50) ? min(90, damaged.count) : damaged.count
                if limit > 0 {
                    let place = Int.random(in: 0..<limit, using: &random)
                    damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
                _ = try? DailyFunnel(bytes: damaged.span, names: names)
                _ = try? ActionCounts(by: .hour, bytes: damaged.span, names: names)
            }
        }
    }

    @Test func numbersBeyondTheLimitsAreAnError() {
        let tables = figures()
        let less = EventNames(sources: ["a", "b"], actions: ["click", "open"], deliveries: ["d"])
        #expect(throws: NumberColumnsError.self) {
            var read = ActionCounts(by: .day)
            for row in tables.daily.rows() { try read.add(tables.daily.numbers(of: row), less) }
        }
        #expect(throws: NumberColumnsError.self) { try DailyFunnel(bytes: tables.funnel.bytes.span, names: less) }
        let fewer = EventNames(sources: ["a"], actions: ["click"], deliveries: ["d"])
        #expect(throws: NumberColumnsError.self) {
            try ActionCounts(by: .hour, bytes: tables.hourly.bytes.span, names: fewer)
        }
    }
}
