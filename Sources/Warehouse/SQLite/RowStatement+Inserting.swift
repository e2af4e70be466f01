import GRDB

extension RowStatement {
    /// Rows of one statement. More gain nothing.
    private static let rowsAtATime = 16

    /// Inserts `count` rows, several by one statement: to begin costs SQLite as much as a row. `bind` gives a statement the
    /// values of a row; those of the row `before`, if there is one, are bound in its place still.
    static func insert(
        _ count: Int, into table: String, columns: Int, in database: Database,
        bind: (_ statement: RowStatement, _ row: Int, _ before: Int?) throws -> Void
    ) throws {
        let values = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
        var row = 0
        for size in [rowsAtATime, 1] where count - row >= size {
            let all = Array(repeating: values, count: size).joined(separator: ", ")
            let statement = try RowStatement("INSERT INTO \(table) VALUES \(all)", in: database)
            let rows = (0..<size).map { statement.row($0, columns: columns) }
            let start = row
            while count - row >= size {
                for place in rows.indices {
                    try bind(rows[place], row, row - size < start ? nil : row - size)
                    row += 1
                }
                try statement.execute()
            }
        }
    }
}
