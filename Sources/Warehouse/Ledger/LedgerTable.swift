import Counting
import SQLite

/// A table of the ledger with what log dates contribute to tables of push.db.
struct LedgerTable: Sendable {
    let name: String
    /// The key without `log_date` and `part`.
    let key: [String]
    let values: [String]
    /// Which tables of `touched_…` name its rows, and by which columns.
    let touched: [(table: String, columns: [String])]

    private static let counts = ["events", "duplicates"]
    private static let funnelColumns = FunnelColumn.allCases.map(\.name)

    static let actions = LedgerTable(
        name: "actions", key: ["day", "delivery_id", "platform", "source", "action"], values: counts,
        touched: [("touched_actions", ["day", "delivery_id", "platform", "source", "action"])])
    static let funnel = LedgerTable(
        name: "funnel", key: ["day", "delivery_id", "platform"], values: funnelColumns,
        touched: [("touched_funnel", ["day", "delivery_id", "platform"])])
    static let hours = LedgerTable(
        name: "hours", key: ["day", "hour", "hour_epoch", "source", "platform", "action"], values: counts,
        touched: [("touched_days", ["day"])])
    static let paths = LedgerTable(
        name: "paths", key: ["day", "platform", "has_arrival", "has_impression", "has_click", "has_open"],
        values: FunnelColumn.ofPaths.map(\.name),
        touched: [("touched_days", ["day"])])
    static let byDelivery = LedgerTable(
        name: "by_delivery", key: ["delivery_id", "platform"], values: ["first_day", "last_day"] + funnelColumns,
        touched: [("touched_deliveries", ["delivery_id"])])

    static let all = [actions, funnel, hours, paths, byDelivery]

    /// All columns, in the order of the table's definition.
    var columns: [String] { key + ["log_date", "part"] + values }

    /// The rows that a log date is to have are written here first.
    private var newName: String { "temp.new_\(name)" }
    /// Those of them that are new or other than before, and the keys of those that are gone.
    private var cameName: String { "temp.came_\(name)" }
    private var goneName: String { "temp.gone_\(name)" }

    private var primaryKey: [String] { key + ["log_date", "part"] }

    /// Inserts a new row.
    var insertion: String {
        "INSERT INTO \(newName) VALUES (\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))"
    }

    /// Makes the tables for new rows, which are temporary.
    func createTemporary(in database: Database) throws {
        let keyList = primaryKey.joined(separator: ", ")
        try database.execute(
            sql: """
                CREATE TABLE \(newName) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(keyList))) WITHOUT ROWID;
                CREATE TABLE \(cameName) AS SELECT * FROM \(name) WHERE 0;
                CREATE TABLE \(goneName) AS SELECT \(keyList) FROM \(name) WHERE 0
                """)
    }

    /// Replaces the rows of a part of a log date by the new ones, and notes what differs.
    /// - Parameter isFirst: whether there are no rows yet.
    func replace(
        _ part: LedgerPart, of logDate: String, isFirst: Bool = false, in database: Database
    ) throws {
        func run(_ sql: String, _ arguments: [DatabaseValue] = []) throws {
            try database.cachedStatement(sql: sql).execute(arguments)
        }
        func equal(_ columns: [String]) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        let keyList = primaryKey.joined(separator: ", ")
        try run(
            "INSERT INTO \(cameName) SELECT new.* FROM \(newName) AS new LEFT JOIN \(name) AS old "
                + "ON \(equal(primaryKey)) WHERE NOT (\(equal(key.prefix(1) + values)))")
        if !isFirst {
            try run(
                "INSERT INTO \(goneName) SELECT \(primaryKey.map { "old.\($0)" }.joined(separator: ", ")) "
                    + "FROM \(name) AS old INDEXED BY \(name)_by_log_date LEFT JOIN \(newName) AS new "
                    + "ON \(equal(primaryKey)) WHERE old.log_date = ? AND old.part = ? AND new.part IS NULL",
                .of(logDate, part.rawValue))
            try run("DELETE FROM \(name) WHERE (\(keyList)) IN (SELECT \(keyList) FROM \(goneName))")
        }
        for (table, columns) in touched {
            let list = columns.joined(separator: ", ")
            try run(
                "INSERT OR IGNORE INTO \(table) SELECT \(list) FROM \(cameName) "
                    + "UNION ALL SELECT \(list) FROM \(goneName)")
        }
        try run(
            "INSERT INTO \(name) SELECT * FROM \(cameName) WHERE true ON CONFLICT (\(keyList)) DO UPDATE SET "
                + values.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        for table in [newName, cameName, goneName] { try run("DELETE FROM \(table)") }
    }
}

/// Which rows of a log date: those that it would have if it were alone, or what its shared messages change in them.
enum LedgerPart: Int {
    case alone = 0
    case shared = 1
}
