import Events
import Foundation
import Messages
import Posix
import SQLite

/// Runs `body`, which uses the database at `path`. Converts its errors to errors about that file.
package func reportingFacts<T>(of path: String, _ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as any MessageError {
        throw error
    } catch let error as DatabaseError {
        throw error.reported(of: path)
    } catch let error as ValueError {
        throw OutputError(.corrupt(error.description), at: path)
    } catch {
        throw Fault.unexpected(error, path: path)
    }
}

/// Runs `body`, which uses files of an output. Converts errors of system calls to a `Fault`.
@discardableResult
package func reportingCalls<T>(_ body: () throws -> T) throws -> T {
    do {
        return try body()
    } catch let error as SystemError {
        throw Fault.system(error.path, call: error.call, code: error.code)
    }
}

extension Fault {
    /// A system call failed.
    package static func system(_ path: String, call: String, code: Int32) -> Fault {
        .at(
            path, code: .system,
            text: "\(call) failed: \(SystemError.reason(code)); nothing is lost; fix that and run again")
    }

    /// Something that other programs have added to push.db prevents reading or writing.
    package static func obstructed(_ path: String, objects: [String], detail: String) -> Fault {
        .at(
            path, code: .obstructed,
            text: "something that others have added to it prevents writing: \(detail)"
                + (objects.isEmpty ? "" : " (\(objects.joined(separator: ", ")))")
                + "; nothing is lost: what is loaded stays; drop that, and the next 'run' or 'backfill' "
                + "publishes it")
    }

    /// A program error that no other code expects. It says nothing about the file.
    static func unexpected(_ error: any Error, path: String) -> Fault {
        .at(
            path, code: .unexpected,
            text: "\(String(describing: error)): a fault of pushetl, please report it; nothing is lost",
            exitStatus: .internalFault)
    }

    /// A program error: what was to be written to the file has no valid order or form.
    package static func disorder(_ path: String) -> Fault {
        .at(
            path, code: .disorder,
            text: "the rows to be written have no valid order or form: a fault of pushetl, please report it; "
                + "nothing was published", exitStatus: .internalFault)
    }
}

extension OutputError {
    /// A block of events cannot be read.
    package static func damagedBlock(at path: String, error: EventBlockError) -> OutputError {
        OutputError(.corrupt("a block of events: \(error)"), at: path)
    }

    /// A block of events has a number without a name.
    package static func contradictingBlock(at path: String) -> OutputError {
        OutputError(.corrupt("a block of events contradicts the tables beside it"), at: path)
    }
}

extension DatabaseError {
    /// The error as one of the file at `path`.
    fileprivate func reported(of path: String) -> any MessageError {
        switch kind {
        case .noDatabase: OutputError(.notSQLite, at: path)
        case .busy: OutputError(.busy, at: path)
        case .unfinishedTransaction: OutputError(.interrupted, at: path)
        // Our statements are fixed. If one does not fit the database, or a length is impossible, the file is damaged.
        case .damaged, .unfitting, .impossible: OutputError(.corrupt(message), at: path)
        case .fullDisk:
            Fault.at(path, code: .full, text: "the disk is full; nothing is lost; make room and run again")
        case .unopened: DatabaseError.whyUnopened(path) ?? other(of: path)
        default: other(of: path)
        }
    }

    private func other(of path: String) -> Fault {
        .at(
            path, code: .sqlite,
            text: "SQLite: \(message)\(sql.flatMap(DatabaseError.purpose) ?? "") (code \(Int(code))); "
                + "nothing is lost; fix that and run again")
    }

    /// SQLite reports that it could not open a file. The system reports why.
    private static func whyUnopened(_ path: String) -> (any MessageError)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        if descriptor >= 0 {
            close(descriptor)
            return nil
        }
        return errno == ENOENT
            ? OutputError(.missing, at: path) : Fault.system(path, call: "open", code: errno)
    }

    /// The purpose of a statement, from its first words: ` while the table days was being written`. Nil for other
    /// statements.
    private static func purpose(_ sql: String) -> MessageText? {
        let words = sql.split { " \n,;()=".contains($0) }.prefix(1000)
        func word(after keyword: Substring) -> String? {
            let word = words.firstIndex(of: keyword).flatMap { words.dropFirst($0 + 1).first }
            // The name of the schema in front of the table is left out.
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
