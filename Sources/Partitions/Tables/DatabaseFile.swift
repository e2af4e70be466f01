import Foundation
import Messages
import Posix
import SQLite

/// Identifies SQLite files of this program, and opens them.
package struct DatabaseFile: Sendable {
    package let path: String
    /// `PRAGMA application_id`.
    package let applicationID: Int
    /// `PRAGMA user_version`.
    package let schema: Int
    /// The earliest schema that can be read.
    package var oldestSchema = DatabaseFile.firstSchema
    /// A table that only our files have. It identifies a file of ours whose application_id is damaged.
    package let hallmark: String

    /// The first schema of pushetl 2. Those before it are of pushetl 1.x, whose files are not read.
    package static let firstSchema = 7
    package static let formerSchemas = 1..<firstSchema

    /// The suffixes of files that SQLite may leave beside a database. Files that are never written in place have no
    /// such files of their own, but SQLite would treat one as a part of the database.
    package static let companions = ["-journal", "-wal", "-shm"]

    /// Opens an existing file read-only and checks its marks. The file is never written in place.
    package func open() throws -> Database {
        guard let kind = FileKind(at: path) else {
            throw errno == ENOENT ? OutputError(.missing, at: path) : Fault.system(path, call: "stat", code: errno)
        }
        // SQLite would wait for the other end of a FIFO.
        guard kind == .file else {
            let detail = kind == .folder ? "it is a folder" : "it is a FIFO, a socket or a device"
            throw OutputError(.corrupt(detail), at: path)
        }
        if let suffix = DatabaseFile.companion(of: path) {
            throw OutputError(.corrupt("another program has left a \(suffix) file beside it"), at: path)
        }
        // To read a file in WAL mode, SQLite would create files beside it. Bytes 18 and 19 are the format versions for
        // writing and reading; see "The database file format" in SQLite's documentation.
        if DatabaseFile.head(of: path, bytes: 20).dropFirst(18) == [2, 2] {
            throw OutputError(.corrupt("another program has put it into WAL mode"), at: path)
        }
        return try reportingFacts(of: path) {
            let database = try Database(path, isReadOnly: true, busyTimeout: 30)
            // Blocks are read once, and many partitions are open at the same time.
            try database.execute("PRAGMA cache_size = -256")
            guard try check(database) else { throw OutputError(.notSQLite, at: path) }
            return database
        }
    }

    /// The suffix of a file that another program has left beside a file that is never written in place; nil if there is
    /// none.
    static func companion(of path: String) -> String? {
        companions.first { FileKind(at: path + $0, followsLinks: false) != nil }
    }

    /// The error that something other than a regular file has a name that SQLite needs beside the database; nil if
    /// there is none. SQLite would wait for the other end of a FIFO, and write through a link.
    package static func obstacle(beside path: String) -> Fault? {
        // If the database itself is a link, SQLite uses names beside its target.
        let file = (try? WholeFile.target(of: path)) ?? path
        let other = companions.map { file + $0 }.first { path in
            FileKind(at: path, followsLinks: false).map { $0 != .file } ?? false
        }
        return other.map { other in
            .at(
                other, code: .noFile,
                text: "is a link, a folder or something else, and SQLite needs that name for a file of its own; "
                    + "nothing has changed; remove it and run again")
        }
    }

    /// Checks the application and the schema. Returns false if the database is empty.
    /// - Throws: if the file belongs to another application, or its schema cannot be read.
    package func check(_ database: Database) throws -> Bool {
        let application = try database.value("PRAGMA application_id") ?? 0
        let version = try database.value("PRAGMA user_version") ?? 0
        if application == 0, version == 0, try !database.hasRow("SELECT 1 FROM sqlite_master") { return false }
        guard application == applicationID else {
            if try database.hasTable(hallmark) {
                throw OutputError(.corrupt("its application_id is \(application)"), at: path)
            }
            throw OutputError(.foreign, at: path)
        }
        // Only partitions have a seal.
        if let written = try? database.value("SELECT schema FROM seal") as Int?, written != version,
            DatabaseFile.changeCounter(path) == 1
        {
            // The seal has the version too, and the file has had only one transaction. So a byte is damaged: setting
            // another version would have made a second transaction.
            throw OutputError(.corrupt("its user_version is \(version)"), at: path)
        }
        try check(schema: version)
        return true
    }

    /// - Throws: if files with this schema, from another version of the program, cannot be read.
    package func check(schema version: Int) throws {
        if DatabaseFile.formerSchemas.contains(version) { throw OutputError(.former, at: path) }
        if version > schema { throw OutputError(.newerSchema(version, known: schema), at: path) }
        if version < 1 { throw OutputError(.corrupt("its user_version is \(version)"), at: path) }
        if version < oldestSchema { throw OutputError(.earlierSchema, at: path) }
    }

    package func mark(_ database: Database) throws {
        try database.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(schema)")
    }

    /// SQLite's transaction counter, from the file's header; nil if it cannot be read.
    package static func changeCounter(_ path: String) -> UInt32? {
        let header = head(of: path, bytes: 28)
        return header.count == 28 ? header[24..<28].reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    /// The application_id and the schema version in a file's header; nil if they cannot be read. Errors are left to
    /// whoever opens the file.
    package static func marks(of path: String) -> (application: Int, version: Int)? {
        let header = head(of: path, bytes: 72)
        func number(at offset: Int) -> Int { header[offset..<(offset + 4)].reduce(0) { $0 << 8 | Int($1) } }
        return header.count == 72 ? (number(at: 68), number(at: 60)) : nil
    }

    /// The first bytes of a file; fewer if the file is shorter, none if it cannot be read. Errors are left to whoever
    /// opens the file.
    package static func head(of path: String, bytes: Int) -> [UInt8] {
        (try? WholeFile.beginning(of: path, count: bytes)) ?? []
    }
}
