import SQLite

/// Reads rows of a database that anybody may have changed.
package struct CheckedReader {
    package let database: Database
    /// The path of the database, for errors.
    package let path: String

    package init(_ database: Database, path: String) {
        self.database = database
        self.path = path
    }

    /// Calls `body` with each row of a selection. A row is valid until `body` returns.
    package func forEach(
        _ sql: String, _ arguments: [String] = [], _ body: (CheckedRow) throws -> Void
    ) throws {
        let row = try Statement(sql, arguments, in: database)
        while try row.next() { try body(CheckedRow(row: row, path: path)) }
    }

    /// Checks the first and the last value of a column of dates with which a key begins. A value of another type or form is
    /// mostly one of the two, and a selection of some days would pass over it.
    package func checkEnds(of column: String, in table: String) throws {
        try forEach(
            """
            SELECT (SELECT \(column) FROM \(table) ORDER BY \(column) LIMIT 1) AS \(column), \
            (SELECT \(column) FROM \(table) ORDER BY \(column) DESC LIMIT 1) AS \(column)
            """
        ) { row in
            _ = (try row.optionalDate(0), try row.optionalDate(1))
        }
    }

    /// SQL for the sum of a column of counts, under the column's name. It is NULL if a value is no count: SQLite itself
    /// takes a text for 0.
    package static func sum(_ column: String) -> String {
        "CASE WHEN total(typeof(\(column)) <> 'integer' OR \(column) < 0) = 0 THEN sum(\(column)) END AS \(column)"
    }
}
