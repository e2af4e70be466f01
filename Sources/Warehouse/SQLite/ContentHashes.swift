import Counting
import Events
import SQLite

/// The hashes of a partition's tables, stored in its table `hashes`.
struct ContentHashes: Sendable {
    static let creation =
        "CREATE TABLE hashes (table_name TEXT PRIMARY KEY NOT NULL, hash INTEGER NOT NULL) WITHOUT ROWID"

    private var hashes: [String: ContentHash] = [:]

    mutating func addRow(_ values: [DatabaseValue], to table: String) {
        hashes[table, default: ContentHash()].addRow(values)
    }

    mutating func addRow(_ entry: BlockEntry, _ section: Section) {
        hashes["events", default: ContentHash()].addRow(entry, section)
    }

    mutating func set(_ hash: ContentHash, of table: String) {
        hashes[table] = hash
    }

    /// - Parameter version: the partition's schema version.
    func write(to database: Database, version: Int) throws {
        for (table, hash) in hashes.sorted(by: { $0.key < $1.key }) {
            try database.execute(
                sql: "INSERT INTO hashes VALUES (?, ?)", arguments: [table, Int64(bitPattern: hash.value)])
        }
        try database.execute(
            sql: "INSERT INTO hashes VALUES ('user_version', ?)", arguments: [version])
    }

    /// - Throws: `.corrupt` if the rows read from a table are not the rows that were written.
    static func check(_ hash: ContentHash, of table: String, in database: Database, path: String) throws {
        let row = try Row.fetchOne(database, sql: "SELECT hash FROM hashes WHERE table_name = ?", arguments: [table])
        let written = try row?.decode(Int64.self, atIndex: 0) ?? 0
        guard UInt64(bitPattern: written) == hash.value else {
            throw WarehouseError.corrupt(path: path, detail: "table \(table) is not as it was written")
        }
    }
}
