import Events
import SQLite

/// The differences between the rows of a table and the rows that it should have.
struct TableChanges<Row: TableRow>: Sendable {
    private let table: Table
    /// The keys of rows to be removed.
    private(set) var obsolete: [[DatabaseValue]] = []
    /// Rows that are missing or have other values, sorted by key.
    private(set) var changed: [Row] = []
    /// The sum of the digests of the rows that they replace, and of rows to be removed.
    private var digestOfFormer: UInt64 = 0

    /// - Parameters:
    ///   - rows: the rows that the table should have, sorted by key.
    ///   - dates: sorted. If given, only the rows with these values in the first column are compared: a date, or the delivery.
    ///   - database: nil if the table is empty.
    init(
        of table: Table, _ rows: [Row], _ names: EventNames, dates: [String]? = nil, in database: Database?
    ) throws {
        self.table = table
        guard let database else {
            changed = rows
            return
        }
        var present = try PresentRows(table, dates, in: database)
        defer { present.end() }
        for row in rows {
            var comparison = present.compare(row, names)
            while comparison.keyOrder > 0 {
                try remove(&present)
                comparison = present.compare(row, names)
            }
            if !comparison.isEqual {
                changed.append(row)
                if comparison.keyOrder == 0 { digestOfFormer &+= present.digest }
            }
            if comparison.keyOrder == 0 { try present.advance() }
        }
        while !present.isAtEnd { try remove(&present) }
    }

    private mutating func remove(_ present: inout PresentRows) throws {
        obsolete.append(present.key)
        digestOfFormer &+= present.digest
        try present.advance()
    }

    /// How the sum of the digests of the table's rows changes.
    func digest(_ names: EventNames) -> UInt64 {
        changed.reduce(0 &- digestOfFormer) { $0 &+ $1.digest(names) }
    }

    /// Makes the differences disappear. Returns the number of rows written or removed.
    func write(_ names: EventNames, to database: Database) throws -> Int {
        if !obsolete.isEmpty {
            let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
            let deletion = try Statement("DELETE FROM \(table.name) WHERE \(condition)", in: database)
            for key in obsolete { try deletion.execute(key) }
        }
        try Statement.insert(
            changed, names, by: table.replacement, in: database)
        return obsolete.count + changed.count
    }
}

extension Table {
    /// Makes the table hold exactly `rows`, which must be sorted by key. With `date`, only the rows of that date are
    /// replaced. Writes only differences. Returns the number of rows written or removed.
    func replaceRows(_ rows: [[DatabaseValue]], of date: String? = nil, in database: Database) throws -> Int {
        let changes = try TableChanges(of: self, rows, EventNames(), dates: date.map { [$0] }, in: database)
        return try changes.write(EventNames(), to: database)
    }
}

/// The rows of a table, or of some of its dates, sorted by key.
private struct PresentRows {
    private let rows: Statement
    /// The key's columns, in key order; and by column, its position in the key.
    private let keyIndices: [Int]
    private let keyPositions: [Int]
    private var datesLeft: ArraySlice<String>
    private(set) var isAtEnd = false

    init(_ table: Table, _ dates: [String]?, in database: Database) throws {
        rows = try Statement(dates == nil ? table.selection : table.selectionOfDate, in: database)
        keyIndices = table.keyIndices
        keyPositions = table.columns.map { table.key.firstIndex(of: $0.name) ?? .max }
        datesLeft = dates?[...] ?? []
        if dates != nil, try !bindNextDate() {
            isAtEnd = true
        } else {
            try advance()
        }
    }

    mutating func advance() throws {
        while try !rows.next() {
            guard try bindNextDate() else {
                isAtEnd = true
                return
            }
        }
    }

    private mutating func bindNextDate() throws -> Bool {
        guard let date = datesLeft.popFirst() else { return false }
        var binder = Statement.Binder(rows)
        try binder.add(date)
        return true
    }

    /// The key of the current row, in key order.
    var key: [DatabaseValue] { keyIndices.map { rows.value(Int32($0)) } }

    /// The digest of the current row.
    var digest: UInt64 {
        var digest = RowDigest()
        rows.write(columns: keyPositions.count, to: &digest)
        return digest.value
    }

    /// Compares a row with the current row. At the end, the row comes before it.
    func compare(_ row: some TableRow, _ names: EventNames) -> (keyOrder: Int, isEqual: Bool) {
        if isAtEnd { return (-1, false) }
        var comparison = RowComparison(with: rows, keyPositions: keyPositions)
        row.write(names, to: &comparison)
        return (comparison.keyOrder, comparison.isEqual)
    }

    func end() { rows.reset() }
}
