import Foundation
import SQLite
import Support

/// What a push.db has, as sqlite3 would show it. It is read from a copy, so that the file and its journal stay as they are.
struct PushSnapshot {
    /// A table, view, index or trigger, or the rows of a table.
    struct Object: Equatable {
        let type: String
        let table: String
        let sql: String
        /// Nil if they cannot be read, and if it has none.
        var rows: [[String]]?
    }

    /// The program's tables, but for the histories of commands.
    static let figures = [
        "daily_actions", "daily_funnel", "daily_totals", "hourly_actions", "daily_paths", "days",
        "calendar", "about", "partitions", "files", "outcomes", "columns_help", "deliveries",
        "delivery_results", "delivery_platforms",
    ]
    /// The first of them, by day.
    private static let daily = figures.prefix(5)
    static let history = ["runs", "changes", "loads"]
    /// Nor does `held` follow from partitions alone.
    static let own = Set(figures + history + ["held"])

    /// By name: the program's tables.
    private(set) var tables: [String: Object] = [:]
    /// By name: what others have added, triggers and indexes on the program's tables included.
    private(set) var others: [String: Object] = [:]
    /// `application_id`, `user_version`, `journal_mode`.
    private(set) var settings: [String] = []
    private(set) var statistics: [[String]] = []
    private var versions: [[String]] = []
    /// Why something could not be read.
    private(set) var faults: [String] = []

    /// Rows of the program's tables, definitions and settings: what a command must leave as it found it, or mend.
    func isLike(_ other: PushSnapshot) -> Bool {
        let names = PushSnapshot.own
        return names.allSatisfy { tables[$0] == other.tables[$0] } && settings == other.settings
            && statistics == other.statistics && faults.isEmpty && foreignTriggers == other.foreignTriggers
    }

    /// The tables in which a reader can see other rows.
    func visibleDifferences(from other: PushSnapshot) -> [String] {
        PushSnapshot.figures.filter { tables[$0] != other.tables[$0] }
    }

    /// The time with which its history begins, as a row of `about`.
    var historySince: [String]? { tables["about"]?.rows?.first { $0.contains("key=\"history_since\"") } }

    /// The rows of a table that a former push.db has not.
    func added(to table: String, since former: PushSnapshot) -> Set<[String]> {
        Set(tables[table]?.rows ?? []).subtracting(former.tables[table]?.rows ?? [])
    }

    static func day(of row: [String]) -> String? { row.first { $0.hasPrefix("day=") } }

    /// The days of which the daily tables have other rows.
    func daysChanged(since former: PushSnapshot) -> Set<String> {
        Set(
            PushSnapshot.daily.flatMap { table in
                added(to: table, since: former).union(former.added(to: table, since: self))
            }.compactMap(PushSnapshot.day))
    }

    /// The days that have figures.
    var days: Set<String> { Set((tables["daily_totals"]?.rows ?? []).compactMap(PushSnapshot.day)) }

    /// The log dates that have other partitions than in a former push.db.
    func logDatesChanged(since former: PushSnapshot) -> Set<String> {
        func partitions(_ snapshot: PushSnapshot) -> Set<[String]> {
            Set(snapshot.versions.map { row in row.filter { $0.hasPrefix("log_date=") || $0.hasPrefix("version=") } })
        }
        return Set(partitions(self).subtracting(partitions(former)).compactMap(PushSnapshot.logDate))
    }

    static func logDate(of row: [String]) -> String? { row.first { $0.hasPrefix("log_date=") } }

    /// The log dates of the table `partitions`, such as `2026-11-19`.
    var publishedDates: Set<String> {
        Set(
            (tables["partitions"]?.rows ?? []).compactMap { $0.first?.split(separator: "\"").dropFirst().first }.map(
                String.init))
    }

    /// The versions of the log dates.
    var publishedVersions: Set<[String]> {
        Set(versions.map { row in row.filter { $0.hasPrefix("log_date=") || $0.hasPrefix("version=") } })
    }

    var foreignTriggers: [String: Object] {
        others.filter { $0.value.type == "trigger" && PushSnapshot.own.contains($0.value.table) }
    }

    /// Nil if there is no file that can be opened as a database. One of a single byte is empty for SQLite, and damaged for us.
    /// The copy lies in a folder of its own.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 1,
            let folder = try? ScratchFolder()
        else { return nil }
        for suffix in ["", "-journal", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
            guard let data = FileManager.default.contents(atPath: path + suffix) else { continue }
            guard (try? data.write(to: folder.url.appendingPathComponent("push.db" + suffix))) != nil else {
                return nil
            }
        }
        do {
            try read(Database(folder.path("push.db")))
        } catch {
            return nil
        }
    }

    private mutating func read(_ database: Database) throws {
        for name in ["application_id", "user_version", "journal_mode"] {
            settings += try cells("PRAGMA \(name)", database).map { "\(name) \($0)" }
        }
        // Rows of others that break a rule of their own table are no damage.
        // With an unknown collation there is no check.
        let found: [String] = (try? database.column("PRAGMA quick_check")) ?? []
        faults += found.joined(separator: "\n").split(separator: "\n").filter { line in
            !["ok", "***", "NULL value in ", "CHECK constraint failed in "].contains { line.hasPrefix($0) }
        }.map(String.init)
        let rows = try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_master") { $0.values }
        for row in rows {
            let texts = row.map { if case .string(let text) = $0 { text } else { "" } }
            // SQLite reads a definition up to the first NUL.
            var object = Object(type: texts[0], table: texts[2], sql: String(texts[3].prefix { $0 != "\0" }))
            if texts[0] == "table" {
                do {
                    object.rows = try self.cells(
                        "SELECT * FROM \"\(texts[1].replacing("\"", with: "\"\""))\"", database)
                } catch {
                    faults.append("\(texts[1]): \(error)")
                }
            }
            if texts[1] == "sqlite_stat1" { statistics = object.rows ?? [] }
            if texts[1].hasPrefix("sqlite_") { continue }
            if texts[1] == "_log_dates" { versions = object.rows ?? [] }
            if texts[1].hasPrefix("_") { continue }
            if PushSnapshot.own.contains(texts[1]), texts[0] == "table" {
                tables[texts[1]] = object
            } else {
                others[texts[1]] = object
            }
        }
    }

    /// The rows, each as texts such as `events=7` and `day="2026-11-17"`.
    private func cells(_ sql: String, _ database: Database) throws -> [[String]] {
        var names: [String] = []
        return try database.rows(sql) { row in
            if names.isEmpty { names = row.columnNames }
            return zip(names, row.values).map { name, value in
                if case .string(let text) = value { "\(name)=\"\(text)\"" } else { "\(name)=\(value.text)" }
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
