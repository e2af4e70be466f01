import Counting
import Events
import Hashing
import SQLite

/// The sum of the hashes of a table's rows, in any order; 0 if there are none. It detects changed bytes, because SQLite
/// checks only the structure of its pages. Stored in partitions, so it must not change. Blocks of events have their own
/// hash.
struct ContentHash: Sendable {
    private(set) var value: UInt64 = 0
    /// The values of the current row.
    private var bytes: [UInt8] = []

    mutating func addRow(_ values: [DatabaseValue]) {
        for value in values {
            switch value {
            case .null: bytes.append(0)
            case .int64(let number): append(1, UInt64(bitPattern: number))
            case .double(let number): append(2, number.bitPattern)
            case .string(let text): append(3, text.utf8.span)
            case .blob(let blob): append(4, blob.span)
            }
        }
        value &+= WordHash.of(bytes.span)
        bytes.removeAll(keepingCapacity: true)
    }

    /// A row of integers.
    @inline(__always)
    mutating func addRow<let count: Int>(_ numbers: InlineArray<count, Int64>) {
        var words = InlineArray<count, UInt64>(repeating: 0)
        for index in 0..<count { words[index] = UInt64(bitPattern: numbers[index]) }
        value &+= WordHash.of(words)
    }

    /// The row of a block without its bytes.
    mutating func addRow(_ entry: BlockEntry, _ section: Section) {
        var idSpace = section.idSpace
        let space = idSpace.withUTF8 { WordHash.of($0.span) }
        let (first, last) = (entry.first, entry.last)
        value &+= WordHash.of([
            space, UInt64(section.kind.rawValue), first.high, first.low, last.high, last.low, UInt64(entry.events),
        ])
    }

    private mutating func append(_ kind: UInt8, _ text: Span<UInt8>) {
        append(kind, UInt64(text.count))
        text.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ kind: UInt8, _ word: UInt64) {
        bytes.append(kind)
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

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
