import CSQLite

extension Statement {
    /// Prepares the first statement of a text.
    package convenience init(
        _ sql: String, _ arguments: [any DatabaseValueConvertible] = [], in database: Database
    ) throws {
        var rest: UnsafePointer<CChar>?
        try self.init(sql, rest: &rest, database.handle)
        if !arguments.isEmpty { try bind(arguments.map(\.databaseValue)) }
    }
}

extension Row {
    /// All rows of a selection.
    package static func fetchAll(
        _ database: Database, sql: String, arguments: [any DatabaseValueConvertible] = []
    ) throws -> [Row] {
        let statement = try Statement(sql, arguments, in: database)
        let names = statement.columnNames
        var rows: [Row] = []
        while try statement.next() { rows.append(Row(columnNames: names, databaseValues: statement.values)) }
        return rows
    }

    /// The first row; nil if there is none.
    package static func fetchOne(
        _ database: Database, sql: String, arguments: [any DatabaseValueConvertible] = []
    ) throws -> Row? {
        let statement = try Statement(sql, arguments, in: database)
        guard try statement.next() else { return nil }
        return Row(columnNames: statement.columnNames, databaseValues: statement.values)
    }
}

extension DatabaseValueConvertible {
    /// The first value of the first row; nil if there is no row, or the value is NULL.
    package static func fetchOne(
        _ database: Database, sql: String, arguments: [any DatabaseValueConvertible] = []
    ) throws -> Self? {
        try Optional<Self>.fetchAll(database, sql: sql, arguments: arguments, limit: 1).first ?? nil
    }

    /// The first value of each row.
    package static func fetchAll(
        _ database: Database, sql: String, arguments: [any DatabaseValueConvertible] = [], limit: Int = .max
    ) throws -> [Self] {
        let statement = try Statement(sql, arguments, in: database)
        var values: [Self] = []
        while try values.count < limit && statement.next() { values.append(try statement.decode(Self.self, 0)) }
        statement.reset()
        return values
    }
}
