import GRDB

/// The definition of a table: the SQL that creates it, and its rows in `columns_help`.
struct Table: Sendable {
    struct Column: Sendable {
        enum Kind: String, Sendable {
            case date = "DATE"
            case dateTime = "DATETIME"
            case integer = "INTEGER"
            case real = "REAL"
            case text = "TEXT"
            case blob = "BLOB"
        }

        let name: String
        let kind: Kind
        let mayBeNull: Bool
        /// The unit, the formula, and what the column counts.
        let help: String

        static func required(_ name: String, _ kind: Kind, _ help: String) -> Column {
            Column(name: name, kind: kind, mayBeNull: false, help: help)
        }

        static func optional(_ name: String, _ kind: Kind, _ help: String) -> Column {
            Column(name: name, kind: kind, mayBeNull: true, help: help)
        }
    }

    let name: String
    let columns: [Column]
    /// The columns of the primary key, in key order.
    let key: [String]
    let indexes: [[String]]
    /// Computed once, because many thousands of rows are inserted.
    let insertion: String

    init(name: String, columns: [Column], key: [String], indexes: [[String]] = []) {
        self.name = name
        self.columns = columns
        self.key = key
        self.indexes = indexes
        let names = columns.map(\.name).joined(separator: ", ")
        let parameters = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        insertion = "INSERT INTO \(name) (\(names)) VALUES (\(parameters))"
    }

    /// The table without its indexes.
    var creation: String {
        let lines = columns.map { "  \($0.name) \($0.kind.rawValue)\($0.mayBeNull ? "" : " NOT NULL")" }
        let definition = (lines + ["  PRIMARY KEY (\(key.joined(separator: ", ")))"]).joined(separator: ",\n")
        return "CREATE TABLE \(name) (\n\(definition)\n) WITHOUT ROWID"
    }

    var indexNames: [String] { indexes.map { "\(name)_by_\($0[0])" } }

    var indexCreations: [String] {
        zip(indexNames, indexes).map { "CREATE INDEX \($0) ON \(name) (\($1.joined(separator: ", ")))" }
    }

    /// Selects all rows, sorted by key.
    var selection: String { selection(where: "") }

    /// Selects the rows of a date, which is the first column, sorted by key.
    var selectionOfDate: String { selection(where: "WHERE \(columns[0].name) = ? ") }

    private func selection(where condition: String) -> String {
        let order = key.joined(separator: ", ")
        return "SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(name) \(condition)ORDER BY \(order)"
    }

    func insert(_ values: [DatabaseValue], into database: Database) throws {
        try database.cachedStatement(sql: insertion).execute(arguments: StatementArguments(values))
    }

    /// Returns false if there is a row with the same key already.
    func insertIfNew(_ values: [DatabaseValue], into database: Database) throws -> Bool {
        let sql = insertion.replacing("INSERT INTO", with: "INSERT OR IGNORE INTO")
        try database.execute(sql: sql, arguments: StatementArguments(values))
        return database.changesCount > 0
    }
}
