import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct RunTests {
    @Test func loadingTheSampleLogsAgainChangesNoFigure() throws {
        let place = try Workplace.withSamples()
        for date in ["2026-11-17", "2026-11-18", "2026-11-19"] {
            let outcome = try place.run("run", "--date", date)
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            #expect(outcome.stdout.contains("\(date)  complete  "))
        }
        let before = try place.dump("warehouse/push.db")
        #expect(
            try place.rows("SELECT count(*) FROM partitions WHERE status = 'complete'", "warehouse/push.db") == ["3"])
        // In another order, with one thread and little memory. Nothing counts twice.
        for date in ["2026-11-19", "2026-11-17", "2026-11-18"] {
            #expect(try place.run("run", "--date", date, "--jobs", "1", "--memory", "16M").exit == 0)
        }
        #expect(try place.dump("warehouse/push.db") == before)
    }

    @Test func theSampleLogsHaveEveryFilterAndEveryReject() throws {
        let place = try Workplace.withSamples()
        var reasons: Set<String> = []
        for (pipeline, output) in [
            ("push", "warehouse"), ("campaign-classic", "warehouse-classic"), ("nginx-request-body", "warehouse-nginx"),
            ("json-access-log", "warehouse-json"),
        ] {
            for date in pipeline == "push" ? ["2026-11-17", "2026-11-18", "2026-11-19"] : ["2026-11-19"] {
                let outcome = try place.run("run", "--date", date, "--pipeline", "Pipelines/\(pipeline).yaml")
                #expect(outcome.exit == 0, "\(pipeline): \(outcome.stderr)")
            }
            reasons.formUnion(
                try place.rows("SELECT DISTINCT reason FROM outcomes WHERE reason <> ''", "\(output)/push.db"))
        }
        #expect(
            reasons == [
                "not_tracking", "link", "not_push", "tracking_disabled", "http_error", "not_an_event",
                "unmapped_action",
                "tracking_off", "line_too_long", "malformed_line", "malformed_id", "empty_id", "unknown_action",
                "bad_time",
                "no_body", "not_json", "bad_json", "not_users_track", "missing_action", "bad_tracking", "missing_id",
            ])
    }

    @Test func anActionCountsOnceHoweverOftenItIsLogged() throws {
        let place = try Workplace.withHits(
            ["h1685a5,d57fd6,7", "h1685A5,D57FD6,7", "h00001685a5,d57fd6,2", "h1685a5,d57fd6,2", "h1685a5,d57fd6,1"]
                .map { Workplace.hit($0) })
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "")
        #expect(
            try place.rows("SELECT day, source, platform, delivery_id, action, events, duplicates FROM daily_actions")
                == [
                    "2026-11-19|adobe|unknown|d57fd6|click|1|1", "2026-11-19|adobe|unknown|d57fd6|impression|1|1",
                    "2026-11-19|adobe|unknown|d57fd6|open|1|0",
                ])
        #expect(
            try place.rows(
                "SELECT messages, impressed, clicked, opened, dismissed, clicked_of_messages, opened_of_messages FROM daily_funnel"
            ) == [
                "1|1|1|1|0|1.0|1.0"
            ])
    }

    @Test func runCanPrintOneJSONObject() throws {
        let place = try Workplace.withHits([
            Workplace.hit("h1,d,7"), Workplace.hit("h1,d,7"), "junk", Workplace.hit("x"),
        ])
        let outcome = try place.run("run", "--date", "2026-11-19", "--json")
        #expect(outcome.exit == 65)
        let dates = try outcome.logDates()
        let date = try #require(dates.first)
        #expect(date["verdict"] as? String == "held_back")
        #expect(date["records"] as? Int == 4)
        #expect(date["rejected"] as? Int == 2)
        let outcomes = try #require(date["outcomes"] as? [[String: Any]])
        #expect(outcomes.map { $0["reason"] as? String } == ["", "malformed_line", "malformed_id"])
        #expect(outcomes.map { $0["first_line"] as? Int } == [nil, 3, 4])
    }

    @Test func quietPrintsNothing() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run("run", "--date", "2026-11-19", "--quiet")
        #expect(outcome.stdout + outcome.stderr == "")
    }

    @Test func aRunLeavesOnlyDatabasesThatNeedNoJournal() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.scratch.names("out") == ["partitions", "push.db"])
        #expect(try place.scratch.names("out/partitions") == [".kept", "2026-11-19.sqlite"])
        #expect(try place.rows("PRAGMA journal_mode") == ["delete"])
    }

    @Test func everyColumnOfEveryTableIsExplained() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let columns = try place.rows(
            """
            SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table' AND m.name <> 'sqlite_stat1' ORDER BY 1, 2
            """
        )
        #expect(try place.rows("SELECT table_name, column_name FROM columns_help ORDER BY 1, 2") == columns)
        #expect(try place.rows("SELECT count(*) FROM columns_help WHERE length(description) < 10") == ["0"])
    }

    @Test func aSecondEqualRunWritesNothing() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        place.settle()
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = place.outputBytes()
        let second = try place.run("run", "--date", "2026-11-19")
        #expect(second.exit == 0)
        #expect(second.stdout.contains("2026-11-19  complete, nothing new  1 file, "))
        #expect(second.stdout.contains("  records     1\n"))
        #expect(second.stdout.contains("out/push.db was up to date, "))
        #expect(place.outputBytes() == before)
        #expect(
            try place.rows("SELECT command, log_dates, exit_code, records FROM runs")
                == ["run --date 2026-11-19|2026-11-19|0|1"])
    }
}
