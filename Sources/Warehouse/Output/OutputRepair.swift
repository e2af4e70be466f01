import GRDB

/// Makes tables of the output DB again, within a transaction that then fills them. Tables, views and indexes of others
/// are preserved; triggers on our tables are not.
final class OutputRepair {
    private let check: OutputCheck
    private var indexes: [(name: String, sql: String)] = []

    init(_ check: OutputCheck) {
        self.check = check
    }

    private var tables: [Table] { OutputSchema.tables.filter { check.rewritten.contains($0.name) } }

    /// Makes the tables. They are empty, except tables that cannot be computed again.
    func begin(in database: Database, _ file: DatabaseFile) throws {
        guard check.needsWriting else { return }
        for name in check.faults.triggers { try database.execute(sql: "DROP TRIGGER \(name.quotedDatabaseIdentifier)") }
        for table in tables {
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql <> ''",
                arguments: [table.name])
            for row in rows {
                let (name, sql) = (try row.decode(String.self, atIndex: 0), try row.decode(String.self, atIndex: 1))
                if !OutputSchema.formerIndexes.contains(name) { indexes.append((name, sql)) }
            }
            let isHistory = OutputSchema.history.contains { $0.name == table.name }
            let history = isHistory ? table.readableRows(in: database) : []
            try OutputRepair.drop(table.name, in: database)
            try database.execute(sql: table.creation)
            for row in history { _ = try table.insertIfNew(row, into: database) }
        }
        try OutputStatistics.write(to: database)
        try file.mark(database)
    }

    /// Creates the indexes of others after the rows are inserted. Returns the names of those that no longer fit the
    /// tables.
    func end(in database: Database) throws -> [String] {
        return indexes.compactMap { name, sql in
            (try? database.execute(sql: sql)) == nil ? name : nil
        }
    }

    /// Drops the table, view or index with this name.
    private static func drop(_ name: String, in database: Database) throws {
        let type = try String.fetchOne(
            database, sql: "SELECT type FROM sqlite_master WHERE name = ? AND type <> 'trigger'", arguments: [name])
        guard let type else { return }
        try database.execute(sql: "DROP \(type.uppercased()) \(name)")
    }
}
