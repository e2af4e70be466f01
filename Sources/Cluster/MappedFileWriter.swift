import Foundation
import Posix
import SQLite
import Warehouse

/// Writes a `MappedFile`: on the machine's own disk first.
final class MappedFileWriter {
    private let path: String
    private let connection: Connection
    private var blocks = 0

    /// Creates the file in a folder of this task alone.
    init(in folder: String) throws {
        let path = folder + "/events"
        self.path = path
        connection = try reportingFacts(of: path) {
            let connection = try Connection(path: path)
            try connection.inDatabase { database in
                try database.execute(
                    sql: """
                        PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                        PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
                        CREATE TABLE blocks (
                          shard INTEGER, section INTEGER, number INTEGER, block BLOB NOT NULL,
                          PRIMARY KEY (shard, section, number)
                        ) WITHOUT ROWID;
                        CREATE TABLE documents (name TEXT PRIMARY KEY, content BLOB NOT NULL, hash INTEGER NOT NULL)
                        """)
            }
            return connection
        }
    }

    /// Adds a block, which is above those before of its shard and section.
    func append(_ block: [UInt8], shard: Int, section: Int) throws {
        blocks += 1
        try insert("INSERT INTO blocks VALUES (?, ?, ?, ?)", .of(shard, section, blocks, block))
    }

    /// Ends the file, and copies it to a path in the job's folder: aside, synced and renamed.
    func install(_ head: MappedFile.Head, _ accounts: FileAccounts, at target: String) throws {
        for (name, value) in [("head", head), ("accounts", accounts)] as [(String, any Encodable)] {
            let bytes = [UInt8](try JSONEncoder.stored.encode(value))
            try insert("INSERT INTO documents VALUES (?, ?, ?)", .of(name, bytes, MappedFile.hash(bytes)))
        }
        try reportingFacts(of: path) {
            try connection.inDatabase { try $0.execute(sql: "COMMIT") }
            try connection.close()
        }
        try WholeFile.copy(path, to: target)
    }

    private func insert(_ sql: String, _ values: [DatabaseValue]) throws {
        try reportingFacts(of: path) {
            try connection.inDatabase { database in
                let statement = try database.cachedStatement(sql: sql)
                try statement.bind(values)
                try statement.execute()
            }
        }
    }
}
