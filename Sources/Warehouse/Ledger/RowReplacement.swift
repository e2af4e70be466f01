import SQLite

/// Replaces rows of a table by new ones, and writes only those that differ.
///
/// The new rows come into a temporary table first. Then `find` compares, and two more temporary tables have the result: the rows
/// that come, and the keys of those that go.
struct RowReplacement: Sendable {
    /// With its schema, such as `main.days`.
    private let table: String
    private let columns: [String]
    private let key: [String]
    /// For the names of the temporary tables.
    private let suffix: String

    init(_ schema: String, _ name: String, columns: [String], key: [String]) {
        (table, suffix) = ("\(schema).\(name)", name)
        (self.columns, self.key) = (columns, key)
    }

    var new: String { "temp.new_\(suffix)" }
    var came: String { "temp.came_\(suffix)" }
    var gone: String { "temp.gone_\(suffix)" }

    private var keyList: String { key.joined(separator: ", ") }

    /// Makes the temporary tables.
    func createTables(in database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE \(new) (\(columns.joined(separator: ", ")), PRIMARY KEY (\(keyList))) WITHOUT ROWID;
                CREATE TABLE \(came) (\(columns.joined(separator: ", ")));
                CREATE TABLE \(gone) (\(keyList))
                """)
    }

    /// Inserts a new row.
    var insertion: String { "INSERT INTO \(new) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))" }

    /// Compares the new rows with those that stand.
    /// - Parameters:
    ///   - scope: SQL that is true for the rows of `old` that the new ones replace; nil if there are none.
    ///   - index: the index by which these are found; nil for the key.
    func find(
        where scope: String?, _ arguments: [DatabaseValue] = [], indexedBy index: String? = nil, in database: Database
    ) throws {
        func equal(_ columns: some Sequence<String>) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        // A row that is not there has a NULL in its key.
        let values = key.prefix(1) + columns.filter { !key.contains($0) }
        try run(
            "INSERT INTO \(came) SELECT new.* FROM \(new) AS new LEFT JOIN \(table) AS old ON \(equal(key)) "
                + "WHERE NOT (\(equal(values)))", in: database)
        guard let scope else { return }
        try run(
            "INSERT INTO \(gone) SELECT \(key.map { "old.\($0)" }.joined(separator: ", ")) FROM \(table) AS old "
                + "\(index.map { "INDEXED BY \($0) " } ?? "")WHERE \(scope) "
                + "AND NOT EXISTS (SELECT 1 FROM \(new) AS new WHERE \(equal(key)))", arguments, in: database)
    }

    /// Writes what `find` has found.
    func apply(in database: Database) throws {
        let values = columns.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        let update = values.isEmpty ? "NOTHING" : "UPDATE SET \(values.joined(separator: ", "))"
        try run("DELETE FROM \(table) WHERE (\(keyList)) IN (SELECT \(keyList) FROM \(gone))", in: database)
        try run(
            "INSERT INTO \(table) SELECT * FROM \(came) WHERE true ON CONFLICT (\(keyList)) DO \(update)", in: database)
    }

    /// Empties the temporary tables.
    func clear(in database: Database) throws {
        for table in [new, came, gone] { try run("DELETE FROM \(table)", in: database) }
    }

    private func run(_ sql: String, _ arguments: [DatabaseValue] = [], in database: Database) throws {
        try database.cachedStatement(sql: sql).execute(arguments)
    }
}
