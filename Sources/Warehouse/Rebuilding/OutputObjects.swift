import GRDB

/// The tables, indexes, views and triggers of a push.db.
struct OutputObjects {
    struct Object: Equatable {
        let type: String
        let name: String
        /// The table or view that it belongs to.
        let table: String
        let sql: String
        /// Its first page; 0 for views, triggers and virtual tables.
        let page: Int

        /// Its type and name, for messages.
        var title: String { "\(type) \(name)" }
    }

    let all: [Object]
    /// The names of our tables in the schema of the file.
    private let ours: Set<String>
    /// The columns that our tables had in the schema of the file, and have no longer, as `table.column`.
    let formerColumns: Set<String>

    init(_ database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let sql = "SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master ORDER BY rowid"
        all = try Row.fetchAll(database, sql: sql).map { row in
            Object(
                type: try row.decode(String.self, atIndex: 0), name: try row.decode(String.self, atIndex: 1),
                table: try row.decode(String.self, atIndex: 2), sql: try row.decode(String?.self, atIndex: 3) ?? "",
                page: try row.decode(Int?.self, atIndex: 4) ?? 0)
        }
        let (objects, later) = (all, OutputSchema.names(addedAfter: version))
        // Somebody may have changed the version, so a table is also known by its definition.
        let tables = OutputSchema.tables.filter { table in
            !later.contains(table.name) || objects.contains { $0.sql == table.creation }
        }
        ours = Set(tables.map(\.name))
        formerColumns = OutputSchema.columns(removedAfter: version)
    }

    /// Whether there is a table of ours, of whatever definition.
    func isOurs(_ name: String) -> Bool {
        ours.contains(name) && all.contains { $0.name == name && $0.type == "table" }
    }

    /// Whether a table or view of others has the name of one of our tables.
    func isNamesake(_ object: Object) -> Bool {
        ["table", "view"].contains(object.type) && OutputSchema.tables.contains { $0.name == object.name }
    }

    /// Whether these are tables of ours, whatever `application_id` is.
    var hasOutputTables: Bool {
        let names = Set(all.map(\.name))
        return names.contains(OutputSchema.publication.name) && names.contains(OutputSchema.columnsHelp.name)
    }

    /// Tables of ours that are missing or have another definition, sorted by name.
    var faultyTables: [OutputFaults.Difference] {
        OutputSchema.tables.sorted { $0.name < $1.name }.compactMap { table in
            guard let object = all.first(where: { $0.name == table.name }) else { return .missingTable(table.name) }
            return object.type == "table" && object.sql == table.creation ? nil : .otherDefinition(table: table.name)
        }
    }

    /// Triggers of others on our tables.
    var foreignTriggers: [OutputFaults.Trigger] {
        all.filter { $0.type == "trigger" && isOurs($0.table) }
            .map { OutputFaults.Trigger(name: $0.name, sql: $0.sql) }
    }

    /// What others have added, without triggers on our tables and what SQLite makes by itself.
    var foreign: [Object] {
        all.filter { object in
            if object.sql.isEmpty || object.name.hasPrefix("sqlite_") { return false }
            return switch object.type {
            case "table", "trigger": !isOurs(object.table)
            case "index": !OutputSchema.formerIndexes.contains(object.name)
            default: true
            }
        }
    }

    /// The indexes of others on our tables.
    var foreignIndexes: [String] {
        foreign.filter { $0.type == "index" && isOurs($0.table) }.map { "\($0.title) on \($0.table)" }
    }

    /// What stands in the way of writing our tables, such as an index with a collation that is not known here.
    func obstacles(in database: Database) -> [String] {
        OutputSchema.tables.compactMap { table in
            do {
                _ = try database.makeStatement(sql: "INSERT INTO \(table.name) SELECT * FROM \(table.name)")
                return nil
            } catch {
                return "\(table.name): \((error as? DatabaseError)?.message ?? "\(error)")"
            }
        }
    }
}
