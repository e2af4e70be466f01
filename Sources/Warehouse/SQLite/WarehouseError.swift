import Events
import Foundation
import GRDB
import Posix

/// What can be wrong with the files of the warehouse: facts, for others to make sentences of.
package enum WarehouseError: Error, Equatable, Sendable {
    /// There is no file of that name.
    case missing(path: String)
    /// The file is not a SQLite database; an empty file is not one either.
    case notSQLite(path: String)
    /// A SQLite database, but of another application.
    case foreign(path: String, applicationID: Int)
    /// Written by a later version of this program.
    case newerSchema(path: String, schema: Int, known: Int)
    /// The file's content contradicts itself.
    case corrupt(path: String, detail: String)
    /// Another connection held the database for longer than the busy timeout.
    case busy(path: String)
    /// A killed command's transaction is to be undone first, by somebody who may write there.
    case interrupted(path: String)
    /// The disk is full.
    case full(path: String)
    /// A system call failed.
    case system(path: String, call: String, errno: Int32)
    /// SQLite failed otherwise; the extended result code and its text.
    case sqlite(path: String, code: Int, message: String)
    /// A partition file was replaced while it was being read.
    case replaced(path: String)
    /// Blocks were handed in that are not in the order of sections and keys: a fault of the program.
    case disorder(path: String)
    /// The caller asked to stop.
    case stopped

    /// Whether only this file's content is at fault, so that others can be used without it.
    package var isDamage: Bool {
        switch self {
        case .notSQLite, .foreign, .corrupt: true
        default: false
        }
    }
}

extension WarehouseError {
    /// What is wrong with a damaged file of ours; nil for all else.
    package var damage: String? {
        switch self {
        case .notSQLite: "it is not a SQLite database"
        case .corrupt(_, let detail): detail
        default: nil
        }
    }

    /// The file or folder that it is about.
    package var path: String? {
        switch self {
        case .missing(let path), .notSQLite(let path), .foreign(let path, _), .newerSchema(let path, _, _),
            .corrupt(let path, _), .busy(let path), .interrupted(let path), .full(let path),
            .system(let path, _, _), .sqlite(let path, _, _), .replaced(let path), .disorder(let path):
            path
        case .stopped: nil
        }
    }
}

extension WarehouseError {
    /// A partition's block of events does not read.
    static func damagedBlock(path: String, _ error: EventBlockError) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events: \(error)")
    }

    /// A partition's block of events has a number that stands for no text.
    static func contradictingBlock(path: String) -> WarehouseError {
        .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
    }
}

/// Runs `body`, which works on the database at `path`, and turns what SQLite says into facts.
func reportingFacts<T>(of path: String, _ body: () throws -> T) throws(WarehouseError) -> T {
    do {
        return try body()
    } catch let error as WarehouseError {
        throw error
    } catch let error as DatabaseError {
        throw WarehouseError(error, path: path)
    } catch let error as RowDecodingError {
        throw .corrupt(path: path, detail: "a value of the wrong type: \(error)")
    } catch {
        throw .corrupt(path: path, detail: String(describing: error))
    }
}

/// Runs `body`, which works on files, and says which call of the system failed.
func reportingCalls<T>(_ body: () throws(SystemError) -> T) throws(WarehouseError) -> T {
    do {
        return try body()
    } catch {
        throw .system(path: error.path, call: error.call, errno: error.code)
    }
}

extension WarehouseError {
    init(_ error: DatabaseError, path: String) {
        let message = error.message ?? ""
        switch error.resultCode {
        case .SQLITE_NOTADB:
            self = .notSQLite(path: path)
        case .SQLITE_CORRUPT:
            self = .corrupt(path: path, detail: message)
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self = .busy(path: path)
        case .SQLITE_FULL:
            self = .full(path: path)
        case .SQLITE_READONLY where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK:
            self = .interrupted(path: path)
        case .SQLITE_CANTOPEN:
            self = WarehouseError.whyUnopened(path) ?? .sqlite(path: path, code: 14, message: message)
        // The statements are fixed, so one that does not fit is the file's fault, as is a length that cannot be.
        case .SQLITE_ERROR, .SQLITE_TOOBIG, .SQLITE_MISMATCH:
            self = .corrupt(path: path, detail: message)
        default:
            self = .sqlite(path: path, code: Int(error.extendedResultCode.rawValue), message: message)
        }
    }

    /// SQLite tells that it could not open a file; the system tells why.
    private static func whyUnopened(_ path: String) -> WarehouseError? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor >= 0 {
            close(descriptor)
            return nil
        }
        return errno == ENOENT ? .missing(path: path) : .system(path: path, call: "open", errno: errno)
    }
}
