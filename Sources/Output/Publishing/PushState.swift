import CSQLite
import Foundation
import Partitions
import Posix
import SQLite

/// What is in the place of push.db, and what must be done before rows are written.
struct PushState: Sendable {
    enum Content: Equatable, Sendable {
        /// The last command left it so.
        case left
        /// There is a push.db, and nobody knows what is in it.
        case unknown
        case missing
        /// SQLite cannot read it; why.
        case malformed(String)
    }

    var content: Content
    /// Our tables that are missing or have another definition. They are made anew.
    var otherTables: [String] = []
    /// Whether others have added a column to one of our tables, and it has values.
    var losesColumns = false
    var settings: [String] = []
    var triggers: [OutputObject] = []
    /// The file that was looked at; nil if there is none.
    var stamp: FileStamp?

    /// - Parameter left: what the last command left; nil if nobody knows.
    /// - Throws: errors that are not damage of the file; also if it belongs to another application or a newer version, or if
    ///   something of others has the name of one of our tables.
    init(_ output: OutputDatabase, _ left: LeftFiles?) throws(WarehouseError) {
        if let left, !left.isWriting, output.isLeft(left) {
            self.init(left: output)
        } else {
            try self.init(lookingAt: output, isKnown: left?.push != nil)
        }
    }

    /// What a look at the file finds.
    /// - Parameter isKnown: whether the last command left one.
    init(lookingAt output: OutputDatabase, isKnown: Bool = true) throws(WarehouseError) {
        try self.init(output, isKnown)
        // SQLite also calls a file malformed of which a page could not be read at that moment.
        if case .malformed = content { try self.init(output, isKnown) }
    }

    private init(_ output: OutputDatabase, _ isKnown: Bool) throws(WarehouseError) {
        let stamp = FileStamp(path: output.path)
        do throws(WarehouseError) {
            // First undo the transaction of a killed command. This changes the file.
            _ = try output.readUnchecked { try $0.hasRow("PRAGMA schema_version") }
            guard let stamp = FileStamp(path: output.path) else {
                self.init(content: .missing)
                return
            }
            // A command that was killed early may have left an empty file.
            if stamp.bytes == 0 {
                self.init(content: isKnown ? .malformed("it is empty") : .missing, stamp: stamp)
                return
            }
            let found = try output.readUnchecked { database in
                try PushState(of: database, output, stamp, isKnown: isKnown)
            }
            self = found ?? PushState(content: .missing)
        } catch {
            guard let damage = error.damage, isKnown || output.isKnownAsOutput else { throw error }
            self.init(content: .malformed(damage), stamp: stamp)
        }
    }

    /// That of a push.db that this command has written.
    init(left output: OutputDatabase) {
        self.init(content: .left, stamp: FileStamp(path: output.path))
    }

    private init(content: Content, stamp: FileStamp? = nil) {
        (self.content, self.stamp) = (content, stamp)
    }

    private init(of database: Database, _ output: OutputDatabase, _ stamp: FileStamp, isKnown: Bool) throws {
        self.init(content: .unknown, stamp: stamp)
        let (file, path) = (output.file, output.path)
        let objects = try OutputObjects(database)
        let application = try database.value("PRAGMA application_id") ?? 0
        let version = try database.value("PRAGMA user_version") ?? 0
        if objects.all.isEmpty, application == 0 {
            // SQLite accepts a few arbitrary bytes as an empty database.
            guard stamp.bytes >= 512 else { throw WarehouseError.notSQLite(path: path) }
            content = isKnown ? .malformed("it is empty") : .missing
            return
        }
        guard application == file.applicationID || objects.hasOutputTables else {
            throw WarehouseError.foreign(path: path, applicationID: application)
        }
        guard version <= file.schema || output.isFlipped else {
            throw WarehouseError.newerSchema(path: path, schema: version, known: file.schema)
        }
        if let fault = try PushState.damage(database) {
            content = .malformed(fault)
            return
        }
        let encoding = try database.value("PRAGMA encoding") ?? ""
        // The order of texts in the file depends on it.
        guard encoding == "UTF-8" else {
            content = .malformed("its texts are in \(encoding)")
            return
        }
        let obstacles = objects.namesakes
        if !obstacles.isEmpty {
            throw WarehouseError.obstructed(
                path: path, objects: obstacles, detail: "the name is that of a table of pushetl")
        }
        if version != file.schema { settings.append("user_version") }
        otherTables = objects.otherTables
        losesColumns = try objects.foreignColumns(in: database).contains { table, column in
            try database.hasRow("SELECT 1 FROM \(table) NOT INDEXED WHERE \(column.quoted) IS NOT NULL LIMIT 1")
        }
        if application != file.applicationID { settings.append("application_id") }
        if try database.value("PRAGMA journal_mode") == "wal" { settings.append("journal_mode") }
        if try !OutputStatistics.areComplete(in: database) { settings.append("sqlite_stat1") }
        triggers = objects.foreignTriggers
    }

    /// What SQLite finds wrong in a file; nil for nothing. Rows of others that break a rule of their own table are no damage.
    static func damage(_ database: Database) throws -> String? {
        func lines(_ argument: String) throws -> [Substring] {
            // The first line is a heading: "*** in database main ***". A row of the result may have several lines.
            let rows: [String] = try database.column("PRAGMA quick_check(\(argument))")
            return rows.joined(separator: "\n").split(separator: "\n")
        }
        var found: [Substring]
        do {
            found = try lines("100")
        } catch let error as DatabaseError where error.primaryCode == SQLITE_ERROR {
            // A table of others has an index or a constraint with a collation or a function that is not known here.
            let tables = OutputSchema.tables.map(\.name).filter { (try? database.hasTable($0)) ?? false }
            found = tables.flatMap { (try? lines($0)) ?? [] }
        }
        let rules = ["ok", "***", "NULL value in ", "CHECK constraint failed in "]
        found.removeAll { line in rules.contains { line.hasPrefix($0) } }
        for line in found { try throwFailure(in: line) }
        return found.first.map(String.init)
    }

    /// Throws if a line says that a page could not be read, as "unable to get the page. error code=266" does. The check goes on
    /// after such a failure, and it is no damage of the file.
    private static func throwFailure(in line: Substring) throws {
        guard let number = line.firstMatch(of: /error code[ =](?<code>\d+)/), let code = Int32(number.code) else {
            return
        }
        let error = DatabaseError(code)
        guard error.primaryCode == SQLITE_CORRUPT else { throw error }
    }

    /// Whether something is to be set back, or there is no push.db.
    var needsWriting: Bool { content == .missing || repair != nil }

    /// What others have changed, and what was done about it; nil for nothing.
    var repair: OutputRepair? {
        var repair = OutputRepair()
        if case .malformed(let detail) = content {
            repair.damage = detail
            return repair
        }
        repair.tables = otherTables
        repair.settings = settings
        repair.triggers = triggers
        return repair == OutputRepair() ? nil : repair
    }
}
