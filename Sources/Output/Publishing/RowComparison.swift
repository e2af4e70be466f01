import Partitions
import SQLite

/// Replaces a log date's rows of a table, and writes only the rows that differ.
///
/// New rows go into a temporary table first. The differing new rows are then put into `came`, and the rows that they
/// replace, or that go, into `former`.
struct RowComparison {
    private let table: Table

    init(_ table: Table) {
        self.table = table
    }

    /// SQL that is true for a new row that counts nothing.
    private var isEmpty: String {
        table.columns.contains { $0.name == "duplicates" }
            ? "new.events = 0 AND new.duplicates = 0" : "new.messages = 0"
    }

    private var main: String { "main.\(table.name)" }
    private var new: String { "temp.new_\(table.name)" }
    /// The temporary tables of rows to insert, and of rows to delete.
    private var came: String { "temp.came_\(table.name)" }
    private var former: String { "temp.former_\(table.name)" }

    private var keyList: String { table.key.joined(separator: ", ") }

    /// Makes the temporary tables. Their columns have the types of the table's: SQLite uses no key to compare different
    /// types.
    func createTables(in database: Database) throws {
        let typed = table.columns.map { "\($0.name) \($0.type.rawValue)" }.joined(separator: ", ")
        try database.execute(
            """
            CREATE TABLE \(new) (\(typed), PRIMARY KEY (\(keyList))) WITHOUT ROWID;
            CREATE TABLE \(came) (\(typed));
            CREATE TABLE \(former) (\(typed))
            """)
    }

    /// SQL that inserts a row into the temporary table for comparison, or directly into the table.
    func insertion(isCompared: Bool) -> String {
        "INSERT INTO \(isCompared ? new : main) VALUES (\(table.columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// Replaces the rows of a log date, and notes the days and deliveries of rows that differ.
    /// - Parameter isSamePartition: whether the partition has not changed. Each row to delete is then among the new
    ///   rows, with counts of 0. Otherwise, rows to delete are looked for on all days of the log date.
    func replace(_ logDate: String, isSamePartition: Bool, in database: Database) throws {
        assert(database.isInTransaction)
        func equal(_ columns: some Sequence<String>) -> String {
            columns.map { "old.\($0) IS new.\($0)" }.joined(separator: " AND ")
        }
        func run(_ sql: String, binding values: [DatabaseValue] = []) throws {
            try database.execute(sql, binding: values)
        }
        if isSamePartition {
            try run(
                "INSERT INTO \(former) SELECT old.* FROM \(new) AS new CROSS JOIN \(main) AS old ON \(equal(table.key)) "
                    + "WHERE \(isEmpty)")
        }
        try run("DELETE FROM \(new) AS new WHERE \(isEmpty)")
        if !isSamePartition {
            try run(
                "INSERT INTO \(former) SELECT old.* FROM main._days AS d CROSS JOIN \(main) AS old "
                    + "ON old.day = d.day AND old.log_date = d.log_date WHERE d.log_date = ? "
                    + "AND NOT EXISTS (SELECT 1 FROM \(new) AS new WHERE \(equal(table.key)))", binding: .of(logDate))
        }
        // If there is no former row, its columns are NULL, so comparing the first key column shows that.
        let others = table.key.prefix(1) + table.columns.map(\.name).filter { !table.key.contains($0) }
        try run(
            "INSERT INTO \(came) SELECT new.* FROM \(new) AS new LEFT JOIN \(main) AS old ON \(equal(table.key)) "
                + "WHERE NOT (\(equal(others)))")
        try run(
            "INSERT INTO \(former) SELECT old.* FROM \(came) AS new CROSS JOIN \(main) AS old ON \(equal(table.key))")
        for rows in [came, former] {
            try run("INSERT OR IGNORE INTO temp.touched_days SELECT day FROM \(rows)")
            if table.columns.contains(where: { $0.name == "delivery_id" }) {
                try run("INSERT OR IGNORE INTO temp.touched_deliveries SELECT delivery_id FROM \(rows)")
            }
        }
        try run("DELETE FROM \(main) WHERE (\(keyList)) IN (SELECT \(keyList) FROM \(former))")
        try run("INSERT INTO \(main) SELECT * FROM \(came)")
        for rows in [new, came, former] { try run("DELETE FROM \(rows)") }
    }
}
