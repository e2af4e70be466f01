import CSQLite
import Events
import Foundation
import Posix
import SQLite

/// Errors of the warehouse's files. They are facts; the caller writes the messages.
package enum WarehouseError: Error, Equatable, Sendable {
    /// The file does not exist.
    case missing(path: String)
    /// The file is not a SQLite database; an empty file is not one either.
    case notSQLite(path: String)
    /// A SQLite database of another application.
    case foreign(path: String, applicationID: Int)
    /// Written by a later version of this program.
    case newerSchema(path: String, schema: Int, known: Int)
    /// The file's content contradicts itself.
    case corrupt(path: String, detail: String)
    /// Another connection locked the database for longer than the busy timeout.
    case busy(path: String)
    /// A killed command's transaction must be undone first, by a connection that may write.
    case interrupted(path: String)
    /// The disk is full.
    case full(path: String)
    /// A system call failed.
    case system(path: String, call: String, errno: Int32)
    /// Another SQLite error, with its extended result code and message, and what the statement was for.
    case sqlite(path: String, code: Int, message: String, purpose: StatementPurpose?)
    /// Something that others have added to push.db does not let it be written or read. `objects` are the indexes of others on
    /// our tables.
    case obstructed(path: String, objects: [String], detail: String)
    /// The disk has `free` bytes free; making push.db anew needs `bytes`.
    case noRoom(path: String, bytes: Int, free: Int)
    /// Another copy of push.db would have to be kept, and there are enough of them.
    case tooManyCopies(path: String, copies: [String])
    /// A file of ours was not what a command had written. It was renamed, so that nothing is lost.
    case setAside(path: String, as: String)
    /// Settled log dates cannot be used.
    case retention(RetentionFault)
    /// A file was replaced while it was being read.
    case replaced(path: String)
    /// A program error: what was to be written to the file has no valid order or form.
    case disorder(path: String)
    /// A program error: the sums of two daily tables differ on a day.
    case tablesDisagree(path: String, day: String, tables: [String])
    /// The caller asked to stop.
    case stopped

    /// Whether only this file is damaged, so that the other files can be used.
    package var isDamage: Bool {
        switch self {
        case .notSQLite, .foreign, .corrupt, .retention(.partition): true
        default: false
        }
    }

    /// What damage is, as a clause without a subject.
    var damageClause: String {
        if case .retention(let fault) = self { return fault.detail }
        return "is damaged (\(damage ?? "it is another application's database"))"
    }
}

extension WarehouseError {
    /// The damage of a file of ours; nil for other errors.
    package var damage: String? {
        switch self {
        case .notSQLite: "it is not a SQLite database"
        case .corrupt(_, let detail): detail
        default: nil
        }
    }

    /// The affected file or folder.
    package var path: String? {
        switch self {
        case .missing(let path), .notSQLite(let path), .foreign(let path, _), .newerSchema(let path, _, _),
            .corrupt(let path, _), .busy(let path), .interrupted(let path), .full(let path),
            .system(let path, _, _), .sqlite(let path, _, _, _), .replaced(let path), .disorder(let path),
            .tablesDisagree(let path, _, _), .obstructed(let path, _, _), .noRoom(let path, _, _),
            .tooManyCopies(let path, _), .setAside(let path, _):
            path
        case .retention(let fault): fault.path
        case .stopped: nil
        }
    }
}

extension WarehouseError {
    /// A block of events cannot be read.
    package static func damagedBlock(path: String, _ error: EventBlockError) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events: \(error)")
    }

    /// A block of events has a number without a name.
    package static func contradictingBlock(path: String) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
    }
}

/// Runs `body`, which uses the database at `path`, and converts its errors.
package func reportingFacts<T>(of path: String, _ body: () throws -> T) throws(WarehouseError) -> T {
    do {
        return try body()
    } catch let error as WarehouseError {
        throw error
    } catch let error as DatabaseError {
        throw WarehouseError(error, path: path)
    } catch {
        throw .corrupt(path: path, detail: String(describing: error))
    }
}

/// Runs `body`, which uses files, and converts its errors.
package func reportingCalls<T>(_ body: () throws(SystemError) -> T) throws(WarehouseError) -> T {
    do {
        return try body()
    } catch {
        throw .system(path: error.path, call: error.call, errno: error.code)
    }
}

extension WarehouseError {
    package init(_ error: DatabaseError, path: String) {
        let (message, purpose) = (error.message, error.sql.flatMap(StatementPurpose.init))
        switch error.primaryCode {
        case SQLITE_NOTADB:
            self = .notSQLite(path: path)
        case SQLITE_CORRUPT:
            self = .corrupt(path: path, detail: message)
        case SQLITE_BUSY, SQLITE_LOCKED:
            self = .busy(path: path)
        case SQLITE_FULL:
            self = .full(path: path)
        // SQLITE_READONLY_ROLLBACK
        case SQLITE_READONLY where error.code == SQLITE_READONLY | 3 << 8:
            self = .interrupted(path: path)
        case SQLITE_CANTOPEN:
            self = WarehouseError.whyUnopened(path) ?? .sqlite(path: path, code: 14, message: message, purpose: purpose)
        // Our statements are fixed. If one does not fit the database, or a length is impossible, the file is damaged.
        case SQLITE_ERROR, SQLITE_TOOBIG, SQLITE_MISMATCH:
            self = .corrupt(path: path, detail: message)
        default:
            self = .sqlite(path: path, code: Int(error.code), message: message, purpose: purpose)
        }
    }

    /// SQLite reports that it could not open a file. The system reports why.
    private static func whyUnopened(_ path: String) -> WarehouseError? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 {
            close(descriptor)
            return nil
        }
        return errno == ENOENT ? .missing(path: path) : .system(path: path, call: "open", errno: errno)
    }
}

/// What a statement does, as its first words say.
package enum StatementPurpose: Equatable, Sendable {
    case reading(table: String)
    case writing(table: String)
    /// Creating, changing or removing tables and other objects.
    case changingSchema
    case beginning
    case committing
    case pragma(String)

    /// Nil for other statements.
    init?(_ sql: String) {
        let words = sql.split { " \n,;()=".contains($0) }.prefix(1000)
        func word(after keyword: Substring) -> String? {
            let word = words.firstIndex(of: keyword).flatMap { words.dropFirst($0 + 1).first }
            // Without the name of the schema.
            return word?.split(separator: ".").last.map(String.init)
        }
        let purpose: StatementPurpose? =
            switch words.first {
            case "SELECT", "WITH": word(after: "FROM").map { .reading(table: $0) }
            case "INSERT": word(after: "INTO").map { .writing(table: $0) }
            case "UPDATE": word(after: "UPDATE").map { .writing(table: $0) }
            case "DELETE": word(after: "FROM").map { .writing(table: $0) }
            case "CREATE", "DROP", "ALTER", "ANALYZE": .changingSchema
            case "BEGIN": .beginning
            case "COMMIT": .committing
            case "PRAGMA": word(after: "PRAGMA").map { .pragma($0) }
            default: nil
            }
        guard let purpose else { return nil }
        self = purpose
    }
}

/// Why closed or settled log dates cannot be used.
package enum RetentionFault: Equatable, Sendable {
    /// The record of closed log dates. Nothing is loaded or published without it.
    case record(path: String, detail: String)
    /// A settled file. Its figures are nowhere else, so nothing is published without it.
    case settledFile(path: String, logDate: Int32, detail: String)
    /// A settled file that the record does not name. Nothing is published beside it.
    case unknownFile(path: String, logDate: Int32)
    /// The partition of a settled log date, whose ids others still need. Nothing is published without it.
    case ids(path: String, logDate: Int32, detail: String)
    /// The partition of a closed log date is gone, or another one. It is left out, like a damaged one.
    case partition(path: String, logDate: Int32, detail: String)

    package var path: String {
        switch self {
        case .record(let path, _), .settledFile(let path, _, _), .unknownFile(let path, _), .ids(let path, _, _),
            .partition(let path, _, _):
            path
        }
    }

    package var detail: String {
        switch self {
        case .record(_, let detail), .settledFile(_, _, let detail), .ids(_, _, let detail),
            .partition(_, _, let detail):
            detail
        case .unknownFile: "is not one that the record of closed log dates names"
        }
    }
}
