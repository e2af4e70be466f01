import Foundation
import Support
import Testing

private let damage = "error: out/push.db: the database is damaged"

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
        ["export", "datasette", "--out", "x"], ["export", "superset", "--out", "x"],
        ["export", "grafana", "--out", "x"],
        ["doctor"], ["status"],
        ["status", "--json"], ["explain", "h1"], ["rejects"],
    ]

    /// The exit code for what a command says.
    private static func exit(_ errors: String) -> Int32? {
        if errors.isEmpty { return 0 }
        if errors.hasPrefix(damage) { return 74 }
        if errors.hasSuffix(" found faults\n") { return 65 }
        return errors.hasPrefix("error: ") ? 66 : nil
    }

    /// Of each column that may be NULL.
    @Test func aReportOfFiguresThatAreNullEndsWithASentence() throws {
        let columns = try place.rows(
            """
            SELECT t.name, c.name FROM sqlite_master t, pragma_table_info(t.name) c
            WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '\\_%' ESCAPE '\\' AND "notnull" = 0
                AND pk = 0
            """
        ).map { $0.split(separator: "|").map(String.init) }
        #expect(columns.count > 20)
        let good = try Data(contentsOf: URL(fileURLWithPath: database))
        for column in columns {
            try execute("UPDATE \(column[0]) SET \(column[1]) = NULL", on: database)
            for subject in [["--text"], ["--out", "r.html"], ["--delivery", "d1", "--text"]] {
                let outcome = try place.run(["report"] + subject)
                #expect(outcome.exit == Self.exit(outcome.stderr), "\(column): \(subject): \(outcome)")
            }
            try good.write(to: URL(fileURLWithPath: database))
        }
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
