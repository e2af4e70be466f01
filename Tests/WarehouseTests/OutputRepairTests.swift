import Events
import Foundation
import SQLite
import Support
import Testing
import Warehouse

import struct Reference.SplitMix64

@Suite struct OutputRepairTests {
    private func scene(_ random: inout SplitMix64) throws -> Scene {
        let scene = try Scene()
        for load in random.loads() { try scene.load(load) }
        try scene.publish()
        return scene
    }

    private func flip(_ path: String, _ random: inout SplitMix64) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test(arguments: 0..<(Long.isOn ? 100 : 30))
    func aByteChangedAnywhereIsRepairedAndReported(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 7000))
        let scene = try scene(&random)
        let before = try scene.dump()
        try flip(scene.folder.databasePath, &random)
        let seen = try? scene.dump()
        // Some are followed by a new date.
        let load = seed % 10 < 3 ? Load(logDate: day("2026-12-24"), hits: [Hit(id: 1, time: 0)]) : nil
        if let load { try scene.load(load) }
        let publication = try scene.publish()
        #expect(publication.faults != nil || seen == before)
        #expect(try scene.rows("PRAGMA integrity_check") == ["ok"])
        #expect(try scene.publish().faults == nil)
        guard load != nil else {
            #expect(try scene.dump() == before)
            return
        }
        let dump = try scene.dump()
        try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        try scene.publish()
        #expect(try scene.dump() == dump)
    }

    /// Programs between two releases have one version of the schema, and may have other columns.
    @Test func theColumnsOfAnEarlierProgramOfTheSameSchemaAreBroughtUp() throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 10:00:00"))]))
        try scene.publish()
        let before = try scene.dump()
        try Connection(path: scene.folder.databasePath).inDatabase {
            try $0.execute(
                sql: "ALTER TABLE daily_funnel RENAME COLUMN opened_of_messages TO open_rate; "
                    + "ALTER TABLE days DROP COLUMN log_date_status")
        }
        let kept = String(decoding: try #require(scene.folder.cached("push.digests")), as: UTF8.self)
        scene.folder.cache(
            Array(kept.replacing(/"columns":[0-9]+/, with: "\"columns\":1").utf8), as: "push.digests", durably: true)
        let publication = try scene.publish()
        #expect(publication.faults == nil)
        #expect(publication.rebuild?.earlierSchema == 5)
        #expect(publication.rebuild?.foreign.leftOut.isEmpty == true)
        #expect(try scene.dump() == before)
        #expect(try scene.publish().rebuild == nil)
    }

    @Test func eachTableThatHasOtherRowsIsNamedWithItsDates() throws {
        let scene = try Scene()
        for offset in 0..<3 as Range<Int32> {
            let date = day("2026-11-19") + offset
            try scene.load(
                Load(
                    logDate: date, hits: [Hit(id: UInt64(offset), time: Int64(date) * 86_400_000)],
                    outcomes: [OutcomeCount(source: "adobe", outcome: .accepted, reason: "", records: 1)]))
        }
        try scene.publish()
        let before = try scene.dump()
        try Connection(path: scene.folder.databasePath).inDatabase {
            try $0.execute(
                sql: """
                    UPDATE daily_actions SET duplicates = 1 WHERE day <> '2026-11-20';
                    DELETE FROM outcomes WHERE log_date = '2026-11-20'; DELETE FROM publication
                    """)
        }
        let faults = try #require(try scene.publish().faults)
        #expect(
            faults.differences == [
                .otherRows(table: "daily_actions", dates: ["2026-11-19", "2026-11-21"]),
                .otherRows(table: "outcomes", dates: ["2026-11-20"]), .otherRows(table: "publication", dates: []),
            ])
        #expect(try scene.dump() == before)
    }

    @Test(
        arguments: [true, false])
    func whatIsNotPublishedYetIsNoFault(isKept: Bool) throws {
        let scene = try Scene()
        let date = day("2026-11-19")
        try scene.load(Load(logDate: date, hits: [Hit(id: 1, time: Int64(date) * 86_400_000)]))
        try scene.publish()
        try scene.load(Load(logDate: date + 1, hits: [Hit(id: 1, time: Int64(date) * 86_400_000 - 1)]))
        if !isKept { try FileManager.default.removeItem(atPath: scene.folder.cachePath) }
        utimes(scene.folder.databasePath, nil)
        let publication = try scene.publish()
        #expect(publication.changed)
        #expect(publication.faults == nil)
    }
}
