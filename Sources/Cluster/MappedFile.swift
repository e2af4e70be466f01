import Foundation
import Hashing
import SQLite
import Warehouse

/// What a task has made of a log file: its events by shard, and its accounts. Attempts of a task write the same bytes.
///
/// It is an SQLite file. The table `blocks` has the events of each shard: sorted blocks (see `EventBlock`), one section after the
/// other. The table `documents` has `head` and `accounts` as JSON, each with its hash.
struct MappedFile {
    struct Head: Codable {
        /// The program and settings that it was made by, see `ClusterJob`.
        let label: String
        /// That of the log file's bytes; nil if they could not be read.
        let fingerprint: String?
        /// The delivery ids that the events refer to.
        let deliveries: [String]
    }

    private let path: String
    private let connection: Connection

    /// Opens a file that a task has written.
    /// - Throws: `.missingFile` if there is none.
    init(_ path: String, logFile: String) throws {
        guard access(path, F_OK) == 0 else { throw ClusterError.missingFile(path: logFile) }
        self.path = path
        connection = try reportingFacts(of: path) {
            try Connection(path: path, configuration: Configuration(isReadOnly: true, busyTimeout: 30))
        }
    }

    func head(_ job: ClusterJob) throws -> Head {
        let head = try document("head", Head.self)
        guard head.label == job.label else { throw ClusterError.foreignFile(path: path) }
        return head
    }

    func accounts() throws -> FileAccounts { try document("accounts", FileAccounts.self) }

    private func document<Value: Decodable>(_ name: String, _: Value.Type) throws -> Value {
        try read { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT content, hash FROM documents WHERE name = ?", arguments: [name])
            let bytes = try row?.decode([UInt8].self, atIndex: 0) ?? []
            guard let row, try row.decode(Int64.self, atIndex: 1) == MappedFile.hash(bytes) else {
                throw ClusterError.damagedFile(path: path)
            }
            return try JSONDecoder().decode(Value.self, from: Data(bytes))
        }
    }

    /// Calls `body` with the section and the bytes of each block of a shard, in order.
    func forEachBlock(of shard: Int, _ body: (_ section: Int, [UInt8]) throws -> Void) throws {
        try read { database in
            let rows = try Statement(
                "SELECT section, block FROM blocks WHERE shard = ? ORDER BY section, number", [shard], in: database)
            while try rows.next() { try body(Int(rows.integer(0)), [UInt8](rows.bytes(1))) }
        }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            return try connection.inDatabase(body)
        } catch is DatabaseError, is ValueTypeError, is DecodingError {
            throw ClusterError.damagedFile(path: path)
        }
    }

    static func hash(_ bytes: [UInt8]) -> Int64 { Int64(bitPattern: WordHash.of(bytes.span)) }
}
