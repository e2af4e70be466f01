import GRDB

extension Table {
    /// Makes the table hold exactly `rows`, which must be sorted by key. With `date`, only the rows of that date in the
    /// first column are replaced. Writes only differences. Returns the number of rows written or removed.
    func replaceRows(
        _ rows: some Sequence<[DatabaseValue]>, of date: String? = nil, in database: Database
    ) throws -> Int {
        let keyColumns = key.compactMap { name in columns.firstIndex { $0.name == name } }
        var obsolete: [[DatabaseValue]] = []
        var missing: [[DatabaseValue]] = []
        do {
            let present = try database.makeStatement(sql: date == nil ? selection : selectionOfDate)
            if let date { try present.setArguments([date]) }
            let cursor = try Row.fetchCursor(present)
            var old = try cursor.next().map { Array($0.databaseValues) }
            for row in rows {
                while let before = old, Table.compare(before, row, keyColumns) < 0 {
                    obsolete.append(keyColumns.map { before[$0] })
                    old = try cursor.next().map { Array($0.databaseValues) }
                }
                guard let same = old, Table.compare(same, row, keyColumns) == 0 else {
                    missing.append(row)
                    continue
                }
                if Table.compare(same, row, columns.indices) != 0 { missing.append(row) }
                old = try cursor.next().map { Array($0.databaseValues) }
            }
            while let rest = old {
                obsolete.append(keyColumns.map { rest[$0] })
                old = try cursor.next().map { Array($0.databaseValues) }
            }
        }
        let condition = key.map { "\($0) = ?" }.joined(separator: " AND ")
        let deletion = try RowStatement("DELETE FROM \(name) WHERE \(condition)", in: database)
        for row in obsolete { try deletion.execute(row) }
        let replacement = try RowStatement(
            insertion.replacing("INSERT INTO", with: "INSERT OR REPLACE INTO"), in: database)
        for row in missing { try replacement.execute(row) }
        return obsolete.count + missing.count
    }

    /// Compares rows by the given columns, as SQLite orders them. Texts are compared by their bytes, which `==` of
    /// strings does not do. Negative, 0 or positive.
    private static func compare(
        _ a: [DatabaseValue], _ b: [DatabaseValue], _ columns: some Collection<Int>
    ) -> Int {
        for column in columns {
            let order = compare(a[column], b[column])
            if order != 0 { return order }
        }
        return 0
    }

    private static func compare(_ a: DatabaseValue, _ b: DatabaseValue) -> Int {
        switch (a.storage, b.storage) {
        case (.string(let a), .string(let b)):
            if a.utf8.elementsEqual(b.utf8) { return 0 }
            return a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        case (.int64(let a), .int64(let b)): return a == b ? 0 : a < b ? -1 : 1
        case (.double(let a), .double(let b)): return a == b ? 0 : a < b ? -1 : 1
        case (.blob(let a), .blob(let b)): return a == b ? 0 : a.lexicographicallyPrecedes(b) ? -1 : 1
        default: return rank(a) - rank(b)
        }
    }

    private static func rank(_ value: DatabaseValue) -> Int {
        switch value.storage {
        case .null: 0
        case .int64, .double: 1
        case .string: 2
        case .blob: 3
        }
    }
}
