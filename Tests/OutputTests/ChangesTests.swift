import Events
import Foundation
import SQLite
import Testing

@testable import Partitions

/// The table `changes`: what each publishing changed in the sums of the days.
@Suite struct ChangesTests {
    private let all = "SELECT * FROM changes"
    private let rows =
        "SELECT number, log_dates, day, events_before, events_after, messages_before, messages_after, opened_before, opened_after FROM changes"

    private func hit(_ id: UInt64, _ action: String, _ time: String) -> Hit {
        Hit(id: id, time: OutputTests.time(time), action: action)
    }

    /// Two log dates. An event of the second belongs to the day of the first.
    private func scene() throws -> Scene {
        let scene = try Scene()
        try scene.load(
            Load(
                logDate: day("2026-11-19"),
                hits: [
                    hit(1, "impression", "2026-11-19 10:00:00"), hit(1, "open", "2026-11-19 10:00:01"),
                    hit(2, "impression", "2026-11-19 10:00:02"),
                ]))
        // A command has just loaded it.
        var resources = PublishingResources()
        resources.justWritten = [day("2026-11-19")]
        try scene.publish(resources: resources)
        try scene.load(
            Load(
                logDate: day("2026-11-20"),
                hits: [hit(2, "open", "2026-11-19 23:00:00"), hit(3, "impression", "2026-11-20 10:00:00")]))
        try scene.publish()
        return scene
    }

    private let ofTwoDates = [
        "1|2026-11-19|2026-11-19|0|3|0|2|0|1", "2|2026-11-20|2026-11-19|3|4|2|2|1|2",
        "2|2026-11-20|2026-11-20|0|1|0|1|0|0",
    ]

    @Test func aPartitionThatIsGoneIsNamedNowhere() throws {
        let scene = try scene()
        #expect(try scene.rows(rows) == ofTwoDates)
        #expect(
            try scene.rows("SELECT * FROM changes WHERE abs(strftime('%s', published_at) - strftime('%s', 'now')) > 60")
                .isEmpty)
        try FileManager.default.removeItem(atPath: scene.folder.partitionPath(day("2026-11-19")))
        try scene.publish()
        #expect(try scene.rows(rows).last == "3||2026-11-19|4|1|2|1|2|1")
    }

    @Test(arguments: [
        "UPDATE daily_actions SET events = 7; UPDATE days SET messages = 9", "DELETE FROM daily_funnel",
        "DROP TABLE daily_totals", "DELETE FROM publication", "DROP TABLE publication",
        "UPDATE publication SET version = 'x'",
    ])
    func aRebuildWithALoadAddsWhatTheLoadChanged(_ sql: String) throws {
        let scene = try scene()
        try Database(scene.folder.databasePath).execute(sql)
        try scene.load(Load(logDate: day("2026-11-21"), hits: [hit(9, "open", "2026-11-20 23:00:00")]))
        #expect(try scene.publish().repair != nil)
        #expect(try scene.rows(rows) == ofTwoDates + ["3|2026-11-21|2026-11-20|1|2|1|2|0|1"])
    }

    /// A copy of an output has other stamps, so that its ledger is made anew.
    @Test func aCopyWithoutPushAddsNone() throws {
        let scene = try scene()
        let before = try scene.rows(all)
        try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        let partitions = scene.folder.partitionsPath
        try FileManager.default.moveItem(atPath: partitions, toPath: partitions + ".former")
        try FileManager.default.copyItem(atPath: partitions + ".former", toPath: partitions)
        try scene.publish()
        #expect(try scene.rows(all) == before)
    }

    /// The ledger tells what was published.
    @Test func aFileThatIsGoneOrCannotBeReadAddsNoneAndKeepsAll() throws {
        let scene = try scene()
        try Data("x".utf8).write(to: URL(fileURLWithPath: scene.folder.databasePath))
        try scene.publish()
        #expect(try scene.rows(rows) == ofTwoDates)
        try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        try scene.publish()
        #expect(try scene.rows(rows) == ofTwoDates)
    }

    /// Whoever has taken over what was published takes all once more.
    @Test func withoutALedgerAndAPushDBAllIsNewAndTheNumberIsTheTime() throws {
        let scene = try scene()
        for path in [scene.folder.databasePath, scene.folder.cachePath, scene.ledger] {
            try FileManager.default.removeItem(atPath: path)
        }
        try scene.publish()
        #expect(
            try scene.rows(rows.replacing("number", with: "number > 1700000000")) == [
                "1|2026-11-19 2026-11-20|2026-11-19|0|4|0|2|0|2", "1|2026-11-19 2026-11-20|2026-11-20|0|1|0|1|0|0",
            ])
    }

    @Test func aNumberThatNoOtherFollowsDoesNotEndTheCounting() throws {
        let scene = try scene()
        try Database(scene.folder.databasePath).execute(
            "UPDATE changes SET number = 9223372036854775807 WHERE number = 2")
        try FileManager.default.removeItem(atPath: scene.ledger)
        try scene.load(Load(logDate: day("2026-11-21"), hits: [hit(9, "open", "2026-11-21 10:00:00")]))
        try scene.publish()
        #expect(try scene.rows("SELECT DISTINCT number FROM changes") == ["1", "2", "9223372036854775807"])
    }
}
