import Foundation
import Support

/// push.db as a file, with what it has and the copies beside it.
struct PushState {
    let snapshot: PushSnapshot?
    /// Nil if it is no file.
    let bytes: Data?
    let hasJournal: Bool
    /// Inode, number of links, and whether the name itself is a link.
    let identity: [UInt64]
    /// The names of kept copies.
    let copies: Set<String>

    /// - Parameter former: an earlier state. The same bytes are not read again.
    init(_ folder: ScratchFolder, after former: PushState? = nil) {
        let path = folder.path("out/push.db")
        var (target, link) = (stat(), stat())
        stat(path, &target)
        lstat(path, &link)
        identity = [UInt64(target.st_ino), UInt64(target.st_nlink), UInt64(link.st_mode & S_IFMT)]
        bytes = folder.contents("out/push.db")
        hasJournal = ["-journal", "-wal"].contains { folder.exists("out/push.db" + $0) }
        if let former, bytes != nil, bytes == former.bytes, !hasJournal, !former.hasJournal {
            snapshot = former.snapshot
        } else {
            snapshot = PushSnapshot(path)
        }
        // Where push.db is a link, they are beside its target.
        let paths = ["out", "."].flatMap { place in
            ((try? folder.names(place)) ?? []).filter { $0.hasPrefix("push.db.before-") }.map { "\(place)/\($0)" }
        }
        copies = Set(paths.map(folder.path))
    }
}

/// Compares push.db before and after a command that ended well: what is not the program's stays.
struct HealCheck {
    let before: PushState
    let after: PushState
    let new: PushSnapshot
    /// A push.db that nobody has touched.
    let fresh: PushSnapshot
    let outcome: LoadingOutcome
    /// The push.db that the last command left, if that is known.
    let left: PushSnapshot?

    /// A file whose bytes are kept already needs no other copy.
    private var copies: [PushSnapshot] { after.copies.compactMap { PushSnapshot($0) } }

    func checkOthers() throws {
        if !before.copies.isSubset(of: after.copies) { throw HistoryFault(.copy, "a copy is gone: \(outcome.summary)") }
        guard let old = before.snapshot else {
            guard let bytes = before.bytes, !bytes.isEmpty else { return }
            if after.copies.contains(where: { FileManager.default.contents(atPath: $0) == bytes }) { return }
            // A journal beside it is undone first, so that the copy has other bytes.
            if before.hasJournal, !after.copies.isSubset(of: before.copies) { return }
            throw HistoryFault(.copy, "the old file was not readable, and there is no copy of it: \(outcome.summary)")
        }
        for (name, object) in old.others.sorted(by: { $0.key < $1.key }) where new.others[name] != object {
            // What is on the program's tables goes with these.
            if PushSnapshot.own.contains(object.table) { continue }
            let isKept = copies.contains { $0.others[name] == object }
            // Of a file that was set aside as a whole, the copy is named.
            if isKept, !old.faults.isEmpty || outcome.stderr.contains(name) { continue }
            let found = new.others[name].map { "now \($0)" } ?? "gone"
            throw HistoryFault(
                .others, "\(name) is \(found)\(isKept ? " and not named" : ""); it was \(object); \(outcome.summary)")
        }
        for name in PushSnapshot.history {
            // A table of the history that others have written into is kept if it can be read whole.
            guard let rows = old.tables[name]?.rows, rows == left?.tables[name]?.rows else { continue }
            let kept = ([new] + copies).compactMap { $0.tables[name]?.rows }.flatMap { $0 }.map(Set.init)
            let columns = Set((fresh.tables[name]?.rows?.first ?? []).map(column))
            let lost = rows.first { row in
                let cells = Set(row.filter { columns.contains(column($0)) })
                return !kept.contains { $0.isSuperset(of: cells) }
            }
            if let lost { throw HistoryFault(.commands, "\(name) has lost \(lost): \(outcome.summary)") }
        }
    }

    private func column(_ cell: String) -> Substring { cell.prefix { $0 != "=" } }

    /// Its own tables, its settings, and no trigger of others on them.
    func checkDefinitions() throws {
        var faults = new.faults
        for (name, table) in fresh.tables where new.tables[name]?.sql != table.sql {
            faults.append("\(name) is \(new.tables[name]?.sql ?? "gone")")
        }
        if new.settings != fresh.settings { faults.append("\(new.settings)") }
        // An ANALYZE may have added numbers of other tables.
        let typical = Set(fresh.statistics.map(\.first))
        if new.statistics.filter({ typical.contains($0.first) }) != fresh.statistics {
            faults.append("statistics \(new.statistics)")
        }
        if new.tables["columns_help"]?.rows != fresh.tables["columns_help"]?.rows { faults.append("columns_help") }
        faults += new.foreignTriggers.keys.map { "trigger \($0)" }
        if !faults.isEmpty {
            throw HistoryFault(.definitions, "\(faults.sorted().joined(separator: "; ")): \(outcome.summary)")
        }
    }

    /// Name, inode and links of a file that could be read are as they were.
    func checkFile() throws {
        guard let old = before.snapshot, old.faults.isEmpty, before.identity != after.identity else { return }
        throw HistoryFault(.file, "\(before.identity) became \(after.identity): \(outcome.summary)")
    }
}
