import Events
import SQLite

extension Statement {
    /// Binds values to the parameters of a statement, from the first one on. Bound values remain bound.
    struct Binder: ValueSink {
        let statement: Statement
        private var index: Int32 = 0

        init(_ statement: Statement) {
            self.statement = statement
        }

        mutating func addNull() throws { try statement.bindNull(next()) }
        mutating func add(_ number: Int64) throws { try statement.bind(number, next()) }
        mutating func add(_ number: Double) throws { try statement.bind(number, next()) }
        mutating func add(text: Span<UInt8>) throws { try statement.bind(text: text, next()) }
        mutating func add(blob: Span<UInt8>) throws { try statement.bind(blob: blob, next()) }

        /// Executes the statement. The next value is that of the first parameter again.
        mutating func execute() throws {
            try statement.execute()
            index = 0
        }

        private mutating func next() -> Int32 {
            index += 1
            return index
        }
    }

    /// Binds a value to each `?` and executes the statement.
    func execute(_ values: [DatabaseValue]) throws {
        try bind(values)
        try execute()
    }

    /// The number of rows per statement. More rows gain nothing.
    private static let rowsAtATime = 16

    /// Inserts rows, several per statement, because starting a statement costs SQLite as much as a row.
    /// - Parameter insertion: the SQL up to the name of the table, the number of its columns, and the end of the SQL.
    static func insert<Row: TableRow>(
        _ rows: [Row], _ names: EventNames = EventNames(), by insertion: (sql: String, columns: Int, end: String),
        in database: Database
    ) throws {
        let values = "(\(Array(repeating: "?", count: insertion.columns).joined(separator: ", ")))"
        var rest = rows[...]
        for size in [rowsAtATime, 1] where rest.count >= size {
            let all = Array(repeating: values, count: size).joined(separator: ", ")
            let statement = try Statement("\(insertion.sql) VALUES \(all)\(insertion.end)", in: database)
            while rest.count >= size {
                var binder = Binder(statement)
                for row in rest.prefix(size) { try row.write(names, to: &binder) }
                try statement.execute()
                rest = rest.dropFirst(size)
            }
        }
    }
}
