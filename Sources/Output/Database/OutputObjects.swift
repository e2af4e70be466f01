import Messages
import Partitions
import SQLite

/// A table, index, view or trigger of a push.db.
package struct OutputObject: Equatable, Sendable {
    let type: String
    package let name: String
    /// The table or view that it belongs to.
    let table: String
    package let sql: String

    /// Its type and name, for messages.
    var title: String { "\(type) \(name)" }
}

/// The tables, indexes, views and triggers of a push.db.
struct OutputObjects {
    let all: [OutputObject]
    /// The columns that the tables under our names have.
    private let columns: [String: Set<String>]

    init(_ database: Database) throws {
        let sql = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid"
        all = try database.rows(sql) { row in
            OutputObject(
                type: try row.read(0), name: try row.read(1), table: try row.read(2), sql: try row.read(3) ?? "")
        }
        columns = try Dictionary(
            OutputSchema.tables.map { table in
                (table.name, Set(try database.column("SELECT name FROM pragma_table_info(?)", .of(table.name))))
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether there is a table of ours, of whatever definition.
    func isOurs(_ name: String) -> Bool {
        OutputSchema.tables.contains { $0.name == name } && all.contains { $0.name == name && $0.type == "table" }
    }

    /// What others have made under the name of one of our tables: anything that is no table with the columns of its key.
    var namesakes: [String] {
        all.filter { object in
            // SQLite's names have no case.
            guard let table = OutputSchema.tables.first(where: { $0.name == object.name.lowercased() }) else {
                return false
            }
            return object.type != "table" || object.name != table.name
                || !Set(table.key).isSubset(of: columns[table.name] ?? [])
        }.map(\.title)
    }

    /// Whether these are tables of ours, whatever `application_id` is.
    var hasOutputTables: Bool {
        let names = Set(all.map(\.name))
        return names.contains(OutputSchema.publication.name) && names.contains(OutputSchema.columnsHelp.name)
    }

    /// Tables of ours that are missing or have another definition, sorted by name.
    var otherTables: [String] {
        OutputSchema.tables.filter { table in
            !all.contains { $0.name == table.name && $0.type == "table" && $0.sql == table.creation }
        }.map(\.name).sorted()
    }

    /// Columns that others have added to our tables.
    func foreignColumns(in database: Database) throws -> [(table: String, column: String)] {
        OutputSchema.tables.filter { isOurs($0.name) }.flatMap { table in
            (columns[table.name] ?? []).subtracting(table.columns.map(\.name)).map { (table.name, $0) }
        }
    }

    /// Triggers of others on our tables.
    var foreignTriggers: [OutputObject] { all.filter { $0.type == "trigger" && isOurs($0.table) } }

    /// The indexes of others on some of our tables, as SQL.
    func foreignIndexes(on tables: [String]) -> [OutputObject] {
        foreign.filter { $0.type == "index" && tables.contains($0.table) }
    }

    /// What others have added, without triggers on our tables and what SQLite makes by itself.
    var foreign: [OutputObject] {
        all.filter { object in
            if object.sql.isEmpty || object.name.hasPrefix("sqlite_") { return false }
            return switch object.type {
            case "table", "trigger": !isOurs(object.table)
            default: true
            }
        }
    }

    /// The indexes of others on our tables.
    var foreignIndexes: [String] {
        foreign.filter { $0.type == "index" && isOurs($0.table) }.map { "\($0.title) on \($0.table)" }
    }

    /// What stands in the way of writing our tables, such as an index with a collation that is not known here.
    func obstacles(in database: Database) -> [String] {
        OutputSchema.tables.compactMap { table in
            do {
                _ = try database.prepare("INSERT INTO \(table.name) SELECT * FROM \(table.name)")
                return nil
            } catch {
                return "\(table.name): \((error as? DatabaseError)?.message ?? "\(error)")"
            }
        }
    }
}

/// How push.db differed from what the last command left, and what was done about it.
package struct OutputRepair: Equatable, Sendable {
    /// Why SQLite could not read the file; nil if it could.
    package internal(set) var damage: String?
    /// The path under which the former file is kept; nil if all that was in it is there.
    package internal(set) var copy: String?
    /// Our tables in which something else had changed rows or columns, by name.
    package internal(set) var tables: [String] = []
    /// Settings of the file that were set back.
    package internal(set) var settings: [String] = []
    /// Triggers of others on our tables, which were removed.
    package internal(set) var triggers: [OutputObject] = []

    /// How push.db differed from what the last command had left, and what was done about it.
    package func message(at path: String) -> Message {
        let kept: MessageText = copy.map { "; the former file is kept as \(path: $0)" } ?? ""
        if let damage {
            return .at(path, "repaired_output", "is damaged (\(damage)), so a new one was made\(kept)")
        }
        return .at(path, "repaired_output", "was changed by something else, and set back: \(changes)\(kept)")
    }

    private var changes: MessageText {
        var parts: [MessageText] = []
        if !tables.isEmpty {
            parts.append("\(tables.count == 1 ? "table" : "tables") \(tables.joined(separator: ", "))")
        }
        parts += settings.map { "the value of \($0)" }
        parts += triggers.map { "trigger \($0.name) on one of its tables (\($0.sql))" }
        return parts.joined(separator: "; ")
    }
}

/// What SQLite's planner is told about the tables: fixed numbers, typical of two years with 500 deliveries a day. So the
/// same question has the same plan in every push.db, and none needs an index beside the keys.
package enum OutputStatistics {
    /// For each table: its rows, then the average number of rows that are equal in the first column of the key, in the
    /// first two, and so on.
    private static let rows: [(table: Table, numbers: [Int])] = [
        (OutputSchema.dailyActions, [4_380_000, 6000, 12, 4, 3, 1]),
        (OutputSchema.dailyFunnel, [1_095_000, 1500, 3, 1]),
        (OutputSchema.dailyTotals, [2190, 3, 1]),
        (OutputSchema.hourlyActions, [210_240, 288, 12, 12, 6, 3, 1]),
        (OutputSchema.dailyLateness, [17_520, 24, 3, 1]),
        (OutputSchema.dailyPaths, [21_900, 30, 10, 8, 4, 2, 1]),
        (OutputSchema.deliveries, [73_000, 1]),
        (OutputSchema.deliveryResults, [73_000, 1]),
        (OutputSchema.deliveryPlatforms, [219_000, 3, 1]),
        (OutputSchema.days, [730, 1]),
        (OutputSchema.calendar, [730, 1]),
    ]

    private static let ours = "tbl IN (\(OutputSchema.tables.map { "'\($0.name)'" }.joined(separator: ", ")))"

    /// Whether a push.db has all of them, and no others of our tables.
    package static func areComplete(in database: Database) throws -> Bool {
        guard try database.hasTable("sqlite_stat1") else { return false }
        let found: [String] = try database.column(
            "SELECT tbl || '|' || coalesce(idx, '') || '|' || coalesce(stat, '') FROM sqlite_stat1 WHERE \(ours)")
        return found.sorted() == rows.map { "\($0.name)|\($0.name)|\(stat($1))" }.sorted()
    }

    private static func stat(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: " ") }

    static func write(to database: Database) throws {
        // Makes the table of statistics, and analyses no other table.
        try database.execute("ANALYZE sqlite_master")
        try database.execute("DELETE FROM sqlite_stat1 WHERE \(ours)")
        for (table, numbers) in rows {
            try database.execute(
                "INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)",
                .of(table.name, table.name, stat(numbers)))
        }
    }
}
