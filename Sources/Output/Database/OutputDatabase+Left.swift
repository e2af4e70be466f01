import CSQLite
import Foundation
import Partitions
import Posix
import SQLite

extension OutputDatabase {
    /// Whether push.db is the file that the last command left, has no unfinished transaction, and nobody has found a
    /// fault in it since. Does not open it as a database.
    package var isAsLeft: Bool { LeftFiles(in: folder).map { !$0.isWriting && isLeft($0) } ?? false }

    func isLeft(_ left: LeftFiles) -> Bool {
        access(filePath + "-journal", F_OK) != 0 && left.isLeft(path, left.push)
    }

    /// Whether a file that cannot be read is a damaged push.db, which the next command that may write makes anew, and not
    /// somebody's file under its name.
    var isKnownAsOutput: Bool { LeftFiles(in: folder)?.push != nil || DatabaseFile.isOutput(path) }

    /// Whether push.db was written beside a ledger.
    var isOfLedger: Bool { schema.map { $0 >= OutputSchema.firstWithLedger } ?? false }

    /// Whether push.db was written before there was a ledger.
    var isWithoutLedger: Bool { schema.map { (1..<OutputSchema.firstWithLedger).contains($0) } ?? false }

    /// Its version; nil if it cannot be read, which others will say.
    private var schema: Int? {
        let version = try? readUnchecked { try $0.value("PRAGMA user_version") ?? 0 as Int }
        return version.flatMap { $0 }
    }

    /// Makes the next command that may write compute the figures anew and compare push.db with them. Returns false if that cannot
    /// be noted.
    @discardableResult
    package func suspect() -> Bool {
        // What cannot be removed is told by the caller.
        (try? LeftFiles.forget(in: folder)) != nil
    }

    /// Ends WAL mode, which another tool may have set.
    func leaveWAL(_ database: Database) throws {
        guard try database.value("PRAGMA journal_mode") == "wal" else { return }
        // SQLite does not wait until no other connection is open.
        var triesLeft = Int(busyTimeout / OutputDatabase.pause)
        while true {
            do {
                if try database.value("PRAGMA journal_mode = DELETE") == "delete" { return }
            } catch let error as DatabaseError where error.primaryCode == SQLITE_BUSY {}
            if isStopped() { throw WarehouseError.stopped }
            guard triesLeft > 0 else { throw WarehouseError.busy(path: path) }
            triesLeft -= 1
            Thread.sleep(forTimeInterval: OutputDatabase.pause)
        }
    }
}

extension DatabaseFile {
    /// Whether a file that SQLite cannot read is a push.db, judged by its first bytes.
    static func isOutput(_ path: String) -> Bool {
        let head = head(of: path, bytes: 1 << 16)
        if head.allSatisfy({ $0 == 0 }) { return true }
        let application = withUnsafeBytes(of: UInt32(output(path).applicationID).bigEndian, Array.init)
        return head.count >= 72 && Array(head[68..<72]) == application
            || String(decoding: head, as: UTF8.self).contains("CREATE TABLE \(OutputSchema.publication.name) ")
    }
}
