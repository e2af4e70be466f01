import Counting
import SQLite

/// A table of the ledger with what log dates contribute to tables of push.db.
package struct LedgerTable: Sendable {
    package let name: String
    /// The key without `log_date` and `part`.
    package let key: [String]
    package let values: [String]
    /// What names the rows that are still to be written.
    let touched: ToDoList

    private static let counts = ["events", "duplicates"]
    private static let funnelColumns = FunnelColumn.allCases.map(\.name)

    package static let actions = LedgerTable(
        name: "actions", key: ToDoList.actions.columns, values: counts,
        touched: .actions)
    static let funnel = LedgerTable(
        name: "funnel", key: ToDoList.funnel.columns, values: funnelColumns,
        touched: .funnel)
    static let hours = LedgerTable(
        name: "hours", key: ["day", "hour", "hour_epoch", "source", "platform", "action"], values: counts,
        touched: .days)
    static let paths = LedgerTable(
        name: "paths", key: ["day", "platform", "has_arrival", "has_impression", "has_click", "has_open"],
        values: FunnelColumn.ofPaths.map(\.name),
        touched: .days)
    static let byDelivery = LedgerTable(
        name: "by_delivery", key: ["delivery_id", "platform"], values: ["first_day", "last_day"] + funnelColumns,
        touched: .deliveries)

    package static let all = [actions, funnel, hours, paths, byDelivery]

    /// The rows of a part of a log date are written into a temporary table of this first.
    var replacement: RowReplacement {
        let ofPart = ["log_date", "part"]
        return RowReplacement(name, columns: key + ofPart + values, key: key + ofPart)
    }

    /// Whether the sums of both parts of a log date are others than the new rows, which are removed.
    package func differs(from logDate: String, in database: Database) throws -> Bool {
        let counts = values.filter { !$0.hasSuffix("_day") }
        func selection(_ table: String, _ arguments: String) -> String {
            let sums = values.map {
                $0.hasPrefix("first") ? "min(\($0))" : $0.hasPrefix("last") ? "max(\($0))" : "sum(\($0))"
            }
            let isThere = counts.map { "sum(\($0)) <> 0" }.joined(separator: " OR ")
            return "SELECT \((key + sums).joined(separator: ", ")) FROM \(table) \(arguments) "
                + "GROUP BY \(key.joined(separator: ", ")) HAVING \(isThere)"
        }
        let (known, new) = (selection(name, "WHERE log_date = ?"), selection(replacement.new, ""))
        let found = try ["\(known) EXCEPT \(new)", "\(new) EXCEPT \(known)"].contains { sql in
            try database.hasRow(sql, .of(logDate))
        }
        try replacement.clear(in: database)
        return found
    }

    /// SQL that adds new rows to those that stand.
    var addition: String {
        let sums = values.map { column in
            switch column {
            case "first_day": "first_day = coalesce(min(first_day, excluded.first_day), first_day, excluded.first_day)"
            case "last_day": "last_day = coalesce(max(last_day, excluded.last_day), last_day, excluded.last_day)"
            default: "\(column) = \(column) + excluded.\(column)"
            }
        }
        return "ON CONFLICT (\((key + ["log_date", "part"]).joined(separator: ", "))) DO UPDATE SET "
            + sums.joined(separator: ", ")
    }

    /// SQL that is true for a row that says something.
    var hasValues: String {
        values.map { $0.hasSuffix("_day") ? "\($0) IS NOT NULL" : "\($0) <> 0" }.joined(separator: " OR ")
    }

    /// Adds the new rows to those that stand, and notes them.
    package func add(in database: Database) throws {
        assert(database.isInTransaction)
        let (rows, ofPart) = (replacement, (key + ["log_date", "part"]).joined(separator: ", "))
        try note(["\(rows.new) WHERE true"], in: database)
        for sql in [
            "INSERT INTO \(rows.table) SELECT * FROM \(rows.new) WHERE true \(addition)",
            "DELETE FROM \(rows.table) WHERE (\(ofPart)) IN (SELECT \(ofPart) FROM \(rows.new)) AND NOT (\(hasValues))",
        ] {
            try database.execute(sql, [])
        }
        try rows.clear(in: database)
    }

    /// Notes what push.db still lacks, unless all of it will be compared.
    /// - Parameter rows: those that differ: each what follows FROM, with a condition.
    private func note(_ rows: [String], _ values: [DatabaseValue] = [], in database: Database) throws {
        assert(database.isInTransaction)
        let columns = touched.columns.joined(separator: ", ")
        let rows = rows.map { "SELECT \(columns) FROM \($0) AND NOT EXISTS (SELECT 1 FROM facts WHERE key = 'all')" }
        try database.execute("INSERT OR IGNORE INTO \(touched.table) \(rows.joined(separator: " UNION ALL "))", values)
    }

    /// What follows FROM for the rows of a part of a log date.
    private var ofPart: String {
        "\(name) AS old INDEXED BY \(name)_by_log_date WHERE old.log_date = ? AND old.part = ?"
    }

    /// Notes all rows of a part of a log date, which had none before.
    func noteAll(_ part: LedgerPart, of logDate: String, in database: Database) throws {
        try note([ofPart], .of(logDate, part.rawValue), in: database)
    }

    /// Replaces the rows of a part of a log date by the new ones, and notes what differs.
    package func replace(_ part: LedgerPart, of logDate: String, in database: Database) throws {
        assert(database.isInTransaction)
        let rows = replacement
        try rows.find(among: ofPart, .of(logDate, part.rawValue), in: database)
        try note(["\(rows.came) WHERE true", "\(rows.former) WHERE true"], in: database)
        try rows.apply(in: database)
        try rows.clear(in: database)
    }
}

/// A table of the ledger with what is still to be written to push.db.
struct ToDoList: Sendable {
    let table: String
    let columns: [String]
    var isByDay: Bool { columns[0] == "day" }

    static let actions = ToDoList(
        table: "touched_actions", columns: ["day", "delivery_id", "platform", "source", "action"])
    static let funnel = ToDoList(table: "touched_funnel", columns: ["day", "delivery_id", "platform"])
    static let days = ToDoList(table: "touched_days", columns: ["day"])
    static let deliveries = ToDoList(table: "touched_deliveries", columns: ["delivery_id"])
    static let logDates = ToDoList(table: "touched_log_dates", columns: ["log_date"])
    static let all = [actions, funnel, days, deliveries, logDates]
}

/// Which rows of a log date: those that it would have if it were alone, or what its shared messages change in them.
package enum LedgerPart: Int {
    case alone = 0
    case shared = 1
}
