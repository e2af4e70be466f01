import Partitions
import SQLite

/// What `columns_help` says about a column.
struct ColumnHelp {
    let name: String
    let description: String
    let kind: String
    let unit: String?
    let formula: String?

    /// The description with what may be done with the column: `Messages first seen on the day. Additive; in messages.`
    var text: String {
        let isSummed = kind == Partitions.Table.Column.Kind.additive.rawValue
        let unit = unit.map { isSummed ? "Additive; in \($0)." : "In \($0)." }
        return ([description] + [unit, formula.map { "Over several rows: \($0)." }].compactMap { $0 })
            .joined(separator: " ")
    }

    /// By table, in the order of the table's columns.
    static func all(_ database: Database) throws -> [String: [ColumnHelp]] {
        var help: [String: [ColumnHelp]] = [:]
        try database.forEach("SELECT table_name, column_name, description, kind, unit, formula FROM columns_help") {
            row in
            help[try row.read(0), default: []].append(
                ColumnHelp(
                    name: try row.read(1), description: try row.read(2), kind: try row.read(3), unit: try row.read(4),
                    formula: try row.read(5)))
        }
        for table in OutputSchema.tables {
            let order = Dictionary(
                table.columns.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
            help[table.name]?.sort { order[$0.name, default: .max] < order[$1.name, default: .max] }
        }
        return help
    }
}
