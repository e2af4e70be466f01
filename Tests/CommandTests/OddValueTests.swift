import Foundation
import Support
import Testing

private let damage = "error: out/push.db: the database is damaged"
private let repair = "'doctor' says what is wrong, and the next 'run' or 'backfill' rebuilds it\n"

/// Values in push.db that no command writes.
@Suite(.needsPushetl)
struct OddValueTests {
    private let place: Workplace
    private var database: String { place.scratch.path("out/push.db") }

    init() throws {
        let pipeline = Workplace.onePipeline + "deliveries: {files: deliveries.csv}\n"
        place = try Workplace.withHits(
            [Workplace.hit("h1,d1,7"), Workplace.hit("h1,d1,1"), Workplace.hit("h2,d2,7")], pipeline: pipeline)
        try place.scratch.write("delivery_id,label,platform,sent\nd1,a,,7\nd2,b,android,8\n", to: "deliveries.csv")
        let next = Workplace.hit("h3,d3,7").replacing("19/Nov", with: "20/Nov")
        try place.scratch.write(next + "\n", to: "logs/2026-11-20.log")
        for date in ["2026-11-19", "2026-11-20"] { #expect(try place.run("run", "--date", date).exit == 0) }
    }

    @Test(arguments: [
        ("UPDATE daily_totals SET opened = 'abc'", "a value of 'opened' is not an integer"),
        ("UPDATE daily_totals SET opened = -1", "a value of 'opened' is not a count"),
        ("UPDATE daily_totals SET messages = 9223372036854775807", "a value of 'messages' is not a count"),
        ("UPDATE daily_totals SET events = 1e300", "a value of 'events' is not an integer"),
        ("UPDATE daily_funnel SET opened = 'abc'", "a value of 'opened' is not an integer"),
        ("UPDATE daily_funnel SET clicked = 9e999", "a value of 'clicked' is not an integer"),
        (
            "UPDATE daily_funnel SET messages = 9223372036854775807, delivery_id = 'd1', platform = delivery_id",
            "integer overflow"
        ),
        ("UPDATE hourly_actions SET events = x'00'", "a value of 'events' is not an integer"),
        ("UPDATE daily_lateness SET duplicates = 0.5", "a value of 'duplicates' is not an integer"),
        ("UPDATE outcomes SET records = 'abc'", "a value of 'records' is not an integer"),
        ("UPDATE OR REPLACE daily_funnel SET day = 'x'", "a value of 'day' is not a date"),
        ("UPDATE OR REPLACE daily_totals SET day = 20261119", "a value of 'day' is not a date"),
        ("UPDATE OR REPLACE daily_totals SET day = '99999-01-01'", "a value of 'day' is not a date"),
        ("UPDATE OR REPLACE days SET day = '../../x'", "a value of 'day' is not a date"),
        ("UPDATE days SET final = 'abc'", "a value of 'final' is not an integer"),
        ("UPDATE delivery_results SET label = x'ff'", "a value of 'label' is not text"),
        ("UPDATE delivery_results SET sent = 'abc' WHERE delivery_id = 'd1'", "a value of 'sent' is not an integer"),
        ("UPDATE delivery_results SET sent = -1 WHERE delivery_id = 'd1'", "a value of 'sent' is not a count"),
        ("DELETE FROM deliveries", "a value of 'in_file' is not an integer"),
    ])
    func aReportSaysWhatItCannotRead(_ sql: String, _ detail: String) throws {
        try execute(sql, on: database)
        let outcome = try place.run("report")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "\(damage) (\(detail)); \(repair)")
        #expect(!place.scratch.exists("report.html"))
    }

    @Test(arguments: [
        ("UPDATE OR REPLACE daily_totals SET day = '../../../x'", "a value of 'day' is not a date"),
        ("UPDATE daily_totals SET events = 'abc'", "a value of 'events' is not of type INTEGER"),
        ("UPDATE daily_funnel SET day_epoch = 9e999", "a value of 'day_epoch' is not of type INTEGER"),
        ("UPDATE delivery_results SET label = x'ff'", "a value of 'label' is not of type TEXT"),
    ])
    func anExportSaysWhatItCannotRead(_ sql: String, _ detail: String) throws {
        try execute(sql, on: database)
        for options in [[], ["--from", "2026-11-01"]] {
            let outcome = try place.run(["export", "csv", "--out", "x/y/z"] + options)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr == "\(damage) (\(detail)); \(repair)")
        }
        #expect(!place.scratch.exists("x.csv"))
    }

    @Test(arguments: [
        ("UPDATE days SET events = 9223372036854775807", "a value of 'events' is not a count"),
        ("UPDATE days SET events = 'abc'", "a value has the wrong type"),
    ])
    func statusSaysWhatItCannotRead(_ sql: String, _ detail: String) throws {
        try execute(sql, on: database)
        let outcome = try place.run("status")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "\(damage) (\(detail)); \(repair)")
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "9e999", "1e300", "'abc'"])
    func doctorSurvivesSumsThatOverflow(_ value: String) throws {
        try execute("UPDATE daily_funnel SET opened = \(value), arrived = \(value)", on: database)
        try execute("UPDATE daily_totals SET messages = \(value)", on: database)
        let outcome = try place.run("doctor")
        #expect(outcome.exit == 65)
        #expect(outcome.stdout.contains("  fault   agreement  "))
        #expect(outcome.stderr.hasSuffix(" found faults\n"))
    }

    private static let values = [
        "'abc'", "''", "x'ff00fe'", "9223372036854775807", "-9223372036854775808", "-1", "1e300", "9e999", "-9e999",
        "0.5",
        "'99999-01-01'", "'0001-01-01'", "'9999-12-31'", "'../../x'", "CAST(x'41fffe' AS TEXT)",
        "'a' || char(27) || '[31m' || char(8238) || char(0) || 'b'", "printf('%.*c', 1000000, 'x')",
        "printf('%.*c', 400, '9')", "'<script>&\"'",
    ]

    private static let commands = [
        ["report", "--out", "r.html"], ["report", "--from", "2026-11-20", "--to", "2026-11-20", "--out", "r.html"],
        ["export", "csv", "--out", "x"], ["export", "csv", "--from", "2026-11-01", "--out", "x"],
        ["export", "datasette", "--out", "x"], ["export", "superset", "--out", "x"], ["doctor"], ["status"],
        ["status", "--json"], ["explain", "h1"], ["rejects"],
    ]

    /// The exit code for what a command says.
    private static func exit(_ errors: String) -> Int32? {
        if errors.isEmpty { return 0 }
        if errors.hasPrefix(damage) { return 74 }
        if errors.hasSuffix(" found faults\n") { return 65 }
        return errors.hasPrefix("error: ") ? 66 : nil
    }

    /// Of all columns and values some, or with `PUSHETL_ALL_VALUES=1` all.
    @Test func anyValueInAnyColumnEndsWithASentence() throws {
        let columns = try place.rows(
            """
            SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
            """
        ).map { $0.split(separator: "|").map(String.init) }
        var cases = columns.flatMap { column in Self.values.map { (column[0], column[1], $0) } }
        let areAll = ProcessInfo.processInfo.environment["PUSHETL_ALL_VALUES"] == "1"
        if !areAll { cases = Array(cases.shuffled().prefix(Long.isOn ? 24 : 6)) }
        let good = try Data(contentsOf: URL(fileURLWithPath: database))
        for (table, column, value) in cases {
            let sql = "UPDATE OR REPLACE \(table) SET \(column) = \(value)"
            try execute(sql, on: database)
            for command in Self.commands {
                let outcome = try place.run(command)
                #expect(outcome.exit == Self.exit(outcome.stderr), "\(sql): \(command): \(outcome)")
                #expect(outcome.stderr.utf8.count < 2000, "\(sql): \(command)")
                #expect(
                    (outcome.stdout + outcome.stderr).unicodeScalars.allSatisfy {
                        $0 == "\n" || $0.properties.generalCategory != .control && $0.value != 0x202E
                    }, "\(sql): \(command)")
            }
            try good.write(to: URL(fileURLWithPath: database))
        }
        let known: Set = ["logs", "out", "push.yaml", "deliveries.csv", "r.html", "x"]
        #expect(try known.isSuperset(of: place.scratch.names("")))
    }
}
