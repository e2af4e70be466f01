import GRDB

/// The tables, indexes, views and triggers of a push.db.
struct OutputObjects {
    private struct Object {
        let type: String
        let name: String
        let table: String
        let sql: String
    }

    private let objects: [Object]
    private static let tableNames = Set(OutputSchema.tables.map(\.name))

    init(_ database: Database) throws {
        objects = try Row.fetchAll(database, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
            .map { row in
                Object(
                    type: try row.decode(String.self, atIndex: 0), name: try row.decode(String.self, atIndex: 1),
                    table: try row.decode(String.self, atIndex: 2),
                    sql: try row.decode(String?.self, atIndex: 3) ?? "")
            }
    }

    var isEmpty: Bool { objects.isEmpty }

    /// Whether these are tables of ours, whatever `application_id` is.
    var hasOutputTables: Bool {
        let names = Set(objects.map(\.name))
        return names.contains(OutputSchema.publication.name) && names.contains(OutputSchema.columnsHelp.name)
    }

    /// Tables that are missing or have another definition.
    var faultyTables: [String: OutputFaults.TableFault] {
        var faults: [String: OutputFaults.TableFault] = [:]
        for table in OutputSchema.tables {
            if !objects.contains(where: { $0.name == table.name }) {
                faults[table.name] = .missing
            } else if !objects.contains(where: { $0.table == table.name && $0.sql == table.creation }) {
                faults[table.name] = .otherDefinition
            }
        }
        return faults
    }

    var foreignTriggers: [String] {
        objects.filter { $0.type == "trigger" && OutputObjects.tableNames.contains($0.table) }.map(\.name)
    }

    /// The names of objects that others have added.
    var foreign: [String] {
        let ours = OutputObjects.tableNames.union(OutputSchema.formerIndexes)
        return objects.map(\.name).filter { !ours.contains($0) && !$0.hasPrefix("sqlite_") }
    }
}
