import Calendar
import Foundation
import Ledger
import Partitions
import Posix
import SQLite

/// How push.db and the ledger differ from the partitions. Nothing is written.
package struct OutputAudit: Sendable {
    /// Why some partitions or settled files cannot be read or used. Sorted by path.
    package internal(set) var damaged: [WarehouseError] = []
    /// Files with ids that nothing needs any more.
    package internal(set) var leftIDs: [String] = []
    /// The log dates of which push.db shows another version than is there; also `settings`, `pipeline` and `deliveries`.
    package internal(set) var unpublished: [String] = []
    /// Whether push.db shows of them what was published last, so that they are only still to be published.
    package internal(set) var isOnlyUnpublished = false
    /// Our tables that are missing or have another definition.
    package internal(set) var otherTables: [String] = []
    /// Triggers of others on our tables.
    package internal(set) var triggers: [OutputObject] = []
    /// What others have added that does not let push.db be written.
    package internal(set) var obstacles: [String] = []
    /// Tables of push.db whose rows are not those that follow from the partitions; nil if they were not compared.
    package internal(set) var differences: [String]?
    /// Tables of the ledger whose rows are not those that follow from the partitions; nil if they were not compared.
    package internal(set) var ledgerDifferences: [String]?
    /// Why the ledger cannot be read; nil if it can.
    package internal(set) var ledgerDamage: String?
}

extension OutputDatabase {
    /// What SQLite finds wrong in a push.db; nil for nothing.
    package static func damage(_ database: Database) throws -> String? { try PushState.damage(database) }

    /// Reads all partitions whole, makes a ledger anew from them in a temporary folder, and compares the output's ledger and
    /// push.db with it.
    /// - Throws: `.missing` if there is no push.db; `.busy` if somebody holds the ledger; `.stopped`; errors other than damage
    ///   of a partition.
    package func audit(
        _ settings: PublicationSettings, resources: PublishingResources
    ) throws(WarehouseError) -> OutputAudit {
        try awaitLedger()
        var audit = OutputAudit()
        var old: OldLogDates?
        do throws(WarehouseError) {
            old = try OldLogDates(in: folder, nil, resources, trustsStamps: false)
            audit.leftIDs = try Erasure(folder, old?.closed, today: nil).files
        } catch {
            guard case .retention = error else { throw error }
            audit.damaged.append(error)
        }
        let (partitions, damaged) = try verified(in: folder, old, settings, resources)
        audit.damaged = (audit.damaged + damaged).sorted { ($0.path ?? "") < ($1.path ?? "") }
        let published = try readUnchecked { database -> [String: String]? in
            let objects = try OutputObjects(database)
            (audit.otherTables, audit.triggers) = (objects.otherTables, objects.foreignTriggers)
            guard audit.otherTables.isEmpty else { return nil }
            audit.obstacles = objects.obstacles(in: database)
            return try database.texts(OutputSchema.publication.selection)
        }
        guard let published else { throw .missing(path: path) }
        guard let published, let old else { return audit }
        var inputs = ["settings": settings.version, "pipeline": settings.pipeline]
        inputs["deliveries"] = AcceptedDeliveries.version(in: folder)
        // What the checks found does not follow from the partitions.
        inputs[CheckFinding.item] = published[CheckFinding.item]
        for summary in partitions.summaries { inputs[CalendarText.date(ofDay: summary.logDate)] = summary.version }
        audit.unpublished = Set(inputs.keys).union(published.keys).filter { inputs[$0] != published[$0] }.sorted()
        audit.isOnlyUnpublished = isAsLeft || hasLeftTransactions && shows(audit.unpublished, published)
        guard audit.unpublished.isEmpty, audit.damaged.isEmpty else { return audit }
        try compare(&audit, partitions, old, settings, resources)
        return audit
    }

    /// Whether nothing has written push.db since the last command, as far as SQLite's counter tells, which a copy keeps. True if
    /// nobody knows.
    private var hasLeftTransactions: Bool {
        guard let left = LeftFiles(in: folder), let push = left.push else { return true }
        return left.isWriting || OutputStamp(path)?.transactions == push.transactions
    }

    /// Whether the ledger says that these log dates were published as push.db shows them.
    private func shows(_ logDates: [String], _ published: [String: String]) -> Bool {
        let versions = Ledger.read(in: folder) { try $0.texts("SELECT log_date, version FROM published_versions") }
        guard let versions else { return false }
        return logDates.allSatisfy { CalendarText.day(of: $0) != nil && versions[$0] == published[$0] }
    }

    /// Makes a ledger anew, and compares.
    private func compare(
        _ audit: inout OutputAudit, _ partitions: PartitionSet, _ old: OldLogDates, _ settings: PublicationSettings,
        _ resources: PublishingResources
    ) throws(WarehouseError) {
        let temporary = try reportingCalls { () throws(SystemError) in try TemporaryFolder(named: "pushetl-doctor") }
        defer { temporary.remove() }
        let ledger = Ledger(path: "\(temporary.path)/\(Ledger.name)", sharedFolder: nil)
        let withIDs = try partitions.withIDs(old.closed, windowDays: settings.windowDays, [:])
        var resources = resources
        // They were verified just now.
        resources.justWritten = Set(partitions.summaries.map(\.logDate))
        try LedgerUpdate(ledger, all: partitions, withIDs: withIDs, settings, resources, settled: old.settled)
            .run(try ledger.open())
        do throws(WarehouseError) {
            audit.ledgerDifferences = try differences(of: Ledger(of: folder), from: ledger)
        } catch {
            guard let damage = error.damage, error.path == Ledger(of: folder).path else { throw error }
            audit.ledgerDamage = damage
            // The next command does the same.
            try LedgerHistory(in: try ledger.open()).takeOver(from: path, isAll: true)
        }
        let isWaiting = Ledger.read(in: folder) { try LedgerState($0).isWaiting } ?? false
        audit.differences = try readUnchecked { database in
            // What is compared is in temporary tables.
            try database.execute("ATTACH ? AS ledger", .of(ledger.path))
            let publishing = LedgerPublishing(database)
            try publishing.prepare()
            return LedgerPublishing.changedByOthers(
                try publishing.writeAll(areChanges: false, isComparedOnly: true), isWaiting: isWaiting,
                isOtherVersion: try publishing.differs("version") { _ in false })
        }
    }

    /// The tables of a ledger whose rows differ from those of one that was made anew, which gets what cannot be made anew.
    private func differences(of known: Ledger, from ledger: Ledger) throws(WarehouseError) -> [String] {
        guard FileStamp(path: known.path) != nil else {
            throw .corrupt(path: known.path, detail: "ledger.sqlite is missing")
        }
        return try reportingFacts(of: known.path) {
            let database = try ledger.open()
            try database.execute("ATTACH ? AS known", .of(known.path))
            for table in ["listed", "listed_platforms", "runs", "loads", "changes"] {
                try database.execute("INSERT INTO main.\(table) SELECT * FROM known.\(table)")
            }
            try LedgerDeliveries.insertRows(database)
            for fact in ["deliveries", CheckFinding.item] {
                let value: String? = try database.value("SELECT value FROM known.facts WHERE key = ?", .of(fact))
                try Ledger.setFact(fact, value, database)
            }
            // The last command may have been killed before it noted what it wrote.
            if let left = LeftFiles(in: folder), left.isWriting, isLeft(left) {
                try LedgerHistory(in: database).takeOver(from: path, isAll: false)
            }
            let tables = LedgerTable.all.map(\.name) + ["arrivals", "files", "outcomes"]
            return try tables.filter { table in
                try [("main", "known"), ("known", "main")].contains { a, b in
                    try database.hasRow("SELECT * FROM \(a).\(table) EXCEPT SELECT * FROM \(b).\(table)")
                }
            }
        }
    }

    /// Opens the partitions, and reads all that has a hash.
    private func verified(
        in folder: OutputFolder, _ old: OldLogDates?, _ settings: PublicationSettings, _ resources: PublishingResources
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        let (partitions, faults) = try OutputDatabase.verifiedPartitions(in: folder, old, resources)
        var damaged = faults
        do throws(WarehouseError) {
            let withIDs = try partitions.withIDs(old?.closed, windowDays: settings.windowDays, [:])
            for index in withIDs.onlyForIDs { try withIDs.partition(index).verify(resources.isStopped) }
        } catch {
            if case .retention = error {} else if !error.isDamage { throw error }
            damaged.append(error)
        }
        return (partitions, damaged)
    }

    private static func verifiedPartitions(
        in folder: OutputFolder, _ old: OldLogDates?, _ resources: PublishingResources
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        func open(without: Set<String> = []) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
            try PartitionSet.open(folder, old?.closed, old?.settled ?? .none, without: without)
        }
        let (all, unopened) = try open()
        let found = try resources.workers.map(all.count) { index throws(WarehouseError) -> WarehouseError? in
            do throws(WarehouseError) {
                try all.partition(index).verify(resources.isStopped)
                return nil
            } catch {
                guard error.isDamage else { throw error }
                return error
            }
        }
        let damaged = found.compactMap { $0 }
        guard !damaged.isEmpty else { return (all, unopened) }
        let sound = try open(without: Set(damaged.compactMap(\.path)))
        return (sound.0, sound.damaged + damaged)
    }
}
