import GRDB

extension Table {
    /// The readable rows of a damaged table that cannot be computed again. Each row has a value for every column. A row
    /// with a value of a wrong type is left out. A missing column has an empty value.
    func readableRows(in database: Database) -> [[DatabaseValue]] {
        let present = try? String.fetchAll(database, sql: "SELECT name FROM pragma_table_info(?)", arguments: [name])
        guard let present, !present.isEmpty else { return [] }
        var rows: [[DatabaseValue]] = []
        // Damage in the middle ends the reading. The rows after it are then read from the end.
        if !read(present, "ASC", in: database, into: &rows) { _ = read(present, "DESC", in: database, into: &rows) }
        return rows
    }

    /// Returns false if reading ended before the last row.
    private func read(
        _ present: [String], _ direction: String, in database: Database, into rows: inout [[DatabaseValue]]
    ) -> Bool {
        let values = columns.map { present.contains($0.name) ? "\"\($0.name)\"" : $0.emptyValue }
        let order = key.filter(present.contains).map { "\"\($0)\" \(direction)" }
        let sql =
            "SELECT \(values.joined(separator: ", ")) FROM \(name)"
            + (order.isEmpty ? "" : " ORDER BY " + order.joined(separator: ", "))
        do {
            let cursor = try Row.fetchCursor(database, sql: sql)
            while let row = try cursor.next() {
                let values = Array(row.databaseValues)
                if zip(columns, values).allSatisfy({ $0.takes($1) }) { rows.append(values) }
            }
            return true
        } catch {
            return false
        }
    }
}

extension Table.Column {
    fileprivate var emptyValue: String {
        if mayBeNull { return "NULL" }
        return switch type {
        case .integer, .real: "0"
        default: "''"
        }
    }

    /// Whether a value is of the column's type.
    fileprivate func takes(_ value: DatabaseValue) -> Bool {
        switch (value.storage, type) {
        case (.null, _): mayBeNull
        case (.int64, .integer), (.double, .real): true
        case (.string, .date), (.string, .dateTime), (.string, .text): true
        default: false
        }
    }
}
