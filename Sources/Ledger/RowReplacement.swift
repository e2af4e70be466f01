import SQLite

/// Replaces rows of a table by new ones, and writes only those that differ.
///
/// The new rows come into a temporary table first. Then `find` compares, and two more temporary tables have the result: the rows
/// that come, and those that were there before, changed ones included.
package struct RowReplacement: Sendable {
    /// In the schema `main`.
    private let name: String
    private let columns: [String]
    private let key: [String]

    init(_ name: String, columns: [String], key: [String]) {
        assert(Set(key).isSubset(of: columns))
        (self.name, self.columns, self.key) = (name, columns, key)
    }

    var table: String { "main.\(name)" }
    var new: String { "temp.new_\(name)" }
    var came: String { "temp.came_\(name)" }
    var former: String { "temp.former_\(name)" }

    /// How the new rows differ from those that stand.
    package struct Differences {
        /// Rows that come, are changed or go.
        package var count = 0
        /// Rows that are changed or go.
        package var ofKnownKeys = 0

        package static func + (a: Differences, b: Differences) -> Differences {
            Differences(count: a.count + b.count, ofKnownKeys: a.ofKnownKeys + b.ofKnownKeys)
        }
    }

    private var keyList: String { key.joined(separator: ", ") }

    /// Makes the temporary tables. Their columns have the types of the table's: SQLite uses no key to compare different types.
    func createTables(in database: Database) throws {
        let columns: [String] = try database.column(
            "SELECT name || ' ' || type FROM pragma_table_info(?, 'main')", .of(name))
        let typed = columns.joined(separator: ", ")
        try database.execute(
            """
            CREATE TABLE \(new) (\(typed), PRIMARY KEY (\(keyList))) WITHOUT ROWID;
            CREATE TABLE \(came) (\(typed));
            CREATE TABLE \(former) (\(typed))
            """)
    }

    /// Inserts a row into a table with these columns.
    func insertion(into table: String) -> String {
        "INSERT INTO \(table) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// Compares the new rows with those that stand.
    /// - Parameter standing: SQL that follows FROM and gives the rows `old` that the new ones replace.
    @discardableResult
    func find(
        among standing: String, _ values: [DatabaseValue] = [], in database: Database
    ) throws -> Differences {
        func equal(_ columns: some Sequence<String>) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        // A row that is not there has a NULL in its key.
        let others = key.prefix(1) + columns.filter { !key.contains($0) }
        let come = try run(
            "INSERT INTO \(came) SELECT new.* FROM \(new) AS new LEFT JOIN \(table) AS old ON \(equal(key)) "
                + "WHERE NOT (\(equal(others)))", in: database)
        let changed = try run(
            "INSERT INTO \(former) SELECT old.* FROM \(came) AS new CROSS JOIN \(table) AS old ON \(equal(key))",
            in: database)
        let gone = try run(
            "INSERT INTO \(former) SELECT old.* FROM \(standing) AND NOT EXISTS (SELECT 1 FROM \(new) AS new WHERE \(equal(key)))",
            values, in: database)
        assert(changed <= come)
        return Differences(count: come + gone, ofKnownKeys: changed + gone)
    }

    /// Writes what `find` has found. All former rows go first: rows may exchange values of which a unique index of others allows
    /// no second one.
    func apply(in database: Database) throws {
        assert(database.isInTransaction)
        try run("DELETE FROM \(table) WHERE (\(keyList)) IN (SELECT \(keyList) FROM \(former))", in: database)
        try run("INSERT INTO \(table) SELECT * FROM \(came)", in: database)
    }

    /// Empties the temporary tables.
    func clear(in database: Database) throws {
        for table in [new, came, former] { try run("DELETE FROM \(table)", in: database) }
    }

    /// Returns the number of rows that were written or deleted.
    @discardableResult
    private func run(_ sql: String, _ values: [DatabaseValue] = [], in database: Database) throws -> Int {
        try database.execute(sql, values)
        return database.changes
    }
}
