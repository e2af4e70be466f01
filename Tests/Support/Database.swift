import Foundation
import SQLite

/// The rows of a query on a database that is opened read-only, each as the values' texts joined by `|`.
package func rows(_ sql: String, of path: String) throws -> [String] {
    let queue = try Connection(path: path, configuration: Configuration(isReadOnly: true))
    return try queue.read { database in
        try Row.fetchAll(database, sql: sql).map { row in
            row.databaseValues.map { $0 == .null ? "" : $0.description }.joined(separator: "|")
        }
    }
}

/// The content of a push.db: all tables but those of the history and those in `besides`, and without the warnings, which are
/// history too.
package func dump(_ path: String, besides: Set<String> = []) throws -> [String] {
    let tables = try rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN ('runs', 'changes', 'loads') ORDER BY name",
        of: path)
    return try tables.filter { !besides.contains($0) }.flatMap { table in
        let name = table.replacing("\"", with: "\"\"")
        let columns = try rows("SELECT name FROM pragma_table_info(\"\(name)\")", of: path)
            .filter { table != "partitions" || $0 != "warnings" }.map { "\"\($0.replacing("\"", with: "\"\""))\"" }
        return try [table] + rows("SELECT \(columns.joined(separator: ", ")) FROM \"\(name)\"", of: path).sorted()
    }
}

/// Changes a database with plain SQL.
package func execute(_ sql: String, on path: String) throws {
    let queue = try Connection(path: path)
    try queue.inDatabase { try $0.execute(sql: sql) }
    try queue.close()
}

/// Calls `body` while a reader has the database open in the middle of a read.
package func whileRead<T>(_ path: String, _ body: () throws -> T) throws -> T {
    let queue = try Connection(path: path, configuration: Configuration(isReadOnly: true))
    return try queue.inDatabase { database in
        try database.execute(sql: "BEGIN; SELECT count(*) FROM days")
        defer { try? database.execute(sql: "COMMIT") }
        return try body()
    }
}

/// Calls `body` while a writer holds the database, so that nobody else may read it.
package func whileWritten<T>(_ path: String, _ body: () throws -> T) throws -> T {
    let queue = try Connection(path: path)
    return try queue.inDatabase { database in
        try database.execute(sql: "BEGIN EXCLUSIVE")
        defer { try? database.execute(sql: "ROLLBACK") }
        return try body()
    }
}
