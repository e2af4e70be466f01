import Foundation
import Ledger
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
        let file = LoadedFile(
            source: "adobe", path: "logs/a.gz", bytes: 12, fingerprint: "f", status: .truncated, records: 7,
            accepted: 4, filtered: 2, rejected: 1)
        let outcomes = [
            OutcomeCount(source: "adobe", outcome: .accepted, reason: "", records: 4),
            OutcomeCount(source: "adobe", outcome: .filtered, reason: "link", records: 2),
            OutcomeCount(source: "adobe", outcome: .rejected, reason: "bad_time", records: 1),
        ]
        try scene.load(
            Load(logDate: date, hits: hits, status: .partial, version: "v", files: [file], outcomes: outcomes))
        try scene.publish()
        return scene
    }

    @Test(
        arguments: [
            (
                "daily_actions",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, source TEXT!4, platform TEXT!3, delivery_id TEXT!2, action TEXT!5, events INTEGER!, duplicates INTEGER!"
            ),
            (
                "daily_funnel",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, platform TEXT!3, delivery_id TEXT!2, messages INTEGER!, arrived INTEGER!, impressed INTEGER!, clicked INTEGER!, opened INTEGER!, dismissed INTEGER!, opened_without_click INTEGER!, opened_without_impression INTEGER!, opened_impressed INTEGER!, opened_seen INTEGER!, arrived_unseen INTEGER!, opened_10s INTEGER!, opened_1m INTEGER!, opened_5m INTEGER!, opened_15m INTEGER!, opened_30m INTEGER!, opened_1h INTEGER!, opened_2h INTEGER!, opened_6h INTEGER!, opened_12h INTEGER!, opened_24h INTEGER!, opened_72h INTEGER!, opened_7d INTEGER!, clicked_of_messages REAL, opened_of_messages REAL, dismissed_of_messages REAL, opened_of_impressed REAL"
            ),
            (
                "daily_totals",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, platform TEXT!2, events INTEGER!, duplicates INTEGER!, messages INTEGER!, arrived INTEGER!, impressed INTEGER!, clicked INTEGER!, opened INTEGER!, dismissed INTEGER!, opened_without_click INTEGER!, opened_without_impression INTEGER!, opened_impressed INTEGER!, opened_seen INTEGER!, arrived_unseen INTEGER!, opened_10s INTEGER!, opened_1m INTEGER!, opened_5m INTEGER!, opened_15m INTEGER!, opened_30m INTEGER!, opened_1h INTEGER!, opened_2h INTEGER!, opened_6h INTEGER!, opened_12h INTEGER!, opened_24h INTEGER!, opened_72h INTEGER!, opened_7d INTEGER!"
            ),
            (
                "hourly_actions",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, hour INTEGER!2, hour_epoch INTEGER!3, hour_start DATETIME!, source TEXT!4, platform TEXT!5, action TEXT!6, events INTEGER!, duplicates INTEGER!"
            ),
            (
                "daily_lateness",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, log_date DATE!2, days_late INTEGER!, source TEXT!3, events INTEGER!, duplicates INTEGER!"
            ),
            (
                "daily_paths",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, platform TEXT!2, has_arrival INTEGER!3, has_impression INTEGER!4, has_click INTEGER!5, has_open INTEGER!6, messages INTEGER!"
            ),
            (
                "days",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, log_date_status TEXT, events INTEGER!, messages INTEGER!, later_log_dates INTEGER!, final INTEGER!"
            ),
            (
                "calendar",
                "day DATE!1, day_start DATETIME!, day_epoch INTEGER!, log_date_status TEXT, year INTEGER!, month TEXT!, iso_week TEXT!, week_start DATE!, weekday INTEGER!, is_weekend INTEGER!"
            ),
            (
                "deliveries",
                "delivery_id TEXT!1, label TEXT, campaign TEXT, variant TEXT, sent_at DATETIME, in_file INTEGER!, first_day DATE, last_day DATE"
            ),
            (
                "delivery_results",
                "delivery_id TEXT!1, label TEXT, campaign TEXT, variant TEXT, sent_at DATETIME, sent_day DATE, first_day DATE, last_day DATE, sent INTEGER, delivered INTEGER, messages INTEGER!, arrived INTEGER!, impressed INTEGER!, clicked INTEGER!, opened INTEGER!, dismissed INTEGER!, opened_without_click INTEGER!, opened_without_impression INTEGER!, opened_impressed INTEGER!, opened_seen INTEGER!, arrived_unseen INTEGER!, opened_10s INTEGER!, opened_1m INTEGER!, opened_5m INTEGER!, opened_15m INTEGER!, opened_30m INTEGER!, opened_1h INTEGER!, opened_2h INTEGER!, opened_6h INTEGER!, opened_12h INTEGER!, opened_24h INTEGER!, opened_72h INTEGER!, opened_7d INTEGER!, arrived_of_sent REAL, impressed_of_sent REAL, clicked_of_sent REAL, opened_of_sent REAL"
            ),
            (
                "delivery_platforms",
                "delivery_id TEXT!1, platform TEXT!2, sent INTEGER, delivered INTEGER, messages INTEGER!, arrived INTEGER!, impressed INTEGER!, clicked INTEGER!, opened INTEGER!, dismissed INTEGER!, opened_without_click INTEGER!, opened_without_impression INTEGER!, opened_impressed INTEGER!, opened_seen INTEGER!, arrived_unseen INTEGER!, opened_10s INTEGER!, opened_1m INTEGER!, opened_5m INTEGER!, opened_15m INTEGER!, opened_30m INTEGER!, opened_1h INTEGER!, opened_2h INTEGER!, opened_6h INTEGER!, opened_12h INTEGER!, opened_24h INTEGER!, opened_72h INTEGER!, opened_7d INTEGER!, arrived_of_sent REAL, impressed_of_sent REAL, clicked_of_sent REAL, opened_of_sent REAL"
            ),
            ("about", "key TEXT!1, value TEXT"),
            (
                "partitions",
                "log_date DATE!1, status TEXT!, files INTEGER!, records INTEGER!, accepted INTEGER!, filtered INTEGER!, rejected INTEGER!, events INTEGER!, duplicates INTEGER!, clock_fallback INTEGER!, warnings TEXT, pipeline TEXT!"
            ),
            (
                "files",
                "log_date DATE!1, source TEXT!2, path TEXT!3, bytes INTEGER!, fingerprint TEXT!, status TEXT!, records INTEGER!, accepted INTEGER!, filtered INTEGER!, rejected INTEGER!"
            ),
            ("outcomes", "log_date DATE!1, source TEXT!2, outcome TEXT!3, reason TEXT!4, records INTEGER!"),
            (
                "runs",
                "started_at DATETIME!1, finished_at DATETIME!2, command TEXT!3, log_dates TEXT!4, exit_code INTEGER!, records INTEGER!, seconds REAL!5, version TEXT!"
            ),
            (
                "changes",
                "number INTEGER!1, published_at DATETIME!, log_dates TEXT!, day DATE!2, events_before INTEGER!, events_after INTEGER!, messages_before INTEGER!, messages_after INTEGER!, opened_before INTEGER!, opened_after INTEGER!"
            ),
            (
                "loads",
                "log_date DATE!1, started_at DATETIME!2, finished_at DATETIME!3, verdict TEXT!, detail TEXT, files INTEGER!, records INTEGER!, accepted INTEGER!, filtered INTEGER!, rejected INTEGER!, events INTEGER, duplicates INTEGER"
            ),
            (
                "columns_help",
                "table_name TEXT!1, column_name TEXT!2, description TEXT!, kind TEXT!, unit TEXT, formula TEXT"
            ),
            ("publication", "item TEXT!1, version TEXT!"),
        ])
    func columnsAreThoseOfTheDocumentation(table: String, expected: String) throws {
        let scene = try published()
        let columns = try scene.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')").map {
            let parts = $0.split(separator: "|")
            return "\(parts[0]) \(parts[1])\(parts[2] == "1" ? "!" : "")\(parts[3] == "0" ? "" : parts[3])"
        }
        #expect(columns.joined(separator: ", ") == expected)
    }

    @Test func rowsHaveTheDeclaredTypesAndValues() throws {
        let scene = try published()
        #expect(
            try scene.rows("SELECT * FROM daily_actions") == [
                "2026-11-18|2026-11-18 00:00:00|1794960000|adobe|android|d2|open|1|0",
                "2026-11-19|2026-11-19 00:00:00|1795046400|adobe|ios|d1|click|1|0",
                "2026-11-19|2026-11-19 00:00:00|1795046400|adobe|ios|d1|impression|1|1",
            ])
        #expect(
            try scene.rows("SELECT * FROM daily_funnel") == [
                "2026-11-18|2026-11-18 00:00:00|1794960000|android|d2|1|0|0|0|1|0|1|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0.0|1.0|0.0|NULL",
                "2026-11-19|2026-11-19 00:00:00|1795046400|ios|d1|1|0|1|1|0|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|1.0|0.0|1.0|0.0",
            ])
        #expect(
            try scene.rows("SELECT * FROM deliveries") == [
                "d1|NULL|NULL|NULL|NULL|0|2026-11-19|2026-11-19", "d2|NULL|NULL|NULL|NULL|0|2026-11-18|2026-11-18",
            ])
        #expect(
            try scene.rows("SELECT * FROM delivery_results") == [
                "d1|NULL|NULL|NULL|NULL|NULL|2026-11-19|2026-11-19|NULL|NULL|1|0|1|1|0|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|NULL|NULL|NULL|NULL",
                "d2|NULL|NULL|NULL|NULL|NULL|2026-11-18|2026-11-18|NULL|NULL|1|0|0|0|1|0|1|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|NULL|NULL|NULL|NULL",
            ])
        #expect(
            try scene.rows("SELECT * FROM delivery_platforms") == [
                "d1|ios|NULL|NULL|1|0|1|1|0|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|NULL|NULL|NULL|NULL",
                "d2|android|NULL|NULL|1|0|0|0|1|0|1|1|0|0|0|0|0|0|0|0|0|0|0|0|0|0|0|NULL|NULL|NULL|NULL",
            ])
        #expect(try scene.rows("SELECT * FROM partitions") == ["2026-11-19|partial|1|7|4|2|1|3|1|0|NULL|p1"])
        #expect(try scene.rows("SELECT * FROM files") == ["2026-11-19|adobe|logs/a.gz|12|f|truncated|7|4|2|1"])
        #expect(
            try scene.rows("SELECT * FROM outcomes") == [
                "2026-11-19|adobe|accepted||4", "2026-11-19|adobe|filtered|link|2",
                "2026-11-19|adobe|rejected|bad_time|1",
            ])
        #expect(try scene.rows("SELECT DISTINCT typeof(day), typeof(events) FROM daily_actions") == ["text|integer"])
        #expect(try scene.rows("SELECT DISTINCT typeof(clicked_of_messages) FROM daily_funnel") == ["real"])
        #expect(try scene.output.days().map(\.messages) == [1, 1])
    }

    @Test func columnsHelpDescribesEveryColumnOfEveryTableItselfIncluded() throws {
        let scene = try published()
        let columns = try scene.rows(
            "SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name <> 'sqlite_stat1' ORDER BY 1, 2"
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
        #expect(try scene.rows("SELECT \(formula[0]) FROM daily_funnel") == ["0.0"])
    }

    @Test func theTablesOfTheWholeOutputHaveTheirRows() throws {
        let scene = try published()
        #expect(
            try scene.rows("SELECT * FROM about") == [
                "first_day|2026-11-18", "first_log_date|2026-11-19", "last_day|2026-11-19", "last_log_date|2026-11-19",
                "pipeline|", "schema_version|6", "timezone|UTC", "version|1", "window_days|30",
            ])
        #expect(
            try scene.rows(
                "SELECT day, log_date_status, year, month, iso_week, week_start, weekday, is_weekend FROM calendar")
                == [
                    "2026-11-18|NULL|2026|2026-11|2026-W47|2026-11-16|3|0",
                    "2026-11-19|partial|2026|2026-11|2026-W47|2026-11-16|4|0",
                ])
        #expect(
            try scene.rows("SELECT day, log_date_status, later_log_dates, final FROM days") == [
                "2026-11-18|NULL|1|0", "2026-11-19|partial|0|0",
            ])
        try FileManager.default.removeItem(atPath: scene.folder.partitionPath(day("2026-11-19")))
        try scene.publish()
        #expect(
            try scene.rows("SELECT * FROM about WHERE value IS NULL") == [
                "first_day|NULL", "first_log_date|NULL", "last_day|NULL", "last_log_date|NULL",
            ])
    }

    @Test func anotherVersionOfTheProgramAloneChangesNothing() throws {
        let scene = try published()
        var settings = scene.settings()
        settings.programVersion = "2"
        #expect(try !scene.publish(settings).changed)
        #expect(try scene.rows("SELECT value FROM about WHERE key = 'version'") == ["1"])
        // Without what is kept, push.db is compared with the partitions.
        try FileManager.default.removeItem(atPath: scene.folder.cachePath)
        let publication = try scene.publish(settings)
        #expect(!publication.changed)
        #expect(publication.repair == nil)
        settings.windowDays = 29
        #expect(try scene.publish(settings).changed)
        #expect(try scene.rows("SELECT value FROM about WHERE key = 'version'") == ["2"])
    }

    @Test func opensInAFolderWithoutWritePermissionWithNoFileBesideIt() throws {
        let scene = try published()
        let run = RunRecord(
            startedAt: 0, finishedAt: 1000, command: "run", logDates: "2026-11-19", exitCode: 0, records: 7,
            seconds: 0.5, version: "1")
        try scene.output.record(run, in: scene.held)
        #expect(try scene.names(in: scene.folder.path) == ["partitions", "push.db"])
        #expect(try scene.names(in: scene.folder.partitionsPath) == [".kept", "2026-11-19.sqlite", "ledger.sqlite"])
        for folder in [scene.folder.path, scene.folder.partitionsPath] {
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
        }
        defer {
            for folder in [scene.folder.path, scene.folder.partitionsPath] {
                try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            }
        }
        for (path, schema) in [(scene.folder.databasePath, "6"), (scene.folder.partitionPath(day("2026-11-19")), "6")] {
            #expect(try scene.rows("PRAGMA journal_mode", path: path) == ["delete"])
            #expect(try scene.rows("PRAGMA integrity_check", path: path) == ["ok"])
            #expect(try scene.rows("PRAGMA user_version", path: path) == [schema])
        }
        #expect(try scene.names(in: scene.folder.path) == ["partitions", "push.db"])
    }

    @Test func runsSurvivePublishingAndEqualRunsAreBothStored() throws {
        let scene = try published()
        let run = RunRecord(
            startedAt: time("2026-11-20 04:00:00"), finishedAt: time("2026-11-20 04:00:02"), command: "run",
            logDates: "2026-11-19", exitCode: 65, records: 7, seconds: 2, version: "1.0")
        let load = LoadRecord(
            logDate: day("2026-11-19"), startedAt: run.startedAt, finishedAt: run.finishedAt, verdict: .heldBack,
            detail: "why", warnings: nil, files: 1, records: 7, accepted: 4, filtered: 2, rejected: 1, events: nil,
            duplicates: nil)
        for _ in 0..<2 {
            try scene.output.note([load], in: scene.held)
            try scene.output.record(run, in: scene.held)
        }
        try scene.output.note([load], in: scene.held)
        _ = try scene.output.publish(
            scene.settings(window: 3), in: scene.held,
            recording: { changed, _ in
                #expect(changed)
                return run
            })
        let rows = try scene.rows("SELECT started_at, finished_at, exit_code, round(seconds, 6) FROM runs")
        #expect(rows == Array(repeating: "2026-11-20 04:00:00|2026-11-20 04:00:02|65|2.0", count: 3))
        // Two of the same second are told apart by it.
        #expect(
            try scene.rows("SELECT * FROM loads")
                == (2...4).map {
                    "2026-11-19|2026-11-20 04:00:00|2026-11-20 04:00:0\($0)|held_back|why|1|7|4|2|1|NULL|NULL"
                })
    }

    @Test func aDayIsFinalOnceALogDateMoreThanTheWindowAfterItIsLoaded() throws {
        let scene = try published()
        let settings = scene.settings(window: 3)
        try scene.load(Load(logDate: day("2026-11-22"), hits: []))
        try scene.publish(settings)
        #expect(try scene.rows("SELECT day, final FROM days") == ["2026-11-18|1", "2026-11-19|0"])
        try scene.load(Load(logDate: day("2026-11-23"), hits: []))
        try scene.publish(settings)
        #expect(try scene.output.days().map(\.isFinal) == [true, true])
    }

    @Test func aDatabaseThatAnotherToolHasInWALModeIsWaitedFor() throws {
        let scene = try published()
        nonisolated(unsafe) let other = try Database(scene.output.path)
        try other.execute("PRAGMA journal_mode = WAL; SELECT count(*) FROM days")
        #expect(throws: WarehouseError.busy(path: scene.output.path)) {
            try scene.output.publish(scene.settings(window: 3), in: scene.held)
        }
        let closing = Thread {
            usleep(200_000)
            other.close()
        }
        closing.start()
        _ = try OutputDatabase(scene.folder, busyTimeout: 30).publish(scene.settings(window: 3), in: scene.held)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).sorted() == [
                "partitions", "push.db",
            ])
    }
}
