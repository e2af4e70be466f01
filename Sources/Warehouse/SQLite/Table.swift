import SQLite

/// The definition of a table: the SQL that creates it, and what `columns_help` says about its columns.
package struct Table: Sendable {
    package let name: String
    package let columns: [Column]
    /// The columns of the primary key, in key order.
    package let key: [String]
    /// Computed once, because many thousands of rows are inserted.
    let insertion: String

    init(name: String, columns: [Column], key: [String]) {
        self.name = name
        self.columns = columns
        self.key = key
        let names = columns.map(\.name).joined(separator: ", ")
        let parameters = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        insertion = "INSERT INTO main.\(name) (\(names)) VALUES (\(parameters))"
    }

    var creation: String {
        let lines = columns.map { "  \($0.name) \($0.type.rawValue)\($0.mayBeNull ? "" : " NOT NULL")" }
        let definition = (lines + ["  PRIMARY KEY (\(key.joined(separator: ", ")))"]).joined(separator: ",\n")
        return "CREATE TABLE \(name) (\n\(definition)\n) WITHOUT ROWID"
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
        try database.execute(insertion, values)
    }

    /// Returns false if there is a row with the same key already.
    func insertIfNew(_ values: [DatabaseValue], into database: Database) throws -> Bool {
        try database.execute("\(insertion) ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING", values)
        return database.changes > 0
    }
}

extension String {
    /// The name of a table or a column for SQL.
    var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
