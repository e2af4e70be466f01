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
            try database.execute("INSERT INTO hashes VALUES (?, ?)", .of(table, Int64(bitPattern: hash.value)))
        }
        try database.execute("INSERT INTO hashes VALUES ('user_version', ?)", .of(version))
    }

    /// - Throws: `.corrupt` if the rows read from a table are not the rows that were written.
    static func check(_ hash: ContentHash, of table: String, in database: Database, path: String) throws {
        let written: Int64? = try database.value("SELECT hash FROM hashes WHERE table_name = ?", .of(table))
        guard UInt64(bitPattern: written ?? 0) == hash.value else {
            throw WarehouseError.corrupt(path: path, detail: "table \(table) is not as it was written")
        }
    }
}
