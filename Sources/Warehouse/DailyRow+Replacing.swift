import Events
import GRDB

extension DailyRow {
    /// Makes the table have exactly `rows` of a day, which come in the order of the key, and writes only what differs.
    /// Returns the number of rows written or removed.
    static func replace(
        _ rows: ArraySlice<Self>, of day: Int32, _ names: EventNames, in database: Database
    ) throws -> Int {
        let changes = try DailyChanges(rows, of: day, names, in: database)
        try changes.deletion.execute(table, day, in: database)
        try update(changes.differing.map { rows[$0] }, names, in: database)
        let missing = changes.missing.map { rows[$0] }
        try RowStatement.insert(missing.count, into: table.name, columns: table.columns.count, in: database) {
            try missing[$1].bind(to: $0, after: $2.map { missing[$0] }, names)
        }
        return changes.deletion.keys.count + changes.differing.count + changes.missing.count
    }

    private static func update(_ rows: [Self], _ names: EventNames, in database: Database) throws {
        guard !rows.isEmpty else { return }
        let statement = try RowStatement(replacement, in: database)
        var before: Self?
        for row in rows {
            try row.bind(to: statement, after: before, names)
            try statement.execute()
            before = row
        }
    }

    /// Changes the values of a row that is there, with the arguments of an insertion; its key's indexes stay as they are.
    private static var replacement: String {
        let places = table.columns.enumerated().map { ($1.name, "\($1.name) = ?\($0 + 1)") }
        let values = places.filter { !table.key.contains($0.0) }.map(\.1).joined(separator: ", ")
        let key = places.filter { table.key.contains($0.0) }.map(\.1).joined(separator: " AND ")
        return "UPDATE \(table.name) SET \(values) WHERE \(key)"
    }
}

/// How what a daily table has of a day differs from what it shall have.
private struct DailyChanges {
    /// Rows that are no more, by the texts of their keys without the day.
    struct Deletion {
        var keys: [[String]] = []

        func execute(_ table: Table, _ day: Int32, in database: Database) throws {
            guard !keys.isEmpty else { return }
            let condition = table.key.map { "\($0) = ?" }.joined(separator: " AND ")
            let statement = try RowStatement("DELETE FROM \(table.name) WHERE \(condition)", in: database)
            try statement.bind(CalendarText.date(ofDay: day), at: 1)
            for key in keys {
                for (index, text) in key.enumerated() { try statement.bind(text, at: Int32(index + 2)) }
                try statement.execute()
            }
        }
    }

    var deletion = Deletion()
    /// Places of rows that are there with other values, and of those that are not there.
    var differing: [Int] = []
    var missing: [Int] = []

    init<Row: DailyRow>(
        _ rows: ArraySlice<Row>, of day: Int32, _ names: EventNames, in database: Database
    ) throws {
        let table = Row.table
        let present = try RowStatement(table.selectionOfDate, in: database)
        try present.bind(CalendarText.date(ofDay: day), at: 1)
        let columns = table.key.dropFirst().compactMap { name in table.columns.firstIndex { $0.name == name } }
        var isPresent = try present.next()
        for place in rows.indices {
            var order: Int32 = 1
            while isPresent {
                order = rows[place].compareKey(with: present, names)
                guard order > 0 else { break }
                deletion.keys.append(columns.map { present.text(Int32($0)) })
                isPresent = try present.next()
            }
            guard isPresent, order == 0 else {
                missing.append(place)
                continue
            }
            if !rows[place].hasValues(of: present, names) { differing.append(place) }
            isPresent = try present.next()
        }
        while isPresent {
            deletion.keys.append(columns.map { present.text(Int32($0)) })
            isPresent = try present.next()
        }
    }
}
