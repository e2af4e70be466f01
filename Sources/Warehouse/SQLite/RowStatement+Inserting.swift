import GRDB

extension RowStatement {
    /// The number of rows per statement. More rows gain nothing.
    private static let rowsAtATime = 16

    /// Inserts `count` rows, several per statement, because starting a statement costs SQLite as much as a row. `bind`
    /// binds the values of `row`. The values of the row `before`, if there is one, are still bound to the same
    /// parameters.
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
                for index in rows.indices {
                    try bind(rows[index], row, row - size < start ? nil : row - size)
                    row += 1
                }
                try statement.execute()
            }
        }
    }
}
