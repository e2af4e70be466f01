import Calendar
import Events
import Foundation
import Posix

/// Distinguishes the files of an output from other files. A file belongs to pushetl only if its whole name fits. A file
/// whose name only begins or ends like ours, such as `2026-11-19.sqlite.gpg`, is never removed.
package enum OwnName {
    static let push = "push.db"
    static let closedDates = "closed"

    // The endings of file names that begin with a log date.

    static let partition = ".sqlite"
    /// A held-back load.
    package static let held = ".jsonl"
    /// The stamps of log files: see `RememberedInputs`.
    package static let inputs = ".inputs"
    package static let shared = ".shared"
    /// A load that is not published yet.
    package static let load = ".load"
    /// The endings of all cache files about one log date.
    package static let cached = [inputs, shared, load]

    /// The log date in a name that consists of it and one of the endings; nil for any other name.
    package static func logDate(of name: String, endings: [String]) -> LogDate? {
        endings.lazy.compactMap { name.hasSuffix($0) ? LogDate(name.dropLast($0.count)) : nil }.first
    }

    /// The log date in the name of a partition; nil for any other name.
    static func logDate(ofPartition name: String) -> LogDate? { logDate(of: name, endings: [partition]) }

    /// Whether a file in one of our own folders is a temporary file.
    static func isTemporary(_ name: String) -> Bool {
        // There are thousands of names, so the quick check comes first.
        guard name.hasPrefix(".") else { return false }
        return TemporaryFile.target(ofName: name) != nil || SpillFile.isName(name) || isTemporaryPartition(name)
    }

    /// Whether `PartitionWriter` gives such names to its temporary files.
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

    /// Whether a folder of this name belongs to a job.
    static func isJob(_ name: String) -> Bool { name.wholeMatch(of: /[0-9a-f]{16}/) != nil }

    /// Whether a file in a job's folder belongs to the job.
    static func isOfJob(_ name: String) -> Bool {
        name == "job.json" || logDate(ofEvents: name) != nil || isTemporary(name)
    }

    /// The log date of a file with the events of a log file; nil for another name.
    package static func logDate(ofEvents name: String) -> LogDate? {
        name.wholeMatch(of: /(.{10})\.[0-9]+\.events/).flatMap { LogDate($0.1) }
    }
}
