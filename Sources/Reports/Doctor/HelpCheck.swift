import Partitions
import SQLite

/// Compares `columns_help` with the columns that the tables have.
enum HelpCheck {
    static func faults(in database: Database) throws -> [DoctorFault] {
        var wanted: Set<[String]> = []
        for table in OutputSchema.tables {
            let columns: [String] = try database.column("SELECT name FROM pragma_table_info(?)", .of(table.name))
            for column in columns { wanted.insert([table.name, column]) }
        }
        let found = Set(
            try database.rows("SELECT table_name, column_name FROM columns_help WHERE trim(description) <> ''") { row in
                [try row.read(0) as String, try row.read(1)]
            })
        func sorted(_ names: Set<[String]>) -> [[String]] { names.sorted { $0.lexicographicallyPrecedes($1) } }
        return sorted(wanted.subtracting(found)).map { .missingHelp(table: $0[0], column: $0[1]) }
            + sorted(found.subtracting(wanted)).map { .needlessHelp(table: $0[0], column: $0[1]) }
    }
}
