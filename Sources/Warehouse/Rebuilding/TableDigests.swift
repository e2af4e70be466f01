import SQLite

/// A digest of the rows of each table of the output DB. Tables that are written by date have one digest per date.
struct TableDigests: Codable, Equatable, Sendable {
    /// The tables that have a digest for each value of their first column: a date, or a key of `about`.
    static let byDate = Set(
        (OutputSchema.daily + [OutputSchema.files, OutputSchema.outcomes, OutputSchema.about]).map(\.name))

    /// By table name and date. The date is empty for other tables. A date without rows has no digest.
    private var digests: [String: [String: UInt64]] = [:]

    init() {}

    /// The digests of all rows of `tables`.
    init(of tables: [Table], in database: Database) throws {
        for table in tables { try read(table, in: database) }
    }

    subscript(table: Table, date: String = "") -> UInt64 {
        get { digests[table.name]?[date] ?? 0 }
        set { digests[table.name, default: [:]][date] = newValue == 0 ? nil : newValue }
    }

    var isEmpty: Bool { digests.isEmpty }

    /// Sets the digest of a table, or of one of its dates.
    mutating func set(_ rows: [[DatabaseValue]], of table: Table, date: String = "") {
        self[table, date] = rows.reduce(0) { $0 &+ $1.digest() }
    }

    /// Sets the digests of a table from its rows in the database.
    mutating func read(_ table: Table, in database: Database) throws {
        digests[table.name] = nil
        let names = table.columns.map(\.name).joined(separator: ", ")
        // Read the table itself, never an index.
        let rows = try Statement("SELECT \(names) FROM \(table.name) NOT INDEXED", in: database)
        defer { rows.reset() }
        let isByDate = TableDigests.byDate.contains(table.name)
        var date = ""
        var sum: UInt64 = 0
        while try rows.next() {
            if isByDate, rows.compare(date.utf8.span, column: 0) != 0 {
                self[table, date] &+= sum
                sum = 0
                date = rows.text(0)
            }
            var digest = RowDigest()
            rows.write(columns: table.columns.count, to: &digest)
            sum &+= digest.value
        }
        self[table, date] &+= sum
    }

    /// The tables and dates whose digests differ from `other`.
    func differences(from other: TableDigests) -> [String: Set<String>] {
        var differences: [String: Set<String>] = [:]
        for table in Set(digests.keys).union(other.digests.keys) {
            let (ours, theirs) = (digests[table] ?? [:], other.digests[table] ?? [:])
            let dates = Set(ours.keys).union(theirs.keys).filter { ours[$0] != theirs[$0] }
            if !dates.isEmpty { differences[table] = dates }
        }
        return differences
    }
}
