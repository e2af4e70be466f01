import Calendar
import Events
import Foundation
import Posix

/// Tells the files of an output from those of others. A file is pushetl's own only by its whole name: what begins or ends like
/// one, such as `2026-11-19.sqlite.gpg`, belongs to others and is never removed.
package enum OwnName {
    static let push = "push.db"
    static let closedDates = "closed"

    // What follows the log date in the names of files of one log date.

    static let partition = ".sqlite"
    /// A held-back load.
    package static let held = ".jsonl"
    /// What is remembered of the log files.
    package static let inputs = ".inputs"
    package static let shared = ".shared"
    /// What a load has told that is not published yet.
    package static let load = ".load"
    /// All files of the cache that are about one log date.
    package static let cached = [inputs, shared, load]

    /// The log date of a name that consists of it and one of the endings; nil for another name.
    package static func logDate(of name: String, endings: [String]) -> LogDate? {
        endings.lazy.compactMap { name.hasSuffix($0) ? LogDate(name.dropLast($0.count)) : nil }.first
    }

    /// The log date of the partition with a name; nil for another file.
    static func logDate(ofPartition name: String) -> LogDate? { logDate(of: name, endings: [partition]) }

    /// Whether a file in one of our own folders is a temporary file.
    static func isTemporary(_ name: String) -> Bool {
        // First what is quick, since there are thousands of names.
        guard name.hasPrefix(".") else { return false }
        return TemporaryFile.target(ofName: name) != nil || SpillFile.isName(name) || isTemporaryPartition(name)
    }

    /// As `PartitionWriter` names them.
    private static func isTemporaryPartition(_ name: String) -> Bool {
        name.wholeMatch(of: /\.[0-9]{4}-[0-9]{2}-[0-9]{2}\.sqlite\.[0-9]+-[0-9a-f]{1,8}\.tmp/) != nil
    }

    /// Whether a file beside push.db is a temporary file.
    static func isTemporaryBesideDatabase(_ name: String) -> Bool {
        if let target = TemporaryFile.target(ofName: name) { return isCopy(target) }
        return [".push.db.tmp", ".push.db.tmp-journal"].contains(name)
    }

    /// Whether a file is a copy of a push.db that was set aside: `push.db.before-20261119T023005Z`.
    package static func isCopy(_ name: String) -> Bool {
        name.wholeMatch(of: /push\.db\.before-[0-9]{8}T[0-9]{6}Z/) != nil
    }

    /// Whether a folder is that of a job.
    static func isJob(_ name: String) -> Bool { name.wholeMatch(of: /[0-9a-f]{16}/) != nil }

    /// Whether a file is one in the folder of a job.
    static func isOfJob(_ name: String) -> Bool {
        name == "job.json" || logDate(ofEvents: name) != nil || isTemporary(name)
    }

    /// The log date of a file with the events of a log file; nil for another name.
    package static func logDate(ofEvents name: String) -> LogDate? {
        name.wholeMatch(of: /(.{10})\.[0-9]+\.events/).flatMap { LogDate($0.1) }
    }
}
