import Foundation
import Support
import Testing

private let pipeline = Workplace.onePipeline + "deliveries:\n  files: deliveries/*.csv\n"

private let header = "delivery_id,label,campaign,variant,sent_at,in_file,first_day,last_day\r\n"

/// A log date in each of two months, and delivery names with all that CSV has quotes for.
private func loaded() throws -> Workplace {
    let place = try Workplace.withHits([Workplace.hit("h1,d1,7"), Workplace.hit("h2,d2,7")], pipeline: pipeline)
    try place.scratch.write(
        Workplace.hit("h3,d3,7").replacing("19/Nov", with: "02/Dec") + "\n", to: "logs/2026-12-02.log")
    try place.scratch.write(
        "delivery_id,label,campaign\nd1,\"a \"\"b\"\", c\",\"x\ny\"\nd2,=1+1,ünï\n", to: "deliveries/a.csv")
    for date in ["2026-11-19", "2026-12-02"] { #expect(try place.run("run", "--date", date).exit == 0) }
    return place
}

@Suite(.needsPushetl)
struct ExportTests {
    @Test func tablesWithADayHaveAFileAMonthAndTheOthersOne() throws {
        let place = try loaded()
        let outcome = try place.run("export", "csv", "--out", "x")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.hasPrefix("23 files written; "))
        #expect(
            try place.scratch.names("x") == [
                "about.csv", "calendar", "columns_help.csv", "daily_actions", "daily_funnel", "daily_lateness",
                "daily_paths", "daily_totals", "days", "deliveries.csv", "delivery_platforms.csv",
                "delivery_results.csv", "hourly_actions", "outcomes.csv", "partitions.csv",
            ])
        #expect(try place.scratch.names("x/daily_funnel") == ["2026-11.csv", "2026-12.csv"])
        #expect(
            try place.scratch.text("x/days/2026-12.csv")
                == "day,day_start,day_epoch,log_date_status,events,messages,later_log_dates,final\r\n2026-12-02,2026-12-02 00:00:00,1796169600,complete,1,1,0,0\r\n"
        )
    }

    @Test func valuesAreQuotedAsRFC4180HasIt() throws {
        let place = try loaded()
        #expect(try place.run("export", "csv", "--tables", "deliveries,outcomes", "--out", "x").exit == 0)
        #expect(
            try place.scratch.text("x/deliveries.csv") == header
                + "d1,\"a \"\"b\"\", c\",\"x\ny\",,,1,2026-11-19,2026-11-19\r\n"
                + "d2,=1+1,ünï,,,1,2026-11-19,2026-11-19\r\nd3,,,,,0,2026-12-02,2026-12-02\r\n")
        // The empty text is told apart from NULL.
        #expect(try place.scratch.text("x/outcomes.csv").contains("\r\n2026-11-19,adobe,accepted,\"\",2\r\n"))
    }

    @Test func forExcelNamesAreTextsAndAFileWhoseRowsDidNotChangeIsLeftAsItIs() throws {
        let place = try loaded()
        let plain = ["export", "csv", "--tables", "deliveries,daily_actions", "--out", "x"]
        #expect(try place.run(plain + ["--excel"]).exit == 0)
        let bytes = try #require(place.bytes("x/deliveries.csv"))
        #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
        let rows = """
            ~=~~d1~~~,~=~~a ~~~~b~~~~, c~~~,~=~~x\ny~~~,,,1,2026-11-19,2026-11-19\r
            ~=~~d2~~~,~=~~=1+1~~~,~=~~ünï~~~,,,1,2026-11-19,2026-11-19\r
            ~=~~d3~~~,,,,,0,2026-12-02,2026-12-02\r

            """.replacing("~", with: "\"")
        #expect(String(decoding: bytes.dropFirst(3), as: UTF8.self) == header + rows)
        let actions = try place.scratch.text("x/daily_actions/2026-12.csv")
        #expect(actions.contains("\r\n2026-12-02,2026-12-02 00:00:00,1796169600,adobe,"))
        #expect(actions.contains(",\"=\"\"d3\"\"\","))
        // Files of both kinds are known.
        #expect(try place.run(plain + ["--excel"]).stdout.hasPrefix("0 files written, 3 files unchanged; "))
        #expect(try place.run(plain).stdout.hasPrefix("3 files written; "))
        #expect(try place.scratch.text("x/deliveries.csv").hasPrefix(header))
        #expect(try place.run(plain + ["--excel"]).stdout.hasPrefix("3 files written; "))
        #expect(place.bytes("x/deliveries.csv") == bytes)
    }

    @Test func aFileWhoseRowsDidNotChangeIsLeftAsItIs() throws {
        let place = try loaded()
        #expect(try place.run("export", "csv", "--out", "x").exit == 0)
        let before = place.scratch.contentsOfAll("x")
        for name in before.keys { utimes(place.scratch.path("x/\(name)"), nil) }
        var past = [timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0)]
        utimes(place.scratch.path("x/days/2026-11.csv"), &past)
        utimes(place.scratch.path("x/days/2026-12.csv"), &past)
        try execute("UPDATE days SET events = 9 WHERE day = '2026-12-02'", on: place.scratch.path("out/push.db"))
        let outcome = try place.run("export", "csv", "--out", "x")
        #expect(outcome.stdout.hasPrefix("1 file written, 22 files unchanged; "))
        var changed = before
        changed["days/2026-12.csv"] = place.bytes("x/days/2026-12.csv")
        #expect(place.scratch.contentsOfAll("x") == changed)
        var status = stat()
        #expect(stat(place.scratch.path("x/days/2026-11.csv"), &status) == 0 && status.st_mtim.tv_sec == 1_000_000_000)
        #expect(try place.scratch.text("x/days/2026-12.csv").contains(",9,1,0,0\r\n"))
    }

    @Test func aShorterAndALongerTableReplaceTheirFile() throws {
        let place = try loaded()
        #expect(try place.run("export", "csv", "--tables", "deliveries", "--out", "x").exit == 0)
        let whole = try place.scratch.text("x/deliveries.csv")
        try execute("DELETE FROM deliveries WHERE delivery_id = 'd3'", on: place.scratch.path("out/push.db"))
        #expect(
            try place.run("export", "csv", "--tables", "deliveries", "--out", "x").stdout == "1 file written; 2 rows\n")
        #expect(try place.scratch.text("x/deliveries.csv") + "d3,,,,,0,2026-12-02,2026-12-02\r\n" == whole)
        #expect(try place.run("run", "--date", "2026-01-01").exit == 66)
        #expect(try place.run("export", "csv", "--tables", "deliveries", "--out", "x").exit == 0)
        #expect(try place.scratch.text("x/deliveries.csv") == whole)
    }

    @Test func theRangeWidensToWholeMonthsAndMonthsThatAreGoneInItAreRemoved() throws {
        let place = try loaded()
        #expect(try place.run("export", "csv", "--tables", "days", "--out", "x").exit == 0)
        for month in ["2026-09", "2026-10"] {
            try place.scratch.write(
                "day,day_start,day_epoch,log_date_status,events,messages,later_log_dates,final\r\n",
                to: "x/days/\(month).csv")
        }
        let outcome = try place.run(
            "export", "csv", "--tables", "days", "--from", "2026-10-31", "--to", "2026-11-01", "--out", "x")
        #expect(outcome.stdout == "0 files written, 1 file unchanged, 1 file removed; 1 row\n")
        #expect(try place.scratch.names("x/days") == ["2026-09.csv", "2026-11.csv", "2026-12.csv"])
        #expect(try place.run("export", "csv", "--tables", "days", "--out", "x").exit == 0)
        #expect(try place.scratch.names("x/days") == ["2026-11.csv", "2026-12.csv"])
    }

    @Test func aRangeWithoutDaysWritesNothingAndSaysSo() throws {
        let place = try loaded()
        let outcome = try place.run("export", "csv", "--from", "2020-01-01", "--to", "2020-03-01", "--out", "x")
        #expect(outcome.exit == 66)
        #expect(outcome.stderr == "error: there are no days from 2020-01 to 2020-03; nothing was written\n")
        #expect(!place.scratch.exists("x"))
    }

    @Test(arguments: [
        ("x/days/2026-11.csv", #"my own,notes\n"#), ("x/days/2026-12.csv", ""), ("x/about.csv", #"key,value\n"#),
        ("x/days/2026-01.csv", #"text\r\n"#),
    ])
    func aFileOfOthersIsNeitherReplacedNorRemoved(_ name: String, _ escaped: String) throws {
        let text = escaped.replacing(#"\r"#, with: "\r").replacing(#"\n"#, with: "\n")
        let place = try loaded()
        try place.scratch.write(text, to: name)
        let before = place.scratch.contentsOfAll("x")
        let outcome = try place.run("export", "csv", "--out", "x")
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr
                == "error: \(name): is not a file of this export; nothing was written; move it away, or give another --out\n"
        )
        #expect(place.scratch.contentsOfAll("x") == before)
    }

    @Test func filesOfOtherNamesStay() throws {
        let place = try loaded()
        for name in ["x/days/README.csv", "x/days/2026-13.csv", "x/notes.csv", "x/days/2026-11.csv.bak"] {
            try place.scratch.write("mine", to: name)
        }
        #expect(try place.run("export", "csv", "--out", "x").exit == 0)
        for name in ["x/days/README.csv", "x/days/2026-13.csv", "x/notes.csv", "x/days/2026-11.csv.bak"] {
            #expect(try place.scratch.text(name) == "mine")
        }
    }

    @Test func aLinkOrAFolderInTheWayIsNoFileOfTheExport() throws {
        let place = try loaded()
        try place.scratch.write("key,value\r\n", to: "elsewhere.csv")
        try place.scratch.makeFolder("x")
        try place.scratch.makeLink("x/about.csv", to: "../elsewhere.csv")
        #expect(try place.run("export", "csv", "--tables", "about", "--out", "x").exit == 74)
        #expect(try place.scratch.text("elsewhere.csv") == "key,value\r\n")
        try place.scratch.makeFolder("y/about.csv")
        #expect(try place.run("export", "csv", "--tables", "about", "--out", "y").exit == 74)
        try place.scratch.write("", to: "z/days")
        let outcome = try place.run("export", "csv", "--out", "z")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: z/days: is not a folder; nothing was written; give another --out\n")
        #expect(try place.scratch.names("z") == ["days"])
    }

    @Test(arguments: ["csv", "datasette", "superset"])
    func anOutThatIsNoFolderOrMayNotBeWrittenEndsWith74(_ format: String) throws {
        let place = try loaded()
        let isFile = try place.run("export", format, "--out", "push.yaml")
        #expect(isFile.exit == 74)
        #expect(isFile.stderr == "error: push.yaml: is not a folder; nothing was written; give another --out\n")
        #expect(try place.run("export", format, "--out", "push.yaml/x").exit == 74)
        guard getuid() != 0 else { return }
        try place.scratch.makeFolder("x")
        chmod(place.scratch.path("x"), 0o555)
        let outcome = try place.run("export", format, "--out", "x")
        #expect(outcome.exit == 74)
        let advice = "the files that are there are complete; fix that and run again"
        #expect(outcome.stderr.contains("permission denied; \(advice)\n"))
    }

    @Test(arguments: [
        ("Daily_Funnel", "There is no table 'Daily_Funnel'; did you mean 'daily_funnel'?"),
        ("days,delivery_result", "There is no table 'delivery_result'; did you mean 'delivery_results'?"),
        (
            "zzz",
            "There is no table 'zzz'; the tables are daily_actions, daily_funnel, daily_totals, hourly_actions, daily_lateness, "
                + "daily_paths, days, calendar, deliveries, delivery_results, delivery_platforms, partitions, files, outcomes, "
                + "runs, changes, loads, about, publication, columns_help."
        ),
    ])
    func anUnknownTableIsWrongUsage(_ tables: String, _ message: String) throws {
        let outcome = try Workplace().run("export", "csv", "--tables", tables, "--out", "x")
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.hasPrefix("error: \(message)\n"))
    }

    @Test func wrongOptionsAreWrongUsage() throws {
        let place = try loaded()
        let other = try place.run("export", "superset", "--from", "2026-11-01", "--out", "x")
        #expect(other.exit == 64)
        #expect(other.stderr.hasPrefix("error: --from is for csv; superset shows all of push.db.\n"))
        let excel = try place.run("export", "datasette", "--excel", "--out", "x")
        #expect(excel.exit == 64)
        #expect(excel.stderr.hasPrefix("error: --excel is for csv; datasette shows all of push.db.\n"))
        let turned = try place.run("export", "csv", "--from", "2026-12-01", "--to", "2026-11-01", "--out", "x")
        #expect(turned.exit == 64)
        #expect(turned.stderr.contains("--from 2026-12-01 is after --to 2026-11-01; give the earlier date first."))
        #expect(try place.run("export", "csv").exit == 64)
        #expect(try place.run("export", "csv", "--out", "").exit == 64)
        #expect(!place.scratch.exists("x"))
    }

    @Test(arguments: ["csv", "datasette", "superset"])
    func withoutAnOutputOfThisVersionThereIsNothingToExport(_ format: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d1,7")])
        let none = try place.run("export", format, "--out", "x")
        #expect(none.exit == 66)
        #expect(none.stderr == "error: out/push.db: no such file; 'pushetl run' makes it\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try execute("PRAGMA user_version = 2", on: place.scratch.path("out/push.db"))
        let old = try place.run("export", format, "--out", "x")
        #expect(old.exit == 65)
        #expect(
            old.stderr == "error: out/push.db: was written by an earlier pushetl (schema 2); "
                + "the next 'run' or 'backfill' makes it anew from the partitions\n")
        try place.scratch.write("no database", to: "out/push.db")
        #expect(try place.run("export", format, "--out", "x").exit == 74)
        #expect(!place.scratch.exists("x"))
    }

    @Test(arguments: ["csv", "datasette", "superset"])
    func theFolderOfTheOutputIsEnough(_ format: String) throws {
        let place = try loaded()
        #expect(try place.run("export", format, "--out", "x").exit == 0)
        try place.scratch.remove("push.yaml")
        let outcome = try place.run("export", format, "--output", "out", "--out", "y")
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(place.scratch.contentsOfAll("y") == place.scratch.contentsOfAll("x"))
        let none = try place.run("export", format, "--output", "nowhere", "--out", "y")
        #expect(none.exit == 66)
        #expect(none.stderr == "error: nowhere/push.db: no such file; 'pushetl run' makes it\n")
    }

    /// The day is the one in the time zone of push.db.
    @Test func withoutAPipelineFileDaysAreThoseOfTheOutput() throws {
        let place = try loaded()
        try place.scratch.remove("push.yaml")
        let outcome = try place.run(
            "export", "csv", "--tables", "days", "--from", "-3000", "--to", "today", "--output", "out", "--out", "y")
        #expect(outcome.exit == 0, "\(outcome.stderr)")
    }

    @Test func aWriterThatHoldsTheDatabaseForTooLongEndsItWith75() throws {
        let place = try loaded()
        let outcome = try whileWritten(place.scratch.path("out/push.db")) {
            try place.run("export", "csv", "--out", "x", "--wait", "0")
        }
        #expect(outcome.exit == 75)
        #expect(!place.scratch.exists("x"))
    }

    @Test func theExportForDatasetteHasTitlesColumnsQueriesAndADashboard() throws {
        let place = try loaded()
        let outcome = try place.run("export", "datasette", "--out", "x y")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stdout == """
                1 file written

                  pip install datasette datasette-dashboards datasette-vega
                  datasette serve out/push.db -m 'x y/metadata.json' --setting sql_time_limit_ms 5000

                """)
        let first = try #require(place.bytes("x y/metadata.json"))
        let metadata = try #require(try JSONSerialization.jsonObject(with: first) as? [String: Any])
        let push = try #require((metadata["databases"] as? [String: [String: Any]])?["push"])
        let tables = try #require(push["tables"] as? [String: [String: Any]])
        #expect(
            tables.filter { $0.value["hidden"] as? Bool == true }.keys.sorted() == [
                "changes", "columns_help", "files", "loads", "publication", "runs",
            ])
        let funnel = try #require(tables["daily_funnel"]?["columns"] as? [String: String])
        #expect(funnel["messages"] == "Messages first seen on the day. Additive; in messages.")
        #expect(
            funnel["opened_of_messages"]?.hasSuffix("In ratio. Over several rows: 1.0 * sum(opened) / sum(messages).")
                == true)
        #expect((push["queries"] as? [String: Any])?.count ?? 0 >= 15)
        #expect(
            try place.run("export", "datasette", "--out", "x y").stdout.hasPrefix("0 files written, 1 file unchanged\n")
        )
        try place.scratch.write("{}", to: "x y/metadata.json")
        #expect(try place.run("export", "datasette", "--out", "x y").exit == 74)
    }

    @Test func theExportForSupersetIsAZipFileThatIsAlwaysTheSame() throws {
        let place = try loaded()
        #expect(try place.run("export", "superset", "--out", "x").exit == 0)
        #expect(try place.run("export", "superset", "--out", "y.zip").exit == 0)
        #expect(place.bytes("x/push-superset.zip") == place.bytes("y.zip"))
        try place.scratch.write("PK", to: "y.zip")
        #expect(try place.run("export", "superset", "--out", "y.zip").exit == 74)
    }

    @Test(.needs(.python3)) func otherProgramsReadTheZipFileForSuperset() throws {
        let place = try loaded()
        #expect(try place.run("export", "superset", "--out", "x").exit == 0)
        let names = try Tool.output(
            of: "python3 -m zipfile -t x/push-superset.zip && python3 -m zipfile -l x/push-superset.zip",
            in: place.scratch)
        let text = String(decoding: names, as: UTF8.self)
        for name in [
            "push/metadata.yaml", "push/databases/push.yaml", "push/datasets/push/daily_funnel.yaml",
            "push/dashboards/push.yaml",
        ] {
            #expect(text.contains(name))
        }
    }
}
