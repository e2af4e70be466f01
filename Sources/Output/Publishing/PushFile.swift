import Foundation
import Messages
import Partitions
import Posix
import SQLite

/// The state of the file at the place of push.db.
enum PushFile: Equatable, Sendable {
    case missing
    /// The last command left it so.
    case left
    /// The file is sound, but not as the last command left it. `objects` is the SQL of what other programs have added
    /// to our tables. It is lost when the tables are made anew.
    case changed(objects: [String])
    /// An earlier version of the program left it.
    case earlier(schema: Int, objects: [String])
    /// SQLite cannot read the file, for this reason.
    case malformed(String)

    /// Whether all our tables must be made anew.
    var isAnew: Bool { self != .left }

    /// Whether the file is written in place, and not replaced by another one.
    var isInPlace: Bool {
        switch self {
        case .left, .changed, .earlier: true
        case .missing, .malformed: false
        }
    }

    /// - Throws: errors other than damage of the file. Also if the file belongs to another application, to pushetl 1.x
    ///   or to a later version, or if an object of another program has the name of one of our tables.
    init(_ output: OutputDatabase) throws {
        if output.isLeft { self = .left } else { try self.init(lookingAt: output) }
    }

    /// Opens the file and checks it.
    init(lookingAt output: OutputDatabase) throws {
        do {
            let isFlipped = output.isFlipped
            self = try output.readUnchecked { try PushFile(of: $0, at: output.path, isFlipped: isFlipped) } ?? .missing
            // An empty file counts as damaged only if push.db was there before. If somebody made it before the first
            // command, nothing is told.
            if self == .missing, FileStamp(path: output.path) != nil, LeftFile(in: output.folder)?.push != nil {
                self = .malformed("it is empty")
            }
        } catch let error as OutputError {
            guard let damage = error.damage, error.kind != .foreign, output.isKnownAsOutput else { throw error }
            self = .malformed(damage)
        }
    }

    /// - Parameter isFlipped: whether an unexpected schema version is the result of a damaged byte.
    private init(of database: Database, at path: String, isFlipped: Bool) throws {
        let definitions = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master ORDER BY rowid"
        let objects = try database.rows(definitions) { row in
            Object(type: try row.read(0), name: try row.read(1), table: try row.read(2), sql: try row.read(3))
        }
        if objects.isEmpty {
            self = .missing
            return
        }
        let file = DatabaseFile.output(path)
        let application = try database.value("PRAGMA application_id") ?? 0
        let version = try database.value("PRAGMA user_version") ?? 0
        guard application == file.applicationID || objects.contains(where: { $0.name == file.hallmark }) else {
            throw OutputError(.foreign, at: path)
        }
        do {
            if !isFlipped { try file.check(schema: version) }
        } catch let error as OutputError {
            // All other versions are taken over or made anew.
            switch error.kind {
            case .former, .newerSchema: throw error
            default: break
            }
        }
        if let fault = try PushFile.damage(database) {
            self = .malformed(fault)
            return
        }
        let ours = Dictionary(uniqueKeysWithValues: OutputDatabase.creations.map { ($0.name, $0.sql) })
        let namesakes = try OutputDatabase.namesakes(in: database)
        if !namesakes.isEmpty {
            throw Fault.obstructed(path, objects: namesakes, detail: "the name is that of a table of pushetl")
        }
        let others = objects.filter { object in
            if object.type == "table" { return ours[object.name.lowercased()].map { $0 != object.sql } ?? false }
            return ["index", "trigger"].contains(object.type) && ours[object.table.lowercased()] != nil
                && !object.name.hasPrefix("sqlite_")
        }.map(\.sql)
        // The tables of an earlier version differ from ours without any other program having changed them.
        self =
            version < file.schema && version >= 1 && !isFlipped
            ? .earlier(schema: version, objects: others.filter { !$0.hasPrefix("CREATE TABLE") })
            : .changed(objects: others)
    }

    private struct Object {
        let type: String
        let name: String
        let table: String
        let sql: String
    }

    /// What SQLite finds wrong in a file; nil if nothing is. A row of a foreign table that breaks that table's rules is
    /// no damage.
    static func damage(_ database: Database) throws -> String? {
        let found: [String]
        do {
            found = try database.column("PRAGMA quick_check(100)")
        } catch let error as DatabaseError where error.kind == .unfitting {
            // A foreign table uses a collation or function that is not known here, in an index or a constraint.
            return nil
        }
        let rules = ["ok", "NULL value in ", "CHECK constraint failed in "]
        return found.first { line in !rules.contains { line.hasPrefix($0) } }
    }

    /// The message that push.db was made anew, and why; nil if nobody needs to know.
    ///
    /// - Parameters:
    ///   - isTold: whether a program other than pushetl has changed push.db. After a command that was killed, nothing
    ///     is told.
    ///   - copy: the path under which the former file is kept.
    func message(at path: String, isTold: Bool, copy: String?) -> Message? {
        let text: MessageText
        switch self {
        case .missing, .left: return nil
        case .malformed(let damage):
            let kept: MessageText = copy.map { "; the former file is kept as \(path: $0)" } ?? ""
            text = "is damaged (\(damage)), so a new one was made, and its history begins again\(kept)"
        case .changed(let objects) where isTold, .earlier(_, let objects) where !objects.isEmpty:
            text = "is not the file as the last command left it, so its tables were made anew\(PushFile.gone(objects))"
        case .changed(let objects):
            if objects.isEmpty { return nil }
            text = "its tables were made anew\(PushFile.gone(objects))"
        case .earlier: return nil
        }
        return .at(path, code: .repairedOutput, text: text)
    }

    private static func gone(_ objects: [String]) -> MessageText {
        let list = objects.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        return objects.isEmpty ? "" : "; what others had put on them is gone: \(list.joined(separator: "; "))"
    }
}

extension OutputDatabase {
    /// What others have made under the name of one of our tables, such as `view days`. A table is theirs if it has none of the
    /// columns.
    package static func namesakes(in database: Database) throws -> [String] {
        let ours = Dictionary(uniqueKeysWithValues: OutputSchema.tables.map { ($0.name, Set($0.columns.map(\.name))) })
        let names = Set(creations.map(\.name))
        let objects = try database.rows("SELECT type, name FROM sqlite_master ORDER BY name") { row in
            (type: try row.read(0) as String, name: try row.read(1) as String)
        }
        return try objects.filter { object in
            let name = object.name.lowercased()
            guard names.contains(name) else { return false }
            guard object.type == "table", let columns = ours[name] else { return object.type != "table" }
            let found: [String] = try database.column("SELECT lower(name) FROM pragma_table_info('\(name)')")
            return columns.isDisjoint(with: found)
        }.map { "\($0.type) \($0.name)" }
    }
}
