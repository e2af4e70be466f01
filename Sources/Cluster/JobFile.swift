import Events
import Foundation
import Hashing
import LogFiles
import Messages
import Partitions
import Pipelines
import Posix
import SQLite

/// The result of a task for one log file: sorted events, counts and rejects. All attempts of a task write the same
/// bytes.
///
/// It is an SQLite file. The table `blocks` has the events: sorted blocks (see `EventBlock`), one section after the
/// other. The table `documents` has `head` and `accounts` as JSON, each with its hash.
struct JobFile {
    /// What a task reports about its log file, apart from the events.
    enum Accounts: Codable, Sendable {
        /// The beginning of the file could not be read; the system's error code.
        case unopened(code: Int32)
        case foreign(ForeignFile)
        /// The file could not be read to its end.
        case unreadable(code: Int32)
        /// The file was read. The report has the fingerprint of the bytes that were read. It has no stamp, since the
        /// driver's stamp counts.
        case whole(FileReport, FileTally, rejects: [Reject], names: [DeliveryName])
    }

    struct Head: Codable {
        /// The program and the settings that the log file was read by, see `ClusterJob`.
        let label: String
        let file: ClusterJob.File
        /// The delivery ids that the events refer to.
        let deliveries: [String]
        /// A hash of all blocks and their sections, in order.
        let events: UInt64
    }

    /// Sums up blocks for `Head`. A block has a hash of its own, which is checked when it is decoded.
    private struct BlocksHash {
        private var bytes: [UInt8] = []
        var value: UInt64 { WordHash.of(bytes.span) }

        mutating func add(_ block: [UInt8], section: Int) {
            withUnsafeBytes(of: UInt64(section).littleEndian) { bytes += $0 }
            bytes += block.prefix(8)
        }
    }

    private let path: String
    private let database: Database

    /// Opens a task's result for a log file.
    /// - Throws: also if there is no such file.
    init(of file: ClusterJob.File, in job: ClusterJob) throws {
        let path = job.path(of: file)
        guard access(path, F_OK) == 0 else { throw ClusterError.missingFile(file.path) }
        self.path = path
        database = try reportingFacts(of: path) { try Database(path, isReadOnly: true, busyTimeout: 30) }
    }

    /// - Throws: also if the result was made by another program, with other settings or from another log file.
    func head(of file: ClusterJob.File, in job: ClusterJob) throws -> Head {
        let head = try document("head", as: Head.self)
        guard head.label == job.label, head.file == file else {
            throw Fault(.foreignJob, text: "\(path: path): belongs to another job; \(ClusterError.again)")
        }
        return head
    }

    func accounts() throws -> Accounts { try document("accounts", as: Accounts.self) }

    private func document<Value: Decodable>(_ name: String, as _: Value.Type) throws -> Value {
        try reading {
            let rows = try database.rows("SELECT content, hash FROM documents WHERE name = ?", binding: .of(name)) {
                row in
                (bytes: try row.read(0) as [UInt8], hash: try row.read(1) as Int64)
            }
            guard let row = rows.first, row.hash == JobFile.hash(row.bytes) else {
                throw ClusterError.damagedFile(path)
            }
            return try JSONDecoder().decode(Value.self, from: Data(row.bytes))
        }
    }

    /// Calls `body` with the section and the bytes of each block, in order.
    /// - Throws: after the last block, if the blocks are not those that were written.
    func forEachBlock(of head: Head, _ body: (_ section: Int, [UInt8]) throws -> Void) throws {
        var hash = BlocksHash()
        try reading {
            try database.forEach("SELECT section, block FROM blocks ORDER BY number") { row in
                let (section, block): (Int, [UInt8]) = (try row.read(0), try row.read(1))
                hash.add(block, section: section)
                try body(section, block)
            }
        }
        guard hash.value == head.events else { throw ClusterError.damagedFile(path) }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch is DatabaseError, is ValueError, is DecodingError, is EventBlockError {
            throw ClusterError.damagedFile(path)
        }
    }

    private static func hash(_ bytes: [UInt8]) -> Int64 { Int64(bitPattern: WordHash.of(bytes.span)) }
}

extension JobFile {
    /// Writes a task's result, at first on the machine's own disk.
    final class Writer {
        private let path: String
        private let database: Database
        private var hash = BlocksHash()

        /// Creates the file in a folder that only this task uses.
        init(in folder: String) throws {
            let path = folder + "/events"
            self.path = path
            database = try reportingFacts(of: path) {
                let database = try Database(path)
                try database.execute(
                    """
                    PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;
                    CREATE TABLE blocks (number INTEGER PRIMARY KEY, section INTEGER NOT NULL, block BLOB NOT NULL);
                    CREATE TABLE documents (name TEXT PRIMARY KEY, content BLOB NOT NULL, hash INTEGER NOT NULL)
                    """)
                return database
            }
        }

        /// Adds a block. Its ids must be above those of earlier blocks of the section.
        func append(_ block: [UInt8], section: Int) throws {
            hash.add(block, section: section)
            try insert("INSERT INTO blocks (section, block) VALUES (?, ?)", binding: .of(section, block))
        }

        /// Ends the file, and copies it into the job's folder: aside, synced and renamed.
        func install(
            _ accounts: Accounts, deliveries: [String], of file: ClusterJob.File, in job: ClusterJob
        ) throws {
            let head = Head(label: job.label, file: file, deliveries: deliveries, events: hash.value)
            for (name, value) in [("head", head), ("accounts", accounts)] as [(String, any Encodable)] {
                let bytes = [UInt8](try JSONEncoder.stored.encode(value))
                try insert("INSERT INTO documents VALUES (?, ?, ?)", binding: .of(name, bytes, JobFile.hash(bytes)))
            }
            try reportingFacts(of: path) { try database.execute("COMMIT") }
            database.close()
            try WholeFile.copy(path, to: job.path(of: file))
        }

        private func insert(_ sql: String, binding values: [DatabaseValue]) throws {
            try reportingFacts(of: path) { try database.execute(sql, binding: values) }
        }
    }
}
