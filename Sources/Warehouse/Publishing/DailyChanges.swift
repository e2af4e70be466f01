import Calendar
import Counting
import Events
import GRDB

/// The differences between the rows of a daily table and the rows that it should have, for some days.
struct DailyChanges<Row: DailyRow & Sendable>: Sendable {
    /// Rows to be removed: the day and the other key columns.
    private var obsolete: [(day: Int32, key: [String])] = []
    /// Existing rows with other values, and missing rows; both sorted by key.
    private var differing: [Row] = []
    private var missing: [Row] = []

    /// - Parameters:
    ///   - rows: the rows that the table should have for these days, sorted by key.
    ///   - database: nil if the table is new.
    init(_ rows: [Row], of days: Set<Int32>, _ names: EventNames, in database: Database?) throws {
        guard let database else {
            missing = rows
            return
        }
        let present = try RowStatement(Row.table.selectionOfDate, in: database)
        defer { present.reset() }
        var rest = rows[...]
        for day in days.sorted() {
            let end = rest.firstIndex { $0.day != day } ?? rest.endIndex
            try compare(rest[..<end], of: day, names, with: present)
            rest = rest[end...]
        }
    }

    private mutating func compare(
        _ rows: ArraySlice<Row>, of day: Int32, _ names: EventNames, with present: RowStatement
    ) throws {
        try present.bind(CalendarText.date(ofDay: day), at: 1)
        let columns = Row.table.key.dropFirst().compactMap { name in
            Row.table.columns.firstIndex { $0.name == name }
        }
        func key() -> [String] { columns.map { present.text(Int32($0)) } }
        var isPresent = try present.next()
        for row in rows {
            var order: Int32 = 1
            while isPresent {
                order = row.compareKey(with: present, names)
                guard order > 0 else { break }
                obsolete.append((day, key()))
                isPresent = try present.next()
            }
            guard isPresent, order == 0 else {
                missing.append(row)
                continue
            }
            if !row.hasValues(of: present, names) { differing.append(row) }
            isPresent = try present.next()
        }
        while isPresent {
            obsolete.append((day, key()))
            isPresent = try present.next()
        }
    }

    /// Makes the differences disappear. Returns the number of rows written or removed.
    func write(_ names: EventNames, to database: Database) throws -> Int {
        try remove(from: database)
        try update(names, in: database)
        let columns = Row.table.columns.count
        try RowStatement.insert(missing.count, into: Row.table.name, columns: columns, in: database) {
            try missing[$1].bind(to: $0, after: $2.map { missing[$0] }, names)
        }
        return obsolete.count + differing.count + missing.count
    }

    private func remove(from database: Database) throws {
        guard !obsolete.isEmpty else { return }
        let condition = Row.table.key.map { "\($0) = ?" }.joined(separator: " AND ")
        let statement = try RowStatement("DELETE FROM \(Row.table.name) WHERE \(condition)", in: database)
        for (day, key) in obsolete {
            try statement.bind(CalendarText.date(ofDay: day), at: 1)
            for (index, text) in key.enumerated() { try statement.bind(text, at: Int32(index + 2)) }
            try statement.execute()
        }
    }

    /// Updates existing rows. The statement has the parameters of an insertion. Indexes on key columns do not change.
    private func update(_ names: EventNames, in database: Database) throws {
        guard !differing.isEmpty else { return }
        let table = Row.table
        let assignments = table.columns.enumerated().map { ($1.name, "\($1.name) = ?\($0 + 1)") }
        let values = assignments.filter { !table.key.contains($0.0) }.map(\.1).joined(separator: ", ")
        let key = assignments.filter { table.key.contains($0.0) }.map(\.1).joined(separator: " AND ")
        let statement = try RowStatement("UPDATE \(table.name) SET \(values) WHERE \(key)", in: database)
        var before: Row?
        for row in differing {
            try row.bind(to: statement, after: before, names)
            try statement.execute()
            before = row
        }
    }
}
