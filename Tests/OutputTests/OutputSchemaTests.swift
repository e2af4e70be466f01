import Foundation
import Output
import Partitions
import SQLite
import Testing

@Suite struct OutputSchemaTests {
    private func published() throws -> Scene {
        let scene = try Scene()
        let date = day("2026-11-19")
        let hits = [
            Hit(id: 1, time: time("2026-11-19 07:00:00"), action: "impression", records: 2),
            Hit(id: 1, time: time("2026-11-19 07:00:05"), action: "click"),
            Hit(id: 2, time: time("2026-11-18 23:59:59") + 999, delivery: "d2", action: "open", platform: .android),
        ]
        try scene.load(Load(logDate: date, hits: hits, version: "v"))
        try scene.publish()
        return scene
    }

    @Test func columnsHelpDescribesEveryColumnOfEveryTableItselfIncluded() throws {
        let scene = try published()
        let columns = try scene.rows(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name <> 'sqlite_stat1' AND t.name NOT GLOB '[_]*' ORDER BY 1, 2"
        )
        #expect(try scene.rows("SELECT table_name, column_name FROM columns_help ORDER BY 1, 2") == columns)
        #expect(try scene.rows("SELECT * FROM columns_help WHERE length(description) < 10").isEmpty)
        #expect(
            try scene.rows("SELECT DISTINCT kind FROM columns_help ORDER BY 1") == [
                "additive", "dimension", "fact", "rate", "time",
            ])
        #expect(try scene.rows("SELECT * FROM columns_help WHERE (formula IS NULL) = (kind = 'rate')").isEmpty)
        #expect(try scene.rows("SELECT * FROM columns_help WHERE kind = 'additive' AND unit IS NULL").isEmpty)
        let formula = try scene.rows("SELECT formula FROM columns_help WHERE column_name = 'opened_of_impressed'")
        #expect(try scene.rows("SELECT \(formula[0]) FROM daily_totals WHERE day = '2026-11-19'") == ["0.0"])
    }

    @Test func anotherVersionOfTheProgramAloneChangesNothing() throws {
        let scene = try published()
        var settings = scene.settings()
        settings.programVersion = "2"
        #expect(try !scene.publish(settings).isChanged)
        #expect(try scene.rows("SELECT value FROM about WHERE key = 'version'") == ["1"])
        settings.windowDays = 29
        #expect(try scene.publish(settings).isChanged)
        #expect(try scene.rows("SELECT value FROM about WHERE key = 'version'") == ["2"])
    }

    @Test func runsSurvivePublishingAndEqualRunsAreBothStored() throws {
        let scene = try published()
        let run = RunRecord(
            startedAt: time("2026-11-20 04:00:00"), finishedAt: time("2026-11-20 04:00:02"), command: "run",
            logDates: "2026-11-19", exitCode: 65, records: 7, seconds: 2, version: "1.0")
        let load = LoadRecord(
            logDate: day("2026-11-19"), startedAt: run.startedAt, finishedAt: run.finishedAt, verdict: .held,
            detail: "why", warnings: LoadWarnings(), files: 1, records: 7, accepted: 4, filtered: 2, rejected: 1,
            events: nil,
            duplicates: nil)
        for _ in 0..<2 {
            try scene.publish(PublishRequest(settings: scene.settings(), loads: [load]))
            try scene.output.add(run, in: scene.locked)
        }
        let last = PublishRequest(settings: scene.settings(window: 3), loads: [load]) { written in
            #expect(written.isChanged)
            return Conclusion(run: run)
        }
        try scene.publish(last)
        let rows = try scene.rows("SELECT started_at, finished_at, exit_code, round(seconds, 6) FROM runs")
        #expect(rows == Array(repeating: "2026-11-20 04:00:00|2026-11-20 04:00:02|65|2.0", count: 3))
        // Two of the same second are told apart by it.
        #expect(
            try scene.rows("SELECT * FROM loads")
                == (2...4).map {
                    "2026-11-19|2026-11-20 04:00:00|2026-11-20 04:00:0\($0)|held|why|1|7|4|2|1|NULL|NULL"
                })
    }
}
