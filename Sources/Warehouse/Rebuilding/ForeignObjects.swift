import Events
import SQLite

/// Copies what cannot be computed again from a push.db into a new one: the history, and what others have added.
final class ForeignObjects {
    private let former: Database
    private let new: Database
    private let objects: OutputObjects
    private(set) var result = ForeignCopy()

    /// - Parameter objects: the objects of `former`.
    init(_ objects: OutputObjects, from former: Database, into new: Database) {
        self.objects = objects
        self.former = former
        self.new = new
        result.leftOut = objects.foreignTriggers.map { .object("trigger \($0.name)", $0.sql) }
    }

    /// Copies tables and views with the name of a table of ours, under another name. Call this before our tables are made.
    func copyNamesakes() throws {
        for object in objects.foreign where objects.isNamesake(object) {
            let newName = try freeName(for: object.name)
            let name = newName.quoted
            if object.type == "view" {
                let rest = object.sql.dropFirst("CREATE VIEW ".count)
                let body = rest.dropFirst(ForeignObjects.nameLength(rest))
                guard try attempt(object, { try new.execute(sql: "CREATE VIEW \(name)\(body)") }) else { continue }
            } else {
                guard try attempt(object, { try new.execute(sql: object.sql) }) else { continue }
                try copyRows(of: object.name)
                for other in objects.foreign where other.table == object.name && other != object {
                    try attempt(other) { try new.execute(sql: other.sql) }
                }
                try new.execute(sql: "ALTER TABLE \(object.name.quoted) RENAME TO \(name)")
            }
            result.renamed.append(ForeignCopy.Renaming(from: object.name, to: newName))
        }
    }

    /// Copies the readable rows of the tables that cannot be computed again, and notes columns that others have added to
    /// our tables. A row with a value of a wrong type or form is left out. A missing column gets an empty value.
    func copyHistory() throws {
        for table in OutputSchema.tables where objects.isOurs(table.name) {
            let present = try String.fetchAll(
                former, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table.name])
            let names = Set(table.columns.map(\.name))
            result.leftOut += present.filter { !names.contains($0) }.map { "\(table.name).\($0)" }
                .filter { !objects.formerColumns.contains($0) }.map { .object("column \($0)", "") }
            guard OutputSchema.kept.contains(where: { $0.name == table.name }) else { continue }
            var kept = Set(present)
            var selected = ""
            if table.name == OutputSchema.partitions.name {
                // All else in it is computed.
                guard present.contains("warnings") else { continue }
                kept = ["log_date", "warnings"]
                selected = " WHERE warnings IS NOT NULL"
            }
            let values = table.columns.map { kept.contains($0.name) ? $0.name : $0.emptyValue }
            let conditions = table.columns.filter { kept.contains($0.name) }.map(\.condition)
            let key = table.key.filter(present.contains).map { "\($0) DESC" }.joined(separator: ", ")
            var lost = 0
            let isWhole = try forEachRow(
                "SELECT \(values.joined(separator: ", ")), \((["1"] + conditions).joined(separator: " AND ")) "
                    + "FROM \(table.name) NOT INDEXED" + selected,
                reversed: key.isEmpty ? nil : "ORDER BY \(key)"
            ) { row, _ in
                if row.number(Int32(values.count)) == 1 {
                    _ = try table.insertIfNew(table.columns.indices.map { row.value(Int32($0)) }, into: new)
                } else {
                    lost += 1
                }
            }
            if !isWhole || lost > 0 { result.leftOut.append(.rows(of: table.name, count: isWhole ? lost : nil)) }
        }
    }

    /// Copies all else. Call this after our tables are filled.
    func copy() throws {
        try new.execute(sql: "PRAGMA ignore_check_constraints = ON")
        let namesakes = Set(objects.foreign.filter(objects.isNamesake).map(\.name))
        let others = objects.foreign.filter { !namesakes.contains($0.name) && !namesakes.contains($0.table) }
        func foreign(_ type: String) -> [OutputObjects.Object] { others.filter { $0.type == type } }
        for table in foreign("table") {
            if table.page == 0 {
                try copyVirtual(table)
            } else if try attempt(table, { try new.execute(sql: table.sql) }) {
                try copyRows(of: table.name)
            }
        }
        try copyRows(ofInternal: "sqlite_sequence", key: "name")
        for object in foreign("index") + foreign("view") + foreign("trigger") {
            try attempt(object) { try new.execute(sql: object.sql) }
        }
        try copyRows(ofInternal: "sqlite_stat1", key: "tbl")
        for view in objects.foreign where view.type == "view" {
            let name = result.renamed.first { $0.from == view.name }?.to ?? view.name
            func selection(_ name: String) -> String { "SELECT * FROM \(name.quoted)" }
            // A view that cannot be used is told; it stays as it is.
            if (try? Statement(selection(view.name), in: former)) != nil,
                (try? Statement(selection(name), in: new)) == nil
            {
                result.brokenViews.append(name)
            }
        }
    }

    /// Copies the rows of a table of others, which exists in both files.
    private func copyRows(of table: String) throws {
        let name = table.quoted
        // Generated columns are not stored.
        var columns = try String.fetchAll(
            former, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
        let names = columns.map { $0.lowercased() }
        columns = columns.map(\.quoted)
        let rowID = try ["rowid", "_rowid_", "oid"].first { name in
            try !names.contains(name)
                && Int.fetchOne(
                    former, sql: "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?",
                    arguments: [table]) == 0
        }
        if let rowID { columns.append(rowID) }
        let list = columns.joined(separator: ", ")
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        do {
            let insertions = try ["INSERT", "INSERT OR IGNORE"].map {
                try Statement("\($0) INTO \(name) (\(list)) VALUES (\(values))", in: new)
            }
            let isWhole = try forEachRow(
                "SELECT \(list) FROM \(name) NOT INDEXED", reversed: rowID.map { "ORDER BY \($0) DESC" }
            ) { row, isAgain in
                let insertion = insertions[isAgain ? 1 : 0]
                var binder = Statement.Binder(insertion)
                try row.write(columns: columns.count, to: &binder)
                try insertion.execute()
            }
            if !isWhole { result.leftOut.append(.rows(of: table, count: nil)) }
        } catch let error as DatabaseError where ForeignObjects.isTheirs(error) {
            result.leftOut.append(.rows(of: table, count: nil))
        }
    }

    /// A virtual table needs its module only when it is used. Its content is in other tables.
    private func copyVirtual(_ table: OutputObjects.Object) throws {
        try new.execute(sql: "PRAGMA writable_schema = ON")
        try new.execute(
            sql: "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES ('table', ?, ?, 0, ?)",
            arguments: [table.name, table.name, table.sql])
        try new.execute(sql: "PRAGMA writable_schema = OFF")
    }

    /// Copies the rows that are about tables of others in a table of SQLite's own.
    private func copyRows(ofInternal table: String, key: String) throws {
        guard try former.tableExists(table), try new.tableExists(table) else { return }
        let ours = OutputSchema.tables.map { "'\($0.name)'" }.joined(separator: ", ")
        do {
            let rows = try Row.fetchAll(former, sql: "SELECT * FROM \(table) WHERE \(key) NOT IN (\(ours))")
            try new.execute(sql: "DELETE FROM \(table) WHERE \(key) NOT IN (\(ours))")
            for row in rows {
                let values = row.databaseValues
                try new.execute(
                    sql: "INSERT INTO \(table) VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))",
                    arguments: values)
            }
        } catch let error as DatabaseError where ForeignObjects.isTheirs(error) {
            result.leftOut.append(.rows(of: table, count: nil))
        }
    }

    /// Calls `body` with each row that can be read. Damage in the middle ends the reading; then the rows are read once more
    /// from the end, and `isAgain` is true. Returns false if there was damage.
    private func forEachRow(
        _ sql: String, reversed: String?, _ body: (Statement, _ isAgain: Bool) throws -> Void
    ) throws -> Bool {
        func read(_ sql: String, isAgain: Bool) throws -> Bool {
            let rows = try Statement(sql, in: former)
            defer { rows.reset() }
            while true {
                do {
                    guard try rows.next() else { return true }
                } catch let error as DatabaseError where error.resultCode == .corrupt {
                    return false
                }
                try body(rows, isAgain)
            }
        }
        if try read(sql, isAgain: false) { return true }
        if let reversed { _ = try read("\(sql) \(reversed)", isAgain: true) }
        return false
    }

    /// Runs `body`. An object that does not fit the new file is left out. Returns false then.
    @discardableResult
    private func attempt(_ object: OutputObjects.Object, _ body: () throws -> Void) throws -> Bool {
        do {
            try body()
            return true
        } catch let error as DatabaseError where ForeignObjects.isTheirs(error) {
            result.leftOut.append(.object(object.title, error.message))
            return false
        }
    }

    /// Whether an error lies in what others have made or in damage of the former file, and not in the disk or the memory.
    private static func isTheirs(_ error: DatabaseError) -> Bool {
        [.error, .constraint, .corrupt, .mismatch, .tooBig]
            .contains(error.resultCode)
    }

    /// `days_before_4`, or with the next number that is free.
    private func freeName(for name: String) throws -> String {
        let names = Set(objects.all.map(\.name))
        let free = (OutputSchema.version...).lazy.map { "\(name)_before_\($0)" }.first { !names.contains($0) }
        return free ?? name
    }

    /// The length of the name at the start of a text of SQL.
    private static func nameLength(_ sql: Substring) -> Int {
        guard let first = sql.first else { return 0 }
        let end: Character? = ["\"": "\"", "`": "`", "[": "]", "'": "'"][first]
        guard let end else { return sql.prefix { $0.isLetter || $0.isNumber || "_$".contains($0) }.count }
        return 2 + sql.dropFirst().prefix { $0 != end }.count
    }
}

extension Table.Column {
    /// SQL for a value of a column that a table lacks.
    fileprivate var emptyValue: String {
        if mayBeNull { return "NULL" }
        return switch type {
        case .integer, .real: "0"
        default: "''"
        }
    }
}
