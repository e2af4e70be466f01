import Foundation
import SQLite

/// The rows of a query on a database that is opened read-only, each as the values' texts joined by `|`.
package func rows(_ sql: String, of path: String) throws -> [String] {
    try Database(path, isReadOnly: true).rows(sql) { row in
        row.values.map { $0 == .null ? "" : $0.text }.joined(separator: "|")
    }
}

extension DatabaseValue {
    package var text: String {
        switch self {
        case .null: "NULL"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// The content of a push.db: all tables of readers but those of the history and those in `besides`, and without the warnings,
/// which are history too.
package func dump(_ path: String, besides: Set<String> = []) throws -> [String] {
    let tables = try rows(
        """
        SELECT name FROM sqlite_master
        WHERE type = 'table' AND name NOT IN ('runs', 'changes', 'loads') AND name NOT GLOB '[_]*' ORDER BY name
        """, of: path)
    return try tables.filter { !besides.contains($0) }.flatMap { table in
        let name = table.replacing("\"", with: "\"\"")
        let columns = try rows("SELECT name FROM pragma_table_info(\"\(name)\")", of: path)
            .filter { table != "partitions" || $0 != "warnings" }.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        let condition = table == "about" ? " WHERE key <> 'history_since'" : ""
        let sql = "SELECT \(columns.joined(separator: ", ")) FROM \"\(name)\"\(condition)"
        return try [table] + rows(sql, of: path).sorted()
    }
}

/// Changes a database with plain SQL.
package func execute(_ sql: String, on path: String) throws {
    let database = try Database(path)
    try database.execute(sql)
    database.close()
}

/// Calls `body` while a reader has the database open in the middle of a read.
package func whileRead<T>(_ path: String, _ body: () throws -> T) throws -> T {
    let database = try Database(path, isReadOnly: true)
    try database.execute("BEGIN; SELECT count(*) FROM days")
    defer { try? database.execute("COMMIT") }
    return try body()
}

/// Calls `body` while a writer holds the database, so that nobody else may read it.
package func whileWritten<T>(_ path: String, _ body: () throws -> T) throws -> T {
    let database = try Database(path)
    try database.execute("BEGIN EXCLUSIVE")
    defer { try? database.execute("ROLLBACK") }
    return try body()
}
