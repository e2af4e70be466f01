import Calendar
import Foundation
import Messages
import Reports
import SQLite
import Support

@testable import Output
@testable import Partitions

/// A push.db that is made up: figures of deliveries by day and platform, of which the other tables are made.
final class Scene {
    /// The messages of a delivery on a day.
    struct Messages {
        var platform = "android"
        var delivery = "d1"
        var messages = 1000
        var impressed = 900
        var clicked = 300
        var opened = 200
        var openedIn24Hours: Int?
    }

    static let lastDate = LogDate(dayNumber: 20_776)

    private let scratch: ScratchFolder
    private let database: Database
    var folder: OutputFolder { OutputFolder(scratch.root) }

    init() throws {
        scratch = try ScratchFolder()
        database = try Database(scratch.path("push.db"))
        try database.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
        try DatabaseFile.output(scratch.path("push.db")).mark(database)
        for table in OutputSchema.tables { try database.execute(table.creation) }
        for table in OwnTables.creations { try database.execute(table.sql) }
        try OutputStatistics.write(to: database)
        for (key, value) in [("timezone", "Europe/Madrid"), ("window_days", "30")] {
            try execute("INSERT INTO about VALUES ('\(key)', '\(value)')")
        }
    }

    /// 56 log dates that are complete, with the same messages of one delivery on each day.
    static func usual(days: Int = 56) throws -> Scene {
        let scene = try Scene()
        for day in 0..<days {
            let date = lastDate.adding(days: -day)
            try scene.load(date)
            try scene.add(date, [Messages()])
        }
        try scene.addUp()
        return scene
    }

    func execute(_ sql: String) throws { try database.execute(sql) }

    func execute(_ sql: String, _ values: [any Storable]) throws {
        try database.execute(sql, binding: values.map(\.databaseValue))
    }

    func integer(_ sql: String) throws -> Int { try database.value(sql) ?? 0 }
    func rows(_ sql: String) throws -> [[String]] { try database.rows(sql) { $0.values.map(\.text) } }

    /// A log date with 100 records, of which 3 are rejected.
    func load(_ date: LogDate, status: String = "complete") throws {
        try execute(
            "INSERT INTO partitions VALUES (?, ?, 1, 100, 90, 7, 3, 80, 10, 0, NULL, 0, 'p')",
            [date.description, status])
        for (outcome, reason, records) in [
            ("accepted", "", 90), ("filtered", "link", 7), ("rejected", "bad_time", 2), ("rejected", "malformed_id", 1),
        ] {
            try execute(
                "INSERT INTO outcomes VALUES (?, 'adobe', ?, ?, ?)", [date.description, outcome, reason, records])
        }
    }

    func record(_ verdict: String, _ date: LogDate, detail: String) throws {
        try execute(
            "INSERT INTO loads VALUES (?, '2026-11-20 01:00:00', '2026-11-20 01:00:01', ?, ?, 1, 1, 1, 0, 0, 1, 0)",
            [date.description, verdict, detail])
        guard verdict == "held" else { return }
        try execute("INSERT INTO held VALUES (?, '2026-11-20 01:00:01', 'loss', ?)", [date.description, detail])
    }

    /// What the load of a log date that stands has warned of.
    func warn(
        _ codes: String, _ sentences: [String] = [], gaps: [String] = [], of date: LogDate, isAccepted: Bool = false
    ) throws {
        func texts(_ words: [String]) -> [MessageText] { words.map { "\($0)" } }
        let told = LoadWarnings.Told(sentences: texts(sentences), gaps: texts(gaps))
        try execute("INSERT OR IGNORE INTO _log_dates VALUES (?, 'v', NULL, NULL, '')", [date.description])
        try execute(
            "INSERT OR REPLACE INTO _warnings VALUES (?, 'v', ?, ?, \(isAccepted ? 1 : 0))",
            [date.description, codes, String(decoding: try JSONEncoder().encode(told), as: UTF8.self)])
        try execute(
            "UPDATE partitions SET warnings = ?, accepted_as_is = ? WHERE log_date = ?",
            [codes, isAccepted ? 1 : 0, date.description])
    }

    /// Rows of daily_funnel and hourly_actions. A tenth of each count comes with the next log date.
    func add(_ date: LogDate, _ all: [Messages]) throws {
        let day = date.description
        let logDates = [day, date.adding(days: 1).description]
        func parts(_ count: Int) -> [Int] { [count - count / 10, count / 10] }
        let epoch = date.dayNumber * 86_400
        for it in all {
            let day24 = it.openedIn24Hours ?? it.opened * 9 / 10
            let seen = it.opened
            let opened = [
                "10s": day24 / 20, "1m": day24 / 10, "5m": day24 / 4, "15m": day24 / 3, "30m": day24 / 3,
                "1h": day24 / 2, "2h": day24 / 2, "6h": day24 * 3 / 4, "12h": day24 * 3 / 4, "24h": day24, "72h": seen,
                "7d": seen,
            ]
            var counts = [
                "messages": it.messages, "impressed": it.impressed, "clicked": it.clicked, "opened": it.opened,
                "dismissed": max(0, it.clicked - it.opened), "opened_without_click": it.opened / 10,
                "opened_without_impression": it.opened / 8, "opened_impressed": it.opened - it.opened / 8,
                "opened_seen": seen,
            ]
            for (limit, messages) in opened { counts["opened_\(limit)"] = messages }
            for (index, logDate) in logDates.enumerated() {
                var row: [String: any Storable] = [
                    "day": day, "day_start": "\(day) 00:00:00", "day_epoch": epoch, "log_date": logDate,
                    "platform": it.platform, "delivery_id": it.delivery,
                ]
                for (column, count) in counts { row[column] = parts(count)[index] }
                try insert(row, into: OutputSchema.dailyFunnel)
                for (action, events) in [("impression", it.impressed), ("click", it.clicked), ("open", it.opened)] {
                    try execute(
                        """
                        INSERT INTO hourly_actions VALUES (?, ?, ?, ?, 19, ?, ?, 'adobe', ?, ?, ?, 5)
                        ON CONFLICT DO UPDATE SET events = events + excluded.events
                        """,
                        [
                            day, "\(day) 00:00:00", epoch, logDate, epoch + 68_400, "\(day) 19:00:00", it.platform,
                            action, parts(events)[index],
                        ])
                }
            }
        }
    }

    /// Inserts a row. Counts that are not given are 0, and other values NULL.
    private func insert(
        _ row: [String: any Storable], into table: Partitions.Table, _ verb: String = "INSERT"
    ) throws {
        let values = table.columns.map { row[$0.name] != nil ? "?" : $0.mayBeNull ? "NULL" : "0" }
        try execute(
            "\(verb) INTO \(table.name) VALUES (\(values.joined(separator: ", ")))",
            table.columns.compactMap { row[$0.name] })
    }

    /// Fills the tables that follow from the others.
    func addUp() throws {
        let sums = OutputSchema.dailyFunnel.columns.filter { $0.kind == .additive }.map { "sum(\($0.name))" }
            .joined(separator: ", ")
        for table in ["daily_totals", "days", "deliveries", "delivery_results"] { try execute("DELETE FROM \(table)") }
        try execute(
            """
            INSERT INTO daily_totals SELECT day, day_start, day_epoch, platform, sum(impressed + clicked + opened),
                sum(opened) / 5, \(sums), NULL, NULL, NULL, NULL FROM daily_funnel GROUP BY day, platform
            """)
        try execute(
            """
            INSERT INTO days SELECT day, day_start, day_epoch,
                (SELECT status FROM partitions WHERE log_date = day), sum(events), sum(messages),
                (SELECT count(*) FROM partitions WHERE log_date > day AND log_date <= date(day, '+30 days')),
                (SELECT count(*) > 0 FROM partitions WHERE log_date > date(day, '+30 days')) FROM daily_totals GROUP BY day
            """)
        try execute(
            """
            INSERT INTO deliveries SELECT delivery_id, NULL, NULL, NULL, NULL, 0, min(day), max(day) FROM daily_funnel
            GROUP BY delivery_id
            """)
        let known = ["delivery_id": "delivery_id", "first_day": "min(day)", "last_day": "max(day)"]
        let results = OutputSchema.deliveryResults.columns.map { column in
            known[column.name] ?? (column.mayBeNull ? "NULL" : "sum(\(column.name))")
        }
        try execute(
            "INSERT INTO delivery_results SELECT \(results.joined(separator: ", ")) FROM daily_funnel GROUP BY delivery_id"
        )
    }

    /// What a delivery file would say.
    /// - Parameter day: the day that it was sent on.
    func name(
        _ delivery: String, _ label: String, campaign: String? = nil, variant: String? = nil, day: LogDate? = nil,
        sent: Int? = nil
    ) throws {
        for table in [OutputSchema.deliveries, OutputSchema.deliveryResults] {
            try insert(["delivery_id": delivery], into: table, "INSERT OR IGNORE")
        }
        try execute(
            "UPDATE deliveries SET label = ?, campaign = ?, variant = ?, in_file = 1 WHERE delivery_id = ?",
            [label, campaign, variant, delivery])
        try execute(
            """
            UPDATE delivery_results SET label = ?, campaign = ?, variant = ?, sent_day = ?, sent = ?, sent_from = ?
            WHERE delivery_id = ?
            """, [label, campaign, variant, day?.description, sent, sent.map { _ in "file" }, delivery])
    }

    func report(_ request: ReportRequest = ReportRequest()) throws -> Report {
        try Report(of: OutputDatabase(folder)) { _ in request }
    }

    func page(_ request: ReportRequest = ReportRequest()) throws -> ParsedPage {
        try ParsedPage(try report(request).html)
    }
}
