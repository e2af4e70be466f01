import Reference
import SQLite
import Support

extension ScratchFolder {
    /// Tables of a database, with the columns of the expected ones.
    func tables(_ path: String, like expected: [OutputTable]) throws -> [OutputTable] {
        let database = try Database(self.path(path), isReadOnly: true)
        return try expected.map { table in
            OutputTable(table.name, table.columns, try rows(database, table.name, table.columns))
        }
    }

    /// All tables of the output DB but those of the history, and without the warnings, which are history too. None if there is no such file, since every log date was held
    /// back.
    func dump(_ path: String) throws -> [OutputTable] {
        if !exists(path) { return [] }
        let names = [
            "daily_actions", "daily_funnel", "daily_totals", "hourly_actions", "daily_lateness", "daily_paths", "days",
            "calendar", "about", "partitions", "files", "outcomes", "columns_help", "publication",
            "deliveries", "delivery_results", "delivery_platforms",
        ]
        let database = try Database(self.path(path), isReadOnly: true)
        return try names.map { name in
            var columns: [String] = try database.column("SELECT name FROM pragma_table_info(?)", .of(name))
            columns.removeAll { name == "partitions" && $0 == "warnings" }
            return OutputTable(name, columns, try rows(database, name, columns))
        }
    }

    private func rows(_ database: Database, _ table: String, _ columns: [String]) throws -> [OutputRow] {
        let sql =
            "SELECT " + columns.map { "\"\($0)\"" }.joined(separator: ", ") + " FROM \"\(table)\""
            // These rows are about the program and the text of the pipeline file.
            + (table == "about" ? " WHERE key NOT IN ('pipeline', 'version')" : "")
        return try database.rows(sql) { row in
            row.values.map { value in
                switch value {
                case .null: .null
                case .int64(let number): .integer(Int(number))
                case .double(let number): .real(number)
                case .string(let text): .text(text)
                case .blob(let bytes): .text("a blob: \(bytes)")
                }
            }
        }
    }
}

/// The first rows in which tables differ. Nil if they are equal.
func difference(_ found: [OutputTable], _ expected: [OutputTable]) -> String? {
    if found.count != expected.count { return "\(found.count) tables instead of \(expected.count)" }
    for (found, expected) in zip(found, expected) where found != expected {
        var lines = ["table \(expected.name) (\(expected.columns.joined(separator: ", ")))"]
        var missing = expected.rows
        var surplus: [OutputRow] = []
        for row in found.rows {
            if let index = missing.firstIndex(of: row) { missing.remove(at: index) } else { surplus.append(row) }
        }
        lines += missing.prefix(4).map { "  expected \($0)" } + surplus.prefix(4).map { "  found    \($0)" }
        if missing.count > 4 || surplus.count > 4 {
            lines.append("  … \(missing.count) missing, \(surplus.count) surplus")
        }
        return lines.joined(separator: "\n")
    }
    return nil
}
