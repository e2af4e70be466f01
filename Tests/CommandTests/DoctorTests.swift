import Foundation
import Support
import Testing

private let pipeline =
    Workplace.onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d*.log")
    + "deliveries:\n  files: deliveries/*.csv\n"

/// Three log dates with messages of two platforms, and the names of some deliveries.
private func loaded() throws -> Workplace {
    let place = try Workplace.withHits(
        [
            Workplace.hit("h1,d1,7", agent: "Android"), Workplace.hit("h1,d1,2", "10:00:04", agent: "Android"),
            Workplace.hit("h1,d1,1", "10:00:05", agent: "Android"), Workplace.hit("h2,d1,7", agent: "iPhone"),
            Workplace.hit("h2,d1,7", agent: "iPhone"), Workplace.hit("h3,d2,1"), Workplace.hit("hzz,d2,1"),
        ] + (16..<40).map { Workplace.hit("h\($0),d1,7", agent: "iPhone") }, pipeline: pipeline)
    for day in [18, 20] {
        let line = Workplace.hit("ha\(day),d\(day),7", agent: "iPhone").replacing("19/Nov", with: "\(day)/Nov")
        try place.scratch.write(line + "\n", to: "logs/2026-11-\(day).log")
    }
    try place.scratch.write("delivery_id,label,sent\nd1,Autumn,40\nd18,Winter,2\n", to: "deliveries/a.csv")
    #expect(try place.run("backfill", "--from", "2026-11-18", "--to", "2026-11-20").exit == 0)
    return place
}

extension Program.Outcome {
    /// The statuses of the checks, by name, and the faults of each.
    fileprivate func checks() throws -> [String: (status: String, faults: [String])] {
        let checks = try #require(try object()["checks"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: try checks.map { check in
                (
                    try #require(check["name"] as? String),
                    (try #require(check["status"] as? String), try #require(check["faults"] as? [String]))
                )
            })
    }
}

@Suite(.needsPushetl)
struct DoctorTests {
    @Test func aSoundOutputHasNoFaultsAndStaysAsItIs() throws {
        let place = try loaded()
        let before = place.outputBytes()
        let outcome = try place.run("doctor")
        #expect(
            outcome.stdout == """
                out/push.db

                  ok      opens        opens read-only, with no file beside it
                  ok      structure    SQLite's integrity_check finds nothing
                  ok      definitions  tables, columns, types and keys are those of this version
                  ok      types        every value is of its declared type; dates and times are well-formed
                  ok      days         days, hours, counts and rates of each row agree
                  ok      agreement    the tables have the same sums wherever they share columns
                  ok      help         columns_help explains every column
                  ok      calendar     calendar has every day from the first log date to the last
                  ok      partitions   all partitions can be read, and are published
                  ok      figures      all rows are those that follow from the partitions
                  ok      digests      all rows are those that the last command left
                  ok      plans        the usual queries find their rows by a key
                  note    names        2 of 4 deliveries (50 %) have no label; delivery files give them ('deliveries' in the \
                pipeline file)
                  note    platforms    1 of 29 messages (3.4 %) are of an unknown platform
                  note    pipelines    3 log dates loaded, all with the last pipeline file
                  note    loaded       all 3 days with events are of loaded log dates
                  note    send_times   no delivery has many events before it was sent
                  note    delivered    no delivery has more messages than were delivered

                no faults

                """)
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "")
        #expect(place.outputBytes() == before)
    }

    @Test func whatADeliveryFileSaysWronglyAndDaysThatAreNotLoadedAreTold() throws {
        let place = try loaded()
        try place.scratch.write(
            """
            delivery_id,label,sent,delivered,sent_at
            d1,Autumn,40,10,2026-11-20T00:30:00Z
            d2,Other,9,1,2026-11-19T00:00:00Z
            d18,Winter,2,1,2026-11-18T09:00:00Z

            """, to: "deliveries/a.csv")
        // A hit of a day whose log date is not loaded.
        let line = Workplace.hit("hb,d18,7", agent: "iPhone").replacing("19/Nov", with: "17/Nov")
        try place.scratch.write(line + "\n", to: "logs/2026-11-18-late.log")
        #expect(try place.run("backfill", "--from", "2026-11-18", "--to", "2026-11-20").exit == 0)
        let outcome = try place.run("doctor")
        #expect(outcome.exit == 0)
        for line in [
            "loaded       1 of 4 days (25 %) with events are of log dates that are not loaded; their figures are what came late "
                + "or early",
            "send_times   2 of 3 deliveries (67 %) have more than 5 % of their events on days before they were sent; look at "
                + "the zone of sent_at",
            "delivered    2 of 3 deliveries (67 %) have more messages than were delivered; look at the columns of the "
                + "delivery files",
        ] {
            #expect(outcome.stdout.contains("  note    \(line)\n"), "\(outcome.stdout)")
        }
    }

    @Test func theSampleLogsHaveNoFaultsInWhateverOrderTheyAreLoaded() throws {
        let place = try Workplace.withSamples()
        for date in ["2026-11-18", "2026-11-17", "2026-11-19"] {
            #expect(try place.run("run", "--date", date, "--output", "out").exit == 0)
        }
        let outcome = try place.run("doctor", "--output", "out")
        #expect(outcome.exit == 0, "\(outcome.stdout)")
    }

    @Test func theFolderOfTheOutputIsEnough() throws {
        let place = try loaded()
        let whole = try place.run("doctor")
        try place.scratch.remove("push.yaml")
        let outcome = try place.run("doctor", "--output", "out")
        #expect(outcome.stdout == whole.stdout)
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        try execute(
            "UPDATE about SET value = 'Asia/Tokyo' WHERE key = 'timezone'", on: place.scratch.path("out/push.db"))
        try execute("UPDATE daily_paths SET messages = 7 WHERE has_open", on: place.scratch.path("out/push.db"))
        let faulty = try place.run("doctor", "--output", "out", "--json")
        #expect(faulty.exit == 65)
        #expect(
            try faulty.checks()["figures"]?.faults == [
                "other rows in table about", "other rows in table daily_paths (2026-11-19)",
            ])
    }

    /// Several sources, their order, and another zone are known from push.db too.
    @Test func theSettingsOfThePublicationAreTakenFromPushDB() throws {
        let place = try Workplace.withSamples()
        #expect(try place.run("run", "--date", "2026-11-18", "--output", "out").exit == 0)
        try place.scratch.remove("Pipelines")
        let outcome = try place.run("doctor", "--output", "out")
        #expect(outcome.exit == 0, "\(outcome.stdout)")
        try execute(
            "UPDATE publication SET version = 'x' WHERE item = 'settings'", on: place.scratch.path("out/push.db"))
        let unknown = try place.run("doctor", "--output", "out", "--json")
        #expect(unknown.exit == 65)
        #expect(try unknown.checks()["opens"]?.status == "fault")
    }

    @Test func anOutputInAReadOnlyFolderHasNoFaults() throws {
        let place = try loaded()
        let folders = ["out", "out/partitions", "out/partitions/.kept"]
        for folder in folders { chmod(place.scratch.path(folder), 0o555) }
        defer { for folder in folders { chmod(place.scratch.path(folder), 0o755) } }
        #expect(try place.run("doctor").exit == 0)
        #expect(try place.scratch.names("out") == ["deliveries.csv", "partitions", "push.db"])
    }

    @Test func withoutWhatIsKeptTheFiguresAreComputedFromThePartitions() throws {
        let place = try loaded()
        try place.scratch.remove("out/partitions/.kept")
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 0)
        #expect(try outcome.checks()["figures"]?.status == "ok")
        #expect(try outcome.checks()["digests"]?.status == "skipped")
        #expect(!place.scratch.exists("out/partitions/.kept"))
        try execute("UPDATE daily_paths SET messages = 7 WHERE has_open", on: place.scratch.path("out/push.db"))
        #expect(
            try place.run("doctor", "--json").checks()["figures"]?.faults == [
                "other rows in table daily_paths (2026-11-19)"
            ])
    }

    @Test(arguments: [
        ("definitions", "DROP TABLE daily_paths", "no table daily_paths"),
        (
            "definitions", "ALTER TABLE days ADD COLUMN note TEXT",
            "other columns or another key in table days"
        ),
        (
            "definitions", "CREATE TRIGGER spy AFTER INSERT ON days BEGIN SELECT 1; END",
            "trigger spy is on one of its tables"
        ),
        (
            "definitions", "DELETE FROM sqlite_stat1 WHERE tbl = 'days'",
            "sqlite_stat1 lacks the row counts by which queries choose the keys"
        ),
        (
            "types", "UPDATE daily_funnel SET opened = 'many' WHERE platform = 'android'",
            "daily_funnel.opened: 1 value is out of range or not of type INTEGER, first in the row '2026-11-19 d1 android'"
        ),
        (
            "types", "UPDATE daily_totals SET events = -1 WHERE platform = 'ios'",
            "daily_totals.events: 3 values are out of range or not of type INTEGER, first in the row '2026-11-18 ios'"
        ),
        (
            "types", "UPDATE days SET day_start = '2026-11-19T00:00:00' WHERE day = '2026-11-19'",
            "days.day_start: 1 value is out of range or not of type DATETIME, first in the row '2026-11-19'"
        ),
        (
            "types", "UPDATE deliveries SET first_day = '2026-02-30' WHERE delivery_id = 'd1'",
            "deliveries.first_day: 1 value is out of range or not of type DATE, first in the row 'd1'"
        ),
        (
            "days", "UPDATE daily_actions SET day_epoch = day_epoch + 3600 WHERE platform = 'android'",
            "daily_actions: this does not hold in 3 rows: day_epoch is 00:00 UTC of day; first '2026-11-19 d1 android adobe click'"
        ),
        (
            "days", "UPDATE hourly_actions SET hour_start = '2026-11-19 11:00:00' WHERE platform = 'android'",
            "hourly_actions: this does not hold in 3 rows: hour_start is day and hour; first '2026-11-19 10 1795082400 adobe android click'"
        ),
        (
            "days", "UPDATE daily_lateness SET days_late = 3 WHERE day = '2026-11-18'",
            "daily_lateness: this does not hold in 1 row: days_late is log_date minus day; first '2026-11-18 2026-11-18 adobe'"
        ),
        (
            "days", "UPDATE calendar SET iso_week = '2026-W01' WHERE day = '2026-11-19'",
            "calendar: this does not hold in 1 row: iso_week is the week of day; first '2026-11-19'"
        ),
        (
            "days", "UPDATE daily_funnel SET opened_of_messages = 0.5 WHERE platform = 'android'",
            "daily_funnel: this does not hold in 1 row: opened_of_messages is opened / messages; first '2026-11-19 d1 android'"
        ),
        (
            "days", "UPDATE daily_totals SET opened_10s = 9 WHERE platform = 'android'",
            "daily_totals: this does not hold in 1 row: each time to open contains the shorter ones; first '2026-11-19 android'"
        ),
        (
            "agreement", "UPDATE daily_actions SET events = 5 WHERE platform = 'android' AND action = 'open'",
            "daily_actions and daily_totals: different sums of events in 1 place, first '2026-11-19 android'"
        ),
        (
            "agreement", "UPDATE daily_totals SET impressed = 2 WHERE platform = 'android'",
            "daily_funnel and daily_totals: different sums of impressed in 1 place, first '2026-11-19 android'"
        ),
        (
            "agreement", "DELETE FROM daily_lateness WHERE day = '2026-11-20'",
            "daily_actions and daily_lateness: different sums of events in 1 place, first '2026-11-20 adobe'"
        ),
        (
            "agreement", "UPDATE daily_paths SET has_click = 0 WHERE platform = 'android'",
            "daily_paths and daily_totals: different sums of clicked in 1 place, first '2026-11-19 android'"
        ),
        (
            "agreement", "UPDATE days SET messages = 9 WHERE day = '2026-11-20'",
            "days and daily_totals: different sums of messages in 1 place, first '2026-11-20'"
        ),
        (
            "agreement", "UPDATE delivery_results SET clicked = 4 WHERE delivery_id = 'd1'",
            "delivery_results and daily_funnel: different sums of clicked in 1 place, first 'd1'"
        ),
        (
            "agreement", "DELETE FROM delivery_platforms WHERE delivery_id = 'd2'",
            "delivery_platforms and daily_funnel: different sums of messages in 1 place, first 'd2 unknown'"
        ),
        (
            "agreement", "UPDATE deliveries SET last_day = '2026-11-21' WHERE delivery_id = 'd1'",
            "deliveries and daily_actions: different sums of last in 1 place, first 'd1'"
        ),
        (
            "agreement", "DELETE FROM files WHERE log_date = '2026-11-20'",
            "partitions and files: different sums of records in 1 place, first '2026-11-20'"
        ),
        (
            "agreement", "UPDATE outcomes SET records = 2 WHERE outcome = 'rejected'",
            "outcomes and files: different sums of records in 1 place, first '2026-11-19 adobe'"
        ),
        (
            "agreement", "UPDATE about SET value = '2026-11-21' WHERE key = 'last_day'",
            "about.last_day is '2026-11-21'; according to the tables it is '2026-11-20'"
        ),
        ("agreement", "DELETE FROM about WHERE key = 'timezone'", "about.timezone is missing"),
        ("help", "DELETE FROM columns_help WHERE column_name = 'final'", "days.final has no row"),
        (
            "help", "UPDATE columns_help SET column_name = 'last' WHERE column_name = 'final'",
            "days.last has a row, but there is no such column"
        ),
        ("calendar", "DELETE FROM calendar WHERE day = '2026-11-19'", "1 day missing, first 2026-11-19"),
        (
            "figures", "UPDATE daily_funnel SET messages = messages + 1 WHERE day = '2026-11-20'",
            "other rows in table daily_funnel (2026-11-20)"
        ),
        (
            "figures", "UPDATE delivery_results SET label = 'Spring' WHERE delivery_id = 'd1'",
            "other rows in table delivery_results"
        ),
        ("digests", "UPDATE runs SET records = 0", "other rows in table runs"),
        ("digests", "UPDATE loads SET detail = 'x'", "other rows in table loads"),
        ("partitions", "DELETE FROM publication WHERE item = '2026-11-18'", "not published as they are: 2026-11-18"),
        (
            "plans", "UPDATE sqlite_stat1 SET stat = '3 3 3 3' WHERE tbl = 'daily_funnel'",
            "'What became of one delivery?' reads all of daily_funnel"
        ),
    ])
    func aBrokenOutputFailsItsCheck(_ check: String, _ sql: String, _ fault: String) throws {
        let place = try loaded()
        try execute(sql, on: place.scratch.path("out/push.db"))
        let before = place.outputBytes()
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 65)
        let found = try #require(try outcome.checks()[check])
        #expect(found.status == "fault")
        #expect(found.faults.contains(fault), "\(found.faults)")
        #expect(place.outputBytes() == before)
    }

    @Test func whatWasNotComparedIsNotFoundSound() throws {
        let place = try loaded()
        try execute("DROP TABLE daily_paths; UPDATE days SET events = 7", on: place.scratch.path("out/push.db"))
        try place.scratch.remove("out/partitions/2026-11-18.sqlite")
        let checks = try place.run("doctor", "--json").checks()
        #expect(checks["definitions"]?.faults.first == "no table daily_paths")
        for name in ["partitions", "figures", "digests", "days"] {
            #expect(checks[name]?.status == "skipped", "\(name)")
        }
    }

    @Test(arguments: ["DELETE FROM sqlite_stat1", "ANALYZE"])
    func theNextCommandPutsTheStatisticsRight(_ sql: String) throws {
        let place = try loaded()
        try execute(sql, on: place.scratch.path("out/push.db"))
        #expect(try place.run("doctor").exit == 65)
        let outcome = try place.run("run", "--date", "2026-11-18")
        #expect(outcome.stderr.contains("another value of sqlite_stat1; that was set back\n"))
        let after = try place.run("doctor")
        #expect(after.exit == 0, "\(after.stdout)")
    }

    @Test func aDamagedPageIsFoundByTheStructureCheck() throws {
        let place = try loaded()
        var bytes = try place.scratch.bytes("out/push.db")
        // The root page of daily_funnel.
        let page = try #require(Int(place.rows("SELECT rootpage FROM sqlite_master WHERE name = 'daily_funnel'")[0]))
        for index in 0..<64 { bytes[(page - 1) * 4096 + 4000 + index] = 0xFF }
        try place.scratch.write(bytes, to: "out/push.db")
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 65)
        #expect(try outcome.checks().values.contains { $0.status == "fault" }, "\(outcome.stdout)")
        #expect(outcome.stderr.contains("out/push.db: "))
    }

    @Test func aDamagedPartitionIsNamed() throws {
        let place = try loaded()
        try execute("UPDATE files SET records = 99", on: place.scratch.path("out/partitions/2026-11-18.sqlite"))
        let outcome = try place.run("doctor")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stdout.contains(
                "  fault   partitions   partitions are damaged or not published; load those log dates again: "))
        #expect(outcome.stdout.contains("    out/partitions/2026-11-18.sqlite: "))
        #expect(
            outcome.stdout.contains(
                "  skipped figures      not checked: push.db does not show all partitions as they are\n"))
    }

    @Test(arguments: [
        (
            "PRAGMA journal_mode = WAL",
            "the journal mode is WAL, which needs files beside it: it does not open in a read-only folder"
        ),
        ("PRAGMA user_version = 2", "it was written by an earlier pushetl (schema 2)"),
        ("PRAGMA user_version = 99", "it was written by a newer pushetl (schema 99)"),
        ("PRAGMA application_id = 5", "its application_id is 5"),
        ("PRAGMA application_id = 5; DROP TABLE publication", "it is another application's database"),
    ])
    func aFileThatABIToolCannotUseHasAFault(_ sql: String, _ fault: String) throws {
        let place = try loaded()
        try execute(sql, on: place.scratch.path("out/push.db"))
        let before = place.outputBytes()
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 65)
        #expect(try outcome.checks()["opens"]?.faults == [fault])
        #expect(try outcome.checks()["figures"]?.status == "skipped")
        #expect(place.outputBytes() == before)
    }

    @Test func aFileThatIsNoDatabaseHasAFault() throws {
        let place = try loaded()
        try place.scratch.write("a,b\n1,2\n", to: "out/push.db")
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 65)
        #expect(try outcome.checks()["opens"]?.faults == ["it is not a SQLite database"])
    }

    @Test func aKilledWriterLeavesAFaultThatIsNotUndoneHere() throws {
        let place = try loaded()
        // A journal with the header of a transaction.
        try place.scratch.write(
            [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + [UInt8](repeating: 1, count: 600),
            to: "out/push.db-journal")
        let before = place.outputBytes()
        let outcome = try place.run("doctor", "--json")
        #expect(outcome.exit == 65)
        #expect(
            try outcome.checks()["opens"]?.faults == [
                "a command was killed while it was writing, and its transaction is not undone yet"
            ])
        #expect(place.outputBytes() == before)
    }

    @Test func withoutAnOutputItExitsWith66() throws {
        let place = try Workplace.withHits([])
        let outcome = try place.run("doctor")
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr == "out/push.db: no such file; 'pushetl run' makes it\n".replacing("out", with: "error: out")
        )
    }

    @Test func whileAnotherCommandIsAtWorkItExitsWith75() throws {
        let place = try loaded()
        let outcome = try place.whileLocked("pushetl run, process 1") { try place.run("doctor") }
        #expect(outcome.exit == 75)
        #expect(outcome.stderr.contains("pushetl run, process 1"))
    }

    @Test func aReaderDoesNotKeepItFromChecking() throws {
        let place = try loaded()
        #expect(try whileRead(place.scratch.path("out/push.db")) { try place.run("doctor") }.exit == 0)
    }

    @Test func aWriterThatHoldsTheDatabaseForTooLongEndsItWith75() throws {
        let place = try loaded()
        let outcome = try whileWritten(place.scratch.path("out/push.db")) { try place.run("doctor", "--wait", "0") }
        #expect(outcome.exit == 75)
    }
}
