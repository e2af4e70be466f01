import Foundation
import Hashing
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix
import SQLite

/// What a task has made of a log file: its events by shard, and its accounts. Attempts of a task write the same bytes.
///
/// It is an SQLite file. The table `blocks` has the events of each shard: sorted blocks (see `EventBlock`), one section after the
/// other. The table `documents` has `head` and `accounts` as JSON, each with its hash.
struct MappedFile {
    /// What a task says about the file that it has read, its events left out.
    enum Accounts: Codable, Sendable {
        /// The beginning of the file could not be read; the system's error code.
        case unopened(code: Int32)
        case foreign(ForeignFile)
        /// The file could not be read to its end.
        case unreadable(code: Int32)
        /// With the accepted records of each shard. The report has no stamp: that of the driver counts.
        case whole(FileReport, FileTally, rejects: [Reject], records: [Int])
    }

    struct Head: Codable {
        /// The program and settings that it was made by, see `ClusterJob`.
        let label: String
        /// That of the log file's bytes; nil if they could not be read.
        let fingerprint: String?
        /// The delivery ids that the events refer to.
        let deliveries: [String]
    }

    private let path: String
    private let database: Database

    /// Opens a file that a task has written.
    /// - Throws: an error if the file does not exist.
    init(_ path: String, logFile: String) throws {
        guard access(path, F_OK) == 0 else { throw ClusterError.missingFile(logFile) }
        self.path = path
        database = try reportingFacts(of: path) { try Database(path, isReadOnly: true, busyTimeout: 30) }
    }

    func head(_ job: ClusterJob) throws -> Head {
        let head = try document("head", Head.self)
        guard head.label == job.label else {
            throw Fault("foreign_job", "\(path: path): belongs to another job; \(ClusterError.again)")
        }
        return head
    }

    func accounts() throws -> Accounts { try document("accounts", Accounts.self) }

    private func document<Value: Decodable>(_ name: String, _: Value.Type) throws -> Value {
        try reading {
            let rows = try database.rows("SELECT content, hash FROM documents WHERE name = ?", .of(name)) { row in
                (bytes: try row.read(0) as [UInt8], hash: try row.read(1) as Int64)
            }
            guard let row = rows.first, row.hash == MappedFile.hash(row.bytes) else {
                throw ClusterError.damagedFile(path)
            }
            return try JSONDecoder().decode(Value.self, from: Data(row.bytes))
        }
    }

    /// Calls `body` with the section and the bytes of each block of a shard, in order.
    func forEachBlock(of shard: Int, _ body: (_ section: Int, [UInt8]) throws -> Void) throws {
        try reading {
            try database.forEach(
                "SELECT section, block FROM blocks WHERE shard = ? ORDER BY section, number", .of(shard)
            ) { row in try body(row.read(0), row.read(1)) }
        }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is DatabaseError, is ValueError, is DecodingError {
            throw ClusterError.damagedFile(path)
        }
    }

    static func hash(_ bytes: [UInt8]) -> Int64 { Int64(bitPattern: WordHash.of(bytes.span)) }
}

extension MappedFile {
    /// Writes such a file: on the machine's own disk first.
    final class Writer {
        private let path: String
        private let database: Database
        private var blocks = 0

        /// Creates the file in a folder of this task alone.
        init(in folder: String) throws {
            let path = folder + "/events"
            self.path = path
            database = try reportingFacts(of: path) {
                let database = try Database(path)
                try database.execute(
                    """
                    PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
                    CREATE TABLE blocks (
                      shard INTEGER, section INTEGER, number INTEGER, block BLOB NOT NULL,
                      PRIMARY KEY (shard, section, number)
                    ) WITHOUT ROWID;
                    CREATE TABLE documents (name TEXT PRIMARY KEY, content BLOB NOT NULL, hash INTEGER NOT NULL)
                    """)
                return database
            }
        }

        /// Adds a block, which is above those before of its shard and section.
        func append(_ block: [UInt8], shard: Int, section: Int) throws {
            blocks += 1
            try insert("INSERT INTO blocks VALUES (?, ?, ?, ?)", .of(shard, section, blocks, block))
        }

        /// Ends the file, and copies it to a path in the job's folder: aside, synced and renamed.
        func install(_ head: Head, _ accounts: Accounts, at target: String) throws {
            for (name, value) in [("head", head), ("accounts", accounts)] as [(String, any Encodable)] {
                let bytes = [UInt8](try JSONEncoder.stored.encode(value))
                try insert("INSERT INTO documents VALUES (?, ?, ?)", .of(name, bytes, MappedFile.hash(bytes)))
            }
            try reportingFacts(of: path) { try database.execute("COMMIT") }
            database.close()
            try WholeFile.copy(path, to: target)
        }

        private func insert(_ sql: String, _ values: [DatabaseValue]) throws {
            try reportingFacts(of: path) { try database.execute(sql, values) }
        }
    }
}
