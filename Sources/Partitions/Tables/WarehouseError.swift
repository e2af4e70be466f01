import Calendar
import Events
import Foundation
import Messages
import Posix
import SQLite

/// Errors of the warehouse's files.
package enum WarehouseError: Error, Equatable, Sendable {
    /// The file does not exist.
    case missing(path: String)
    /// The file is not a SQLite database; an empty file is not one either.
    case notSQLite(path: String)
    /// A SQLite database of another application.
    case foreign(path: String, applicationID: Int)
    /// Written by pushetl 1.x.
    case former(path: String)
    /// Written by an earlier version of this program; the next command that may write brings it up.
    case earlierSchema(path: String)
    /// Written by a later version of this program.
    case newerSchema(path: String, schema: Int, known: Int)
    /// The file's content contradicts itself.
    case corrupt(path: String, detail: String)
    /// Another connection locked the database for longer than the busy timeout.
    case busy(path: String)
    /// A killed command's transaction must be undone first, by a connection that may write.
    case interrupted(path: String)
    /// Settled log dates cannot be used.
    case retention(RetentionFault)
    /// A file was replaced while it was being read.
    case replaced(path: String)
    /// The caller asked to stop.
    case stopped
    /// One that nothing acts on.
    case other(Fault)

    /// Whether a file was replaced while it was being read.
    package var isReplaced: Bool {
        if case .replaced = self { true } else { false }
    }

    /// Whether only this file is damaged, so that the other files can be used.
    package var isDamage: Bool {
        switch self {
        case .notSQLite, .foreign, .corrupt, .retention(.closed): true
        default: false
        }
    }
}

extension WarehouseError {
    /// The damage of a file of ours; nil for other errors.
    package var damage: String? {
        switch self {
        case .notSQLite: "it is not a SQLite database"
        case .foreign: "it is another application's database"
        case .corrupt(_, let detail): detail
        default: nil
        }
    }

    /// The affected file or folder.
    package var path: String? {
        switch self {
        case .missing(let path), .notSQLite(let path), .foreign(let path, _), .former(let path),
            .earlierSchema(let path),
            .newerSchema(let path, _, _), .corrupt(let path, _), .busy(let path), .interrupted(let path),
            .replaced(let path):
            path
        case .retention(let fault): fault.path
        case .other(let fault): fault.message.path
        case .stopped: nil
        }
    }
}

extension WarehouseError {
    /// A block of events cannot be read.
    package static func damagedBlock(path: String, error: EventBlockError) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events: \(error)")
    }

    /// A block of events has a number without a name.
    package static func contradictingBlock(path: String) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
    }

    /// A system call failed.
    package static func system(path: String, call: String, errno: Int32) -> WarehouseError {
        .other(.system(path, call: call, code: errno))
    }

    /// Something that others have added to push.db does not let it be written or read.
    package static func obstructed(path: String, objects: [String], detail: String) -> WarehouseError {
        .other(
            .at(
                path, code: .obstructed,
                text: "something that others have added to it prevents writing: \(detail)"
                    + (objects.isEmpty ? "" : " (\(objects.joined(separator: ", ")))")
                    + "; nothing is lost: what is loaded stays; drop that, and the next 'run' or 'backfill' "
                    + "publishes it"))
    }

    /// A program error: nobody has thought of this one. It says nothing of the file.
    static func unexpected(_ error: any Error, path: String) -> WarehouseError {
        .other(
            .at(
                path, code: .unexpected,
                text: "\(String(describing: error)): a fault of pushetl, please report it; nothing is lost",
                exitStatus: .internalFault))
    }

    /// A program error: what was to be written to the file has no valid order or form.
    package static func disorder(path: String) -> WarehouseError {
        .other(
            .at(
                path, code: .disorder,
                text: "the rows to be written have no valid order or form: a fault of pushetl, please report it; "
                    + "nothing was published", exitStatus: .internalFault))
    }
}

extension Fault {
    static func system(_ path: String, call: String, code: Int32) -> Fault {
        .at(
            path, code: .system,
            text: "\(call) failed: \(SystemError.reason(code)); nothing is lost; fix that and run again")
    }
}

/// Runs `body`, which uses the database at `path`, and converts its errors.
package func reportingFacts<T>(of path: String, _ body: () throws -> T) throws(WarehouseError) -> T {
    do {
        return try body()
    } catch let error as WarehouseError {
        throw error
    } catch let error as Fault {
        throw .other(error)
    } catch let error as DatabaseError {
        throw WarehouseError(error, path: path)
    } catch let error as ValueError {
        throw .corrupt(path: path, detail: error.description)
    } catch {
        throw .unexpected(error, path: path)
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
        let message = error.message
        let other = WarehouseError.other(
            .at(
                path, code: .sqlite,
                text: "SQLite: \(message)\(error.sql.flatMap(WarehouseError.purpose) ?? "") (code \(Int(error.code))); "
                    + "nothing is lost; fix that and run again"))
        switch error.kind {
        case .noDatabase:
            self = .notSQLite(path: path)
        case .damaged:
            self = .corrupt(path: path, detail: message)
        case .busy:
            self = .busy(path: path)
        case .fullDisk:
            self = .other(
                .at(path, code: .full, text: "the disk is full; nothing is lost; make room and run again"))
        case .unfinishedTransaction:
            self = .interrupted(path: path)
        case .unopened:
            self = WarehouseError.whyUnopened(path) ?? other
        // Our statements are fixed. If one does not fit the database, or a length is impossible, the file is damaged.
        case .unfitting, .impossible:
            self = .corrupt(path: path, detail: message)
        default:
            self = other
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

    /// What a statement does, as its first words say: ` while the table days was being written`. Nil for other statements.
    private static func purpose(_ sql: String) -> MessageText? {
        let words = sql.split { " \n,;()=".contains($0) }.prefix(1000)
        func word(after keyword: Substring) -> String? {
            let word = words.firstIndex(of: keyword).flatMap { words.dropFirst($0 + 1).first }
            // Without the name of the schema.
            return word?.split(separator: ".").last.map(String.init)
        }
        func table(after keyword: Substring, being verb: String) -> MessageText? {
            word(after: keyword).map { " while the table \($0) was being \(verb)" }
        }
        return switch words.first {
        case "SELECT", "WITH": table(after: "FROM", being: "read")
        case "INSERT": table(after: "INTO", being: "written")
        case "UPDATE": table(after: "UPDATE", being: "written")
        case "DELETE": table(after: "FROM", being: "written")
        case "CREATE", "DROP", "ALTER", "ANALYZE": " while tables were being made"
        case "BEGIN": " at the start of a transaction"
        case "COMMIT": " at the commit"
        case "PRAGMA": word(after: "PRAGMA").map { " at PRAGMA \($0)" }
        default: nil
        }
    }
}

/// Why closed or settled log dates cannot be used.
package enum RetentionFault: Equatable, Sendable {
    /// The record of closed log dates. Nothing is loaded or published without it.
    case record(path: String, detail: String)
    /// The partition of a settled log date. Its figures are nowhere else, so nothing is published without it.
    case settled(path: String, logDate: LogDate, detail: String)
    /// The partition of a closed log date is gone, or another one. It is left out, like a damaged one.
    case closed(path: String, logDate: LogDate, detail: String)

    package var path: String {
        switch self {
        case .record(let path, _), .settled(let path, _, _), .closed(let path, _, _): path
        }
    }

    package var isOfRecord: Bool {
        if case .record = self { true } else { false }
    }

    package var detail: String {
        switch self {
        case .record(_, let detail), .settled(_, _, let detail), .closed(_, _, let detail): detail
        }
    }
}

extension WarehouseError {
    /// Whether the partition of a closed log date is gone, or another one.
    package var isOfClosed: Bool {
        if case .retention(.closed) = self { true } else { false }
    }
}

extension WarehouseError: MessageError {
    package var message: Message {
        switch self {
        case .missing(let path): .at(path, code: .missing, text: "no such file")
        case .notSQLite(let path):
            .at(
                path, code: .notSqlite,
                text: "is not a SQLite database; it was left as it is; "
                    + (path.hasSuffix(".sqlite")
                        ? WarehouseError.repairing(path) : "move the file away and run again, which makes it anew"))
        case .foreign(let path, _):
            .at(
                path, code: .foreign,
                text: "is another application's database; it was left as it is; give another output folder")
        case .former(let path):
            .at(path, code: .formerOutput, text: "was written by pushetl 1.x; give another output and run 'backfill'")
        case .earlierSchema(let path):
            .at(
                path, code: .earlierSchema,
                text: "was written by an earlier version of pushetl; the next 'run' or 'backfill' brings it up")
        case .newerSchema(let path, let schema, let known):
            .at(
                path, code: .newerSchema,
                text: "was written by a newer pushetl (schema \(schema), this one knows \(known)); "
                    + "it was left as it is; use that version")
        case .corrupt(let path, let detail):
            .at(path, code: .corrupt, text: "the database is damaged (\(detail)); " + WarehouseError.repairing(path))
        case .busy(let path):
            .at(
                path, code: .busy,
                text: "a reader or another command held it for too long; nothing is lost: what is loaded stays, "
                    + "and the next 'run' or 'backfill' publishes it")
        case .interrupted(let path):
            .at(
                path, code: .interrupted,
                text: "a command was killed while it was writing, and you may not write there to undo it; "
                    + "nothing is lost; run again as a user who may")
        case .retention(let fault): fault.message
        case .replaced(let path): .at(path, code: .replaced, text: "was replaced while it was being read; run again")
        case .stopped: Message(.stopped, text: "stopped")
        case .other(let fault): fault.message
        }
    }

    package var exitStatus: ExitStatus {
        switch self {
        case .busy: .busy
        case .other(let fault): fault.exitStatus
        default: .failedIO
        }
    }

    /// What to do with a damaged database.
    private static func repairing(_ path: String) -> MessageText {
        guard let date = path.split(separator: "/").last.flatMap({ OwnName.logDate(ofPartition: String($0)) }) else {
            return "'doctor' says what is wrong, and the next 'run' or 'backfill' makes it anew"
        }
        return "push.db lacks that log date until it is loaded again: 'pushetl run --date \(date)'"
    }
}

extension RetentionFault {
    var message: Message {
        switch self {
        case .record(let path, let detail):
            .at(
                path, code: .retentionRecord,
                text:
                    "\(detail); it says which log dates are closed, and nothing else does; nothing is loaded or published: "
                    + "put it back from a backup, together with the partitions")
        case .settled(let path, let logDate, let detail):
            .at(
                path, code: .settledPartition,
                text:
                    "\(detail); its figures are nowhere else, and nothing is published without it: put it back from a backup, "
                    + "or give the figures up for good with 'pushetl backfill --give-up \(logDate)'")
        case .closed(let path, let logDate, let detail):
            .at(
                path, code: .closedPartition,
                text:
                    "\(detail); it is left out, and nothing within reach settles: put it back from a backup, or give its figures "
                    + "up for good with 'pushetl backfill --give-up \(logDate)'")
        }
    }
}
