import SQLite

/// Replaces rows of a table by new ones, and writes only those that differ.
///
/// The new rows come into a temporary table first. Then `find` compares, and two more temporary tables have the result: the rows
/// that come, and the keys of those that go.
struct RowReplacement: Sendable {
    /// In the schema `main`.
    private let name: String
    private let columns: [String]
    private let key: [String]

    init(_ name: String, columns: [String], key: [String]) {
        (self.name, self.columns, self.key) = (name, columns, key)
    }

    var table: String { "main.\(name)" }
    var new: String { "temp.new_\(name)" }
    var came: String { "temp.came_\(name)" }
    var gone: String { "temp.gone_\(name)" }

    private var keyList: String { key.joined(separator: ", ") }

    /// Makes the temporary tables. Their columns have the types of the table's: SQLite uses no key to compare different types.
    func createTables(in database: Database) throws {
        let typed = try String.fetchAll(
            database, sql: "SELECT name || ' ' || type FROM pragma_table_info(?, 'main')", arguments: [name]
        ).joined(separator: ", ")
        try database.execute(
            sql: """
                CREATE TABLE \(new) (\(typed), PRIMARY KEY (\(keyList))) WITHOUT ROWID;
                CREATE TABLE \(came) (\(typed));
                CREATE TABLE \(gone) AS SELECT \(keyList) FROM \(table) WHERE 0
                """)
    }

    /// Inserts a new row.
    var insertion: String { "INSERT INTO \(new) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))" }

    /// Compares the new rows with those that stand.
    /// - Parameter standing: SQL that follows FROM and gives the rows `old` that the new ones replace; nil if there are none.
    func find(among standing: String?, _ arguments: [DatabaseValue] = [], in database: Database) throws {
        func equal(_ columns: some Sequence<String>) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        // A row that is not there has a NULL in its key.
        let values = key.prefix(1) + columns.filter { !key.contains($0) }
        try run(
            "INSERT INTO \(came) SELECT new.* FROM \(new) AS new LEFT JOIN \(table) AS old ON \(equal(key)) "
                + "WHERE NOT (\(equal(values)))", in: database)
        guard let standing else { return }
        try run(
            "INSERT INTO \(gone) SELECT \(key.map { "old.\($0)" }.joined(separator: ", ")) FROM \(standing) "
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
