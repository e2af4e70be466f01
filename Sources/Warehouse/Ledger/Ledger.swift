import Counting
import Events
import Foundation
import Hashing
import Posix
import SQLite

/// The file with what each log date contributes to push.db, see `ledger.sql`. It is derived: without it, all is computed from the
/// partitions again.
struct Ledger: Sendable {
    /// What the ledger knows of a log date's partition.
    struct Entry: Equatable {
        let version: String
        let isSettled: Bool
        /// The hash of its file of shared messages. Empty if it shares none; nil if its ids were not compared.
        let shared: String?
    }

    static let version = 1
    private static let applicationID = 0x7075_4C65

    let path: String
    /// Where the files of shared messages are.
    let sharedFolder: String

    /// Opens the file. If it is missing, an empty one is made.
    func open() throws(WarehouseError) -> Connection {
        let connection = try reportingFacts(of: path) { try Connection(path: path) }
        try reportingFacts(of: path) {
            try connection.inDatabase { database in
                try database.execute(sql: "PRAGMA cache_size = -16384")
                if try Int.fetchOne(database, sql: "PRAGMA user_version") != Ledger.version {
                    try database.inTransaction(.immediate) {
                        try database.execute(sql: Ledger.sql(PackageResources.ledger_sql))
                        try database.execute(
                            sql: """
                                PRAGMA application_id = \(Ledger.applicationID); PRAGMA user_version = \(Ledger.version)
                                """)
                        return .commit
                    }
                }
                for table in LedgerTable.all { try table.replacement.createTables(in: database) }
            }
        }
        return connection
    }

    static func sql(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    static func entries(_ database: Database) throws -> [String: Entry] {
        let rows = try Row.fetchAll(database, sql: "SELECT log_date, version, is_settled, shared FROM partitions")
        return try Dictionary(
            rows.map { row in
                (
                    try row.decode(String.self, atIndex: 0),
                    Entry(
                        version: try row.decode(String.self, atIndex: 1),
                        isSettled: try row.decode(Int.self, atIndex: 2) == 1,
                        shared: try row.decode(String?.self, atIndex: 3))
                )
            }, uniquingKeysWith: { first, _ in first })
    }

    static func fact(_ key: String, _ database: Database) throws -> String? {
        try String.fetchOne(database, sql: "SELECT value FROM facts WHERE key = ?", arguments: [key])
    }

    static func setFact(_ key: String, _ value: String, _ database: Database) throws {
        try database.execute(sql: "INSERT OR REPLACE INTO facts VALUES (?, ?)", arguments: [key, value])
    }
}
