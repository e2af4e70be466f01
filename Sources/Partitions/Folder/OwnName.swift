import Calendar
import Events
import Foundation
import Posix

/// The name of a log date's file: `2026-11-19.sqlite` for its partition, `2026-11-19.0f….sqlite` for a version of it (32
/// hexadecimal digits) in an output with shards, or `2026-11-19.settled.sqlite` for what it contributes once it is settled.
package struct PartitionName {
    private static let settled = "settled"

    /// In days since 1970-01-01.
    package let logDate: Int32
    /// Nil also for a settled file.
    package let version: String?
    package let isSettled: Bool

    package init(logDate: Int32, version: String?) {
        assert(version.map(PartitionName.isVersion) ?? true)
        (self.logDate, self.version, isSettled) = (logDate, version, false)
    }

    package init(settled logDate: Int32) {
        (self.logDate, version, isSettled) = (logDate, nil, true)
    }

    /// Nil for the name of another file.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.last == "sqlite", let day = CalendarText.day(of: String(parts[0]))
        else {
            return nil
        }
        let middle = parts.count == 3 ? String(parts[1]) : nil
        guard middle == nil || middle == PartitionName.settled || middle.map(PartitionName.isVersion) == true else {
            return nil
        }
        logDate = day
        isSettled = middle == PartitionName.settled
        version = isSettled ? nil : middle
    }

    static func isVersion(_ text: String) -> Bool {
        text.utf8.count == 32 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// The log date of the partition at a path, or of the manifest that should name it; nil for another file.
    package static func logDate(ofPartitionAt path: String) -> Int32? {
        guard let name = path.split(separator: "/").last else { return nil }
        let partition = PartitionName(name).flatMap { $0.isSettled ? nil : $0.logDate }
        return partition ?? OwnName.logDate(of: String(name), [OwnName.manifest])
    }

    package var text: String {
        let middle = isSettled ? PartitionName.settled : version
        return "\(CalendarText.date(ofDay: logDate))\(middle.map { ".\($0)" } ?? "").sqlite"
    }
}

/// Tells the files of an output from those of others. A file is pushetl's own only by its whole name: what begins or ends like
/// one, such as `2026-11-19.sqlite.gpg`, belongs to others and is never removed.
package enum OwnName {
    // What follows the log date in the names of files of one log date.

    package static let manifest = ".json"
    /// A held-back load.
    package static let held = ".jsonl"
    /// What is remembered of the log files.
    package static let inputs = ".inputs"
    package static let figures = ".figures"
    package static let shared = ".shared"
    package static let damage = ".damage"
    package static let ledger = "ledger.sqlite"
    /// In a shard, the hash of its ledger.
    package static let ledgerHash = "ledger.hash"
    /// All files of the cache that are about one log date.
    package static let cached = [inputs, figures, shared, damage]

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
        if let target = TemporaryFile.target(ofName: name) { return target == "deliveries.csv" || isCopy(target) }
        return [".push.db.tmp", ".push.db.tmp-journal"].contains(name)
    }

    /// Whether a file is a copy of a push.db that was rebuilt: `push.db.before-20261119T023005Z`.
    package static func isCopy(_ name: String) -> Bool {
        name.wholeMatch(of: /push\.db\.before-[0-9]{8}T[0-9]{6}Z/) != nil
    }

    /// The number of a shard from the name of its folder; nil for another name.
    package static func shard(_ name: String) -> Int? {
        Int(name).flatMap { $0 >= 0 && "\($0)" == name ? $0 : nil }
    }

    /// Whether a folder is that of a job.
    static func isJob(_ name: String) -> Bool { name.wholeMatch(of: /job\.[0-9a-f]{1,16}/) != nil }

    /// Whether a file is one in the folder of a job.
    static func isOfJob(_ name: String) -> Bool {
        ["job.json", "dates.json"].contains(name) || logDate(ofEvents: name) != nil || shardDamage(name) != nil
            || isTemporary(name)
    }

    /// The name of the file in which a task tells the driver that its shard's partition of a log date is damaged.
    package static func shardDamage(of logDate: Int32, shard: Int) -> String {
        "\(CalendarText.date(ofDay: logDate)).\(shard)\(damage)"
    }

    /// The log date and the shard of such a name; nil for another name.
    package static func shardDamage(_ name: String) -> (logDate: Int32, shard: Int)? {
        guard let parts = name.wholeMatch(of: /(.{10})\.([0-9]+)\.damage/), let shard = shard(String(parts.2)) else {
            return nil
        }
        return CalendarText.day(of: String(parts.1)).map { ($0, shard) }
    }

    /// The log date of a file with the events of a log file; nil for another name.
    package static func logDate(ofEvents name: String) -> Int32? {
        name.wholeMatch(of: /(.{10})\.[0-9]+\.events/).flatMap { CalendarText.day(of: String($0.1)) }
    }

    /// Whether a folder is the cache of a shard, as former versions had it, or was to become one.
    private static func isFormerCache(_ name: String) -> Bool {
        name.wholeMatch(of: /\.kept\.[0-9a-f]{16}|\.cache\.[0-9a-f]{1,16}-[0-9]+\.tmp/) != nil
    }

    /// The file with the messages that a log date shares with others.
    package static func sharedMessages(of logDate: Int32) -> String { CalendarText.date(ofDay: logDate) + shared }

    /// Removes a partition, a temporary file or a cache of a shard, and its ledger if it has no partitions. What others have put
    /// into a cache stays, with its folder. Errors are ignored, since what stays takes room only.
    package static func removeFromShard(_ path: String, hasPartitions: Bool) {
        let name = Folder.name(of: path)
        if PartitionName(name)?.version != nil || logDate(of: name, [shared]) != nil || isTemporary(name)
            || [ledger, ledgerHash].contains(name) && !hasPartitions
        {
            unlink(path)
        } else if isFormerCache(name) {
            for name in (try? Folder.names(in: path)) ?? [] where logDate(of: name, cached) != nil || isTemporary(name)
            {
                unlink("\(path)/\(name)")
            }
            rmdir(path)
        }
    }
}
