import Calendar
import SQLite

// Checked reading, since any program may have changed push.db. A value that pushetl cannot have written is an error.

extension Statement {
    /// The largest plausible count. Eight million such counts add up without overflow.
    private static let largestCount = 1 << 40

    /// A count or a sum of counts: an integer from 0 to `largestCount`.
    package func count(_ column: Int) throws -> Int {
        let count: Int = try read(column)
        guard (0...Statement.largestCount).contains(count) else { throw error(in: column, "is not a count") }
        return count
    }

    /// A count that a delivery file names; nil for NULL.
    package func optionalCountOfAnySize(_ column: Int) throws -> Int? {
        let count: Int? = try read(column)
        if let count, count < 0 { throw error(in: column, "is not a count") }
        return count
    }

    package func date(_ column: Int) throws -> LogDate {
        guard let date = try optionalDate(column) else { throw error(in: column, "is not a date") }
        return date
    }

    /// Nil for NULL. A day of an event may lie in the year 0, which no log date has.
    package func optionalDate(_ column: Int) throws -> LogDate? {
        if type(column) == .null { return nil }
        guard case .string(let text) = value(column), let day = LogDate(ofDay: text) else {
            throw error(in: column, "is not a date")
        }
        return day
    }

    /// Checks the type of a column of a table.
    package func check(_ index: Int, as column: Table.Column) throws {
        switch (column.type, type(index)) {
        case (_, .null) where column.mayBeNull: break
        case (.integer, .integer), (.real, .real), (.text, .text), (.dateTime, .text): break
        case (.date, _): _ = try date(index)
        default: throw error(in: index, "is not of type \(column.type.rawValue)")
        }
    }
}

extension Database {
    /// The texts that a query returns, by the text in its first column.
    package func texts(_ sql: String) throws -> [String: String] {
        let rows = try rows(sql) { (try $0.read(0) as String, try $0.read(1) as String) }
        return Dictionary(rows, uniquingKeysWith: { first, _ in first })
    }

    package func hasTable(_ name: String) throws -> Bool {
        try hasRow("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", binding: .of(name))
    }

    /// Checks the first and the last date in a column with which a key begins. A value of another type or form usually
    /// sorts first or last, where a query for some days would miss it.
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
}
