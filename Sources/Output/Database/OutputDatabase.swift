import Foundation
import Messages
import Partitions
import Posix
import SQLite

/// `push.db`: the daily figures of all partitions, for BI tools. Every change is one transaction.
package struct OutputDatabase: Sendable {
    package let folder: OutputFolder
    /// The seconds between two attempts while another connection holds the lock.
    static let pause = 0.02

    /// The longest wait, in seconds, for a reader or another writer. After it, an operation fails with `.busy`.
    package let busyTimeout: Double
    /// Called several times a second during a wait. True ends the wait.
    package let isStopped: @Sendable () -> Bool
    /// Called as often, with the seconds waited so far.
    private let didWait: @Sendable (Double) -> Void

    package init(
        _ folder: OutputFolder, busyTimeout: Double = 30, isStopped: @escaping @Sendable () -> Bool = { false },
        didWait: @escaping @Sendable (Double) -> Void = { _ in }
    ) {
        self.folder = folder
        self.busyTimeout = busyTimeout
        self.isStopped = isStopped
        self.didWait = didWait
    }

    package var path: String { folder.databasePath }
    package var exists: Bool { access(path, F_OK) == 0 }
    /// A command that is killed early leaves an empty file.
    var isThere: Bool { FileStamp(path: path).map { $0.bytes > 0 } ?? false }
    /// The path of the file itself: if `path` is a symbolic link, the link's target, which need not exist. SQLite's
    /// journal lies beside this file. If the path cannot be resolved, opening it reports the error.
    var filePath: String { (try? WholeFile.target(of: path)) ?? path }
    var file: DatabaseFile { .output(path) }

    /// Reads with `body`, in one transaction; nil if there is no output DB yet.
    ///
    /// - Parameters:
    ///   - mayUndo: whether to undo the transaction of a killed command first. If not, such a transaction is an error,
    ///     `.interrupted`.
    ///   - schema: the earliest schema in which there is what `body` reads.
    /// - Throws: also if the file belongs to another application or another version.
    package func read<T>(
        mayUndo: Bool = true, since schema: Int = OutputSchema.version, _ body: (Database) throws -> T
    ) throws -> T? {
        do {
            var file = file
            file.oldestSchema = schema
            func checked(_ database: Database) throws -> T? { try file.check(database) ? try body(database) : nil }
            return try (mayUndo ? readUnchecked(checked) : readOnly(checked)) ?? nil
        } catch let error as OutputError {
            switch error.kind {
            case .notSQLite where isKnownAsOutput:
                throw OutputError(.corrupt("it is not a SQLite database"), at: path)
            case .former where isFlipped, .newerSchema where isFlipped:
                throw OutputError(.corrupt("a byte of its user_version is damaged"), at: path)
            default: throw error
            }
        }
    }

    /// Like `read`, but without a check of the schema.
    func readUnchecked<T>(_ body: (Database) throws -> T) throws -> T? {
        do {
            return try readOnly(body)
        } catch let error as OutputError where error.kind == .interrupted {
            try rollBack()
            return try readOnly(body)
        }
    }

    private func readOnly<T>(_ body: (Database) throws -> T) throws -> T? {
        guard let kind = FileKind(at: path) else {
            if errno == ENOENT { return nil }
            throw Fault.system(path, call: "stat", code: errno)
        }
        // To open a FIFO would wait for a writer.
        if let code = kind.openingCode { throw Fault.system(path, call: "open", code: code) }
        if let obstacle = DatabaseFile.obstacle(beside: path) { throw obstacle }
        return try reporting {
            let database = try Database(path, isReadOnly: true, whenBusy: whenBusy)
            // One transaction, so that all values come from the same publishing.
            return try database.transaction(isImmediate: false) {
                do {
                    return try body(database)
                } catch let error as DatabaseError where error.kind == .unfitting {
                    throw OutputError(.corrupt(error.message), at: path)
                }
            }
        }
    }

    /// Runs `body`, which uses push.db, and converts its errors.
    /// - Throws: `Stopped` if that has ended a wait.
    func reporting<T>(_ body: () throws -> T) throws -> T {
        try reportingFacts(of: path) {
            do {
                return try body()
            } catch let error as DatabaseError where error.kind == .busy && isStopped() {
                throw Stopped()
            } catch let error as DatabaseError where error.kind == .constraint {
                // Our own rows never break the rules of our own tables. So something else has changed the file.
                throw OutputError(.corrupt(error.message), at: path)
            }
        }
    }

    /// Connections wait for locks until the timeout, or until `isStopped` returns true.
    var whenBusy: (Int) -> Bool {
        let tries = Int(busyTimeout / OutputDatabase.pause)
        return { [isStopped, didWait] count in
            guard count < tries, !isStopped() else { return false }
            didWait(Double(count) * OutputDatabase.pause)
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
            return true
        }
    }
}

// A command that is killed during its commit leaves a journal beside push.db. The next connection that may write undoes
// the transaction. Until then, SQLite refuses read-only connections, and we read with read-only connections.

extension OutputDatabase {
    /// Undoes the transaction of a killed command. The folder must be writable.
    func rollBack() throws {
        try reportingFacts(of: path) {
            let database = try Database(path, whenBusy: whenBusy)
            _ = try database.hasRow("SELECT count(*) FROM sqlite_master")
            database.close()
        }
    }
}

extension OutputDatabase {
    /// Whether push.db is complete and as the last command left it, and no fault was found in it since. Does not open
    /// push.db.
    package var isAsLeft: Bool { LeftFile(in: folder).map { !$0.isBeingWritten } ?? false && isLeft }

    /// Whether push.db is as a command left it, whether or not a later one had begun to write. A push.db of another
    /// version of the program does not count, since its tables differ.
    var isLeft: Bool {
        LeftFile(in: folder)?.isLeft(path) ?? false && DatabaseFile.marks(of: path)?.version == file.schema
    }

    /// Whether an unreadable file is a damaged push.db, and not a file that somebody put in its place. It is, if its
    /// inode is known or its first bytes are those of a push.db. Only then may it be made anew.
    var isKnownAsOutput: Bool {
        guard let left = LeftFile(in: folder), let now = FileStamp(path: path) else {
            return DatabaseFile.isOutput(path)
        }
        return left.hasSeen(now) || DatabaseFile.isOutput(path)
    }

    /// Called before the output is used.
    /// - Throws: `.former` if pushetl 1.x has written push.db. If push.db is missing or cannot be read, the partitions
    ///   tell. `.newerSchema` if a later version has written it.
    package func refuseOtherVersions() throws {
        guard let marks = DatabaseFile.marks(of: path), marks.application == file.applicationID, marks.version > 0
        else {
            return try folder.refuseFormerPartitions()
        }
        // The first command that writes takes up an earlier schema.
        if marks.version > file.schema || DatabaseFile.formerSchemas.contains(marks.version), !isFlipped {
            try file.check(schema: marks.version)
        }
    }

    /// Whether an unexpected schema version is the result of a damaged byte. If so, `about` still has our version, and
    /// no transaction has changed the file.
    var isFlipped: Bool {
        let sql = "SELECT value FROM about WHERE key = 'schema_version'"
        // Without a readable `about`, no byte counts as damaged. The next reader reports the error.
        let written = (try? readOnly { try $0.value(sql) as String? })?.flatMap { $0 }
        guard written == String(OutputSchema.version) else { return false }
        let left = LeftFile(in: folder)?.push
        return left.map { $0.transactions == DatabaseFile.changeCounter(path) } ?? true
    }

    /// Makes the next command that may write make push.db anew. Returns false if that cannot be noted.
    @discardableResult
    package func suspect() -> Bool {
        // The caller tells if the record cannot be removed.
        (try? LeftFile.forget(in: folder)) != nil
    }
}

extension DatabaseFile {
    /// Whether a file that SQLite cannot read is a push.db, judged by its first bytes.
    static func isOutput(_ path: String) -> Bool {
        let head = head(of: path, bytes: 1 << 16)
        if head.allSatisfy({ $0 == 0 }) { return true }
        let application = withUnsafeBytes(of: UInt32(output(path).applicationID).bigEndian, Array.init)
        return head.count >= 72 && Array(head[68..<72]) == application
            || String(decoding: head, as: UTF8.self).contains("CREATE TABLE _facts ")
    }
}
