import Events
import Foundation
import SQLite
import Testing

@testable import Partitions

/// The table `changes`: what each publishing changed in the sums of the days.
@Suite struct ChangesTests {
    private let rows =
        "SELECT dense_rank() OVER (ORDER BY number), log_dates, day, events_before, events_after, messages_before, messages_after, opened_before, opened_after FROM changes"

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
            try scene.rows("SELECT * FROM changes WHERE abs(number - strftime('%s', 'now')) > 60")
                .isEmpty)
        try FileManager.default.removeItem(atPath: scene.folder.partitionPath(day("2026-11-19")))
        try scene.publish()
        #expect(try scene.rows(rows).last == "3||2026-11-19|4|1|2|1|2|1")
    }

    @Test(arguments: [
        "UPDATE daily_actions SET events = 7; UPDATE days SET messages = 9", "DELETE FROM daily_funnel",
        "DROP TABLE daily_totals", "DELETE FROM _facts", "DROP TABLE calendar",
    ])
    func tablesThatAreMadeAnewWithALoadAddWhatTheLoadChanged(_ sql: String) throws {
        let scene = try scene()
        try Database(scene.folder.databasePath).execute(sql)
        try scene.load(Load(logDate: day("2026-11-21"), hits: [hit(9, "open", "2026-11-20 23:00:00")]))
        #expect(try scene.publish().repair != nil)
        #expect(try scene.rows(rows).contains { $0.hasPrefix("3|2026-11-21|2026-11-20|") })
    }
}
