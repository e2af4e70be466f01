import SQLite

/// The definition of a table: the SQL that creates it, and what `columns_help` says about its columns.
package struct Table: Sendable {
    package let name: String
    package let columns: [Column]
    /// The columns of the primary key, in key order.
    package let key: [String]
    /// Computed once, because many thousands of rows are inserted.
    package let insertion: String

    package init(name: String, columns: [Column], key: [String]) {
        assert(Set(key).isSubset(of: columns.map(\.name)))
        self.name = name
        self.columns = columns
        self.key = key
        let names = columns.map(\.name).joined(separator: ", ")
        let parameters = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        insertion = "INSERT INTO main.\(name) (\(names)) VALUES (\(parameters))"
    }

    package var creation: String {
        let lines = columns.map { "  \($0.name) \($0.type.rawValue)\($0.mayBeNull ? "" : " NOT NULL")" }
        let definition = (lines + ["  PRIMARY KEY (\(key.joined(separator: ", ")))"]).joined(separator: ",\n")
        return "CREATE TABLE \(name) (\n\(definition)\n) WITHOUT ROWID"
    }

    /// Selects all rows, sorted by key.
    package var selection: String { selection(where: nil) }

    /// Selects all rows, sorted by key. Columns that a table of an earlier version lacks are NULL.
    package func selection(in database: Database) throws -> String {
        let known = try database.prepare("SELECT * FROM \(name)").columnNames
        let names = columns.map { known.contains($0.name) ? $0.name : "NULL" }
        return "SELECT \(names.joined(separator: ", ")) FROM \(name) ORDER BY \(key.joined(separator: ", "))"
    }

    /// Selects the rows of one date, sorted by key. The date is the first column.
    package var selectionOfDate: String { selection(where: "\(columns[0].name) = ?") }

    /// Selects the rows for which a condition holds, sorted by key; all rows if it is nil.
    package func selection(where condition: String?) -> String {
        let names = columns.map(\.name).joined(separator: ", ")
        let order = key.joined(separator: ", ")
        return "SELECT \(names) FROM \(name) \(condition.map { "WHERE \($0) " } ?? "")ORDER BY \(order)"
    }

    package func insert(_ values: [DatabaseValue], into database: Database) throws {
        assert(values.count == columns.count)
        try database.execute(insertion, binding: values)
    }

    /// Inserts a row. Returns false if a row with the same key exists.
    package func insertIfNew(_ values: [DatabaseValue], into database: Database) throws -> Bool {
        try database.execute("\(insertion) ON CONFLICT (\(key.joined(separator: ", "))) DO NOTHING", binding: values)
        return database.changes > 0
    }
}

extension String {
    /// The name of a table or a column for SQL.
    package var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}

extension Table {
    /// A column, and its row in `columns_help`.
    package struct Column: Sendable {
        /// The declared type.
        package enum DataType: String, Sendable {
            case date = "DATE"
            case dateTime = "DATETIME"
            case integer = "INTEGER"
            case real = "REAL"
            case text = "TEXT"
        }

        /// What may be done with the values of a column.
        package enum Kind: String, Sendable {
            /// To group and to filter by.
            case dimension
            case time
            /// May be summed over all rows of the table.
            case additive
            /// A quotient, which must not be added up. The column's formula computes it for several rows.
            case rate
            /// Describes its own row only.
            case fact
        }

        package let name: String
        package let type: DataType
        let mayBeNull: Bool
        package let kind: Kind
        /// What is counted or measured; nil for texts, flags and times as text.
        package let unit: String?
        /// A sentence or two.
        package let help: String
        /// SQL that computes a rate over any rows; nil for other kinds.
        package private(set) var formula: String?

        static func dimension(
            _ name: String, type: DataType, help: String, unit: String? = nil, mayBeNull: Bool = false
        ) -> Column {
            Column(name: name, type: type, mayBeNull: mayBeNull, kind: .dimension, unit: unit, help: help)
        }

        static func time(
            _ name: String, type: DataType, help: String, unit: String? = nil, mayBeNull: Bool = false
        ) -> Column {
            Column(name: name, type: type, mayBeNull: mayBeNull, kind: .time, unit: unit, help: help)
        }

        /// A count of `unit`.
        static func additive(_ name: String, unit: String, help: String, mayBeNull: Bool = false) -> Column {
            Column(name: name, type: .integer, mayBeNull: mayBeNull, kind: .additive, unit: unit, help: help)
        }

        /// `part` / `whole`.
        static func rate(_ name: String, part: String, of whole: String) -> Column {
            Column(
                name: name, type: .real, mayBeNull: true, kind: .rate, unit: "ratio",
                help: "\(part) / \(whole), between 0 and 1; NULL if \(whole) is 0. Never average it.",
                formula: "1.0 * sum(\(part)) / sum(\(whole))")
        }

        /// `part` / `messages`, where anything tells that messages could be seen.
        static func rateOfSeen(_ name: String, part: String) -> Column {
            Column(
                name: name, type: .real, mayBeNull: true, kind: .rate, unit: "ratio",
                help:
                    "\(part) / messages, between 0 and 1; NULL if no message of the row was sent, arrived or impressed. "
                    + "Never average it.",
                formula: "1.0 * sum(CASE WHEN \(name) IS NOT NULL THEN \(part) END) "
                    + "/ sum(CASE WHEN \(name) IS NOT NULL THEN messages END)")
        }

        /// `part` / `sent`, which may be above 1. The formula leaves out the rows without `sent`.
        static func rateOfSent(_ name: String, part: String) -> Column {
            Column(
                name: name, type: .real, mayBeNull: true, kind: .rate, unit: "ratio",
                help: "\(part) / sent; NULL if sent is 0 or unknown. It may exceed 1. Never average it.",
                formula: "1.0 * sum(CASE WHEN sent IS NOT NULL THEN \(part) END) / sum(sent)")
        }

        /// `part` / `sent` for an event that only some platforms report. The formula leaves out rows without `sent` and
        /// rows of other platforms.
        static func rateOfReportedSent(_ name: String, part: String, event: String) -> Column {
            Column(
                name: name, type: .real, mayBeNull: true, kind: .rate, unit: "ratio",
                help: "\(part) / sent; NULL if sent is 0 or unknown, or if daily_actions has no \(event) of the "
                    + "platform (in delivery_results: of any) at all. It may exceed 1. Never average it.",
                formula: "1.0 * sum(CASE WHEN \(name) IS NOT NULL THEN \(part) END) "
                    + "/ sum(CASE WHEN \(name) IS NOT NULL THEN sent END)")
        }

        /// A count of messages that is not always known.
        static func knownCount(_ name: String, help: String) -> Column {
            Column(name: name, type: .integer, mayBeNull: true, kind: .additive, unit: "messages", help: help)
        }

        package static func fact(
            _ name: String, type: DataType, help: String, unit: String? = nil, mayBeNull: Bool = false
        ) -> Column {
            Column(name: name, type: type, mayBeNull: mayBeNull, kind: .fact, unit: unit, help: help)
        }

        /// SQL that is true for values of the declared type and form. Counts must not be negative.
        package var condition: String {
            // '+0 days' lets SQLite see that there is no 30th of February.
            let isGood =
                switch type {
                case .integer: "typeof(\(name)) = 'integer'" + (kind == .additive ? " AND \(name) >= 0" : "")
                case .real: "typeof(\(name)) = 'real'"
                case .text: "typeof(\(name)) = 'text'"
                case .date: "typeof(\(name)) = 'text' AND date(\(name), '+0 days') IS \(name)"
                case .dateTime: "typeof(\(name)) = 'text' AND datetime(\(name), '+0 days') IS \(name)"
                }
            return "(\(mayBeNull ? "\(name) IS NULL OR " : "")(\(isGood)))"
        }
    }
}
