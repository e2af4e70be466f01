import Calendar
import Foundation
import Partitions
import Posix
import SQLite

/// The differences between push.db and the partitions. Finding them writes nothing.
package struct OutputAudit: Sendable {
    /// Why some partitions cannot be read or used. Sorted by path.
    package internal(set) var damaged: [OutputError] = []
    /// The results of reading all partitions, for the cache.
    package internal(set) var known = KnownPartitions()
    /// Files with ids that nothing needs any more.
    package internal(set) var leftIDs: [String] = []
    /// What is not published yet: log dates, and also `settings`, `pipeline` or `required` if these have changed.
    package internal(set) var unpublished: [String] = []
    /// Whether push.db itself is as it was left, so that what is unpublished only waits for the next publishing.
    package internal(set) var isOnlyUnpublished = false
    /// Our tables that are missing or have another definition.
    package internal(set) var otherTables: [String] = []
    /// The tables whose rows do not follow from the partitions; nil if the tables were not compared.
    package internal(set) var differences: [String]?

    package init() {}
}

extension OutputDatabase {
    /// What SQLite finds wrong in a push.db; nil for nothing.
    package static func damage(_ database: Database) throws -> String? { try PushFile.damage(database) }

    /// Reads all partitions whole. Makes a push.db in a temporary folder from the partitions that push.db shows, and
    /// compares the two.
    /// - Throws: `.missing` if there is no push.db; `.busy` if somebody holds it; `Stopped`; errors other than damage
    ///   of a partition.
    package func audit(
        _ settings: PublicationSettings, resources: PublishingResources
    ) throws -> OutputAudit {
        var audit = OutputAudit()
        var record: ClosedDates?
        do {
            record = try ClosedDates(in: folder)
        } catch let error as OutputError where error.loss != nil {
            audit.damaged.append(error)
        }
        let partitions = try PartitionSet(in: folder, record: record, known: KnownPartitions(), resources: resources)
        audit.damaged = (audit.damaged + partitions.damaged + partitions.faults).sorted { $0.path < $1.path }
        audit.known = partitions.known
        let erasure = try Erasure(partitions, record: record, today: nil)
        audit.leftIDs = (erasure.rewritten.map(folder.partitionPath) + erasure.removed).sorted()
        let published = try readUnchecked { database -> [String: String] in
            let known = try database.texts("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
            audit.otherTables = OutputDatabase.creations.filter { known[$0.name] != $0.sql }.map(\.name)
            guard audit.otherTables.isEmpty else { return [:] }
            return try OwnTables.facts(in: database).filter { ["settings", "pipeline", "required"].contains($0.key) }
                .merging(database.texts("SELECT log_date, version FROM _log_dates")) { $1 }
        }
        guard let published else { throw OutputError(.missing, at: path) }
        guard audit.otherTables.isEmpty else { return audit }
        var inputs = settings.facts.filter { ["settings", "pipeline", "required"].contains($0.key) }
        for summary in partitions.summaries { inputs[summary.logDate.description] = summary.version }
        audit.unpublished = Set(inputs.keys).union(published.keys).filter { inputs[$0] != published[$0] }.sorted()
        audit.isOnlyUnpublished = isAsLeft
        // Log dates that were never published are left out. If a published log date was loaded again, its former
        // partition is gone, so push.db cannot be compared.
        let waiting = Set(partitions.dates.filter { published[$0.description] == nil })
        let areNew = Set(audit.unpublished).isSubset(of: waiting.map(\.description))
        guard audit.damaged.isEmpty, areNew else { return audit }
        audit.differences = try differences(of: partitions.without(waiting), settings: settings, resources: resources)
        return audit
    }

    /// The tables with rows that differ from a newly made push.db. What cannot be computed from partitions is copied
    /// into it first.
    private func differences(
        of partitions: PartitionSet, settings: PublicationSettings, resources: PublishingResources
    ) throws -> [String] {
        let temporary = try reportingCalls { try TemporaryFolder(named: "pushetl-doctor") }
        defer { temporary.remove() }
        return try reportingFacts(of: path) {
            let database = try Database("\(temporary.path)/push.db", whenBusy: whenBusy)
            // SQLite attaches only databases with the same text encoding. Another program may have copied push.db into
            // another encoding.
            let encoding = try readUnchecked { try $0.value("PRAGMA encoding") as String? } ?? nil
            try database.execute(
                "PRAGMA encoding = '\(encoding ?? "UTF-8")'; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
            try database.execute("ATTACH ? AS known", binding: .of(path))
            try database.transaction(isImmediate: false) {
                try PushWriting.makeTables(database, at: path)
                for table in ["_listed", "_listed_platforms", "_warnings", OutputSchema.held.name] {
                    try database.execute("INSERT INTO main.\(table) SELECT * FROM known.\(table)")
                }
                try Figures(of: partitions, settings: settings, resources: resources).write(
                    Figures.Change(), sharedFolder: nil, to: database)
                let since = try database.value("SELECT value FROM known._facts WHERE key = 'history_since'") as String?
                try OwnTables.set(ChangeHistory.beginning, to: since, in: database)
                try PublishedTables(database: database).write(partitions, settings: settings)
            }
            let apart = Set(OutputSchema.history.map(\.name) + ["_checks", "_facts", "_log_dates"])
            return try OutputDatabase.creations.map(\.name).filter { table in
                try !apart.contains(table) && database.differs("main.\(table)", from: "known.\(table)")
            }
        }
    }
}

extension OutputDatabase {
    /// Makes known what an audit has found in the partitions. Returns false if that cannot be noted.
    package func note(_ audit: OutputAudit) -> Bool {
        if audit.damaged.isEmpty { return true }
        do {
            let lock = try OutputLock(folder, holder: "pushetl doctor, process \(getpid())")
            audit.known.write(in: lock.locked)
            lock.release()
            return true
        } catch {
            return false
        }
    }
}

extension Database {
    /// Whether the rows of two tables with the same columns differ. The tables have no row id, so their rows come in
    /// the order of the key.
    fileprivate func differs(_ table: String, from other: String) throws -> Bool {
        let rows = try prepare("SELECT * FROM \(table)")
        let others = try prepare("SELECT * FROM \(other)")
        while try rows.next() {
            guard try others.next(), rows.hasSameValues(as: others) else { return true }
        }
        return try others.next()
    }
}
