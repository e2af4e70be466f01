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
    var newName: String { "new_\(name)" }

    var insertion: String {
        "INSERT INTO temp.\(newName) VALUES (\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))"
    }

    /// Makes the table for new rows, which is temporary.
    func createNew(in database: Database) throws {
        let sql = try String.fetchOne(
            database, sql: "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", arguments: [name])
        try database.execute(
            sql: (sql ?? "").replacing("CREATE TABLE \(name) ", with: "CREATE TEMP TABLE \(newName) ", maxReplacements: 1))
    }

    /// Replaces the rows of a part of a log date by the new ones, and notes what differs.
    func replace(_ part: LedgerPart, of logDate: String, in database: Database) throws {
        func equal(_ columns: [String]) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        func run(_ sql: String, _ arguments: [DatabaseValue] = []) throws {
            try database.cachedStatement(sql: sql).execute(arguments)
        }
        let primaryKey = key + ["log_date", "part"]
        let ofPart = "old.log_date = ? AND old.part = ?"
        let arguments: [DatabaseValue] = .of(logDate, part.rawValue)
        let isStanding = "EXISTS (SELECT 1 FROM \(name) AS old WHERE \(equal(columns)))"
        let stays = "EXISTS (SELECT 1 FROM temp.\(newName) AS new WHERE \(equal(columns)))"
        for (table, columns) in touched {
            let list = columns.joined(separator: ", ")
            let insertion = "INSERT OR IGNORE INTO \(table) SELECT \(list) FROM"
            try run("\(insertion) \(name) AS old WHERE \(ofPart) AND NOT \(stays)", arguments)
            try run("\(insertion) temp.\(newName) AS new WHERE NOT \(isStanding)")
        }
        try run(
            "DELETE FROM \(name) AS old WHERE \(ofPart) AND NOT EXISTS "
                + "(SELECT 1 FROM temp.\(newName) AS new WHERE \(equal(primaryKey)))", arguments)
        try run(
            "INSERT INTO \(name) SELECT * FROM temp.\(newName) AS new WHERE NOT \(isStanding) "
                + "ON CONFLICT (\(primaryKey.joined(separator: ", "))) DO UPDATE SET "
                + values.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        try run("DELETE FROM temp.\(newName)")
    }
}

/// Which rows of a log date: those that it would have if it were alone, or what its shared messages change in them.
enum LedgerPart: Int {
    case alone = 0
    case shared = 1
}
