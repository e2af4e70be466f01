import Calendar
import Events
import Foundation
import Posix

/// The name of a log date's file: `2026-11-19.sqlite` for its partition, or `2026-11-19.settled.sqlite` for what it contributes
/// once it is settled.
package struct PartitionName {
    private static let settled = "settled"

    /// In days since 1970-01-01.
    package let logDate: Int32
    package let isSettled: Bool

    package init(logDate: Int32) {
        (self.logDate, isSettled) = (logDate, false)
    }

    package init(settled logDate: Int32) {
        (self.logDate, isSettled) = (logDate, true)
    }

    /// Nil for the name of another file.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last == "sqlite", let day = CalendarText.day(of: String(parts[0]))
        else {
            return nil
        }
        guard parts.count == 2 || parts[1] == PartitionName.settled else { return nil }
        logDate = day
        isSettled = parts.count == 3
    }

    /// The log date of the partition at a path; nil for another file.
    package static func logDate(ofPartitionAt path: String) -> Int32? {
        path.split(separator: "/").last.flatMap { PartitionName($0) }.flatMap { $0.isSettled ? nil : $0.logDate }
    }

    package var text: String { "\(CalendarText.date(ofDay: logDate))\(isSettled ? ".settled" : "").sqlite" }
}

/// Tells the files of an output from those of others. A file is pushetl's own only by its whole name: what begins or ends like
/// one, such as `2026-11-19.sqlite.gpg`, belongs to others and is never removed.
package enum OwnName {
    // What follows the log date in the names of files of one log date.

    /// A held-back load.
    package static let held = ".jsonl"
    /// What is remembered of the log files.
    package static let inputs = ".inputs"
    package static let shared = ".shared"
    package static let damage = ".damage"
    package static let ledger = "ledger.sqlite"
    /// All files of the cache that are about one log date.
    package static let cached = [inputs, shared, damage]

    /// The log date of a name that consists of it and one of the endings; nil for another name.
    package static func logDate(of name: String, _ endings: [String]) -> Int32? {
        endings.lazy.compactMap { name.hasSuffix($0) ? CalendarText.day(of: String(name.dropLast($0.count))) : nil }
            .first
    }

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

    /// Whether a file is a copy of a push.db that was rebuilt: `push.db.before-20261119T023005Z`.
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
    package static func logDate(ofEvents name: String) -> Int32? {
        name.wholeMatch(of: /(.{10})\.[0-9]+\.events/).flatMap { CalendarText.day(of: String($0.1)) }
    }
}
