import Calendar
import Counting
import Foundation
import Hashing
import Partitions
import Posix
import SQLite

/// The ledgers of an output's shards, `shards/7/ledger.sqlite`. A task brings that of a shard to what the shard's partitions say.
/// No message is in two shards, so the sums of their rows are the rows of the output's ledger.
///
/// A fact `revision 2026-11-19` of such a ledger names the job that changed the log date's rows last. Beside the ledger,
/// `ledger.hash` has the hash of its bytes. A ledger with another one was changed since by something else, and is made anew. So
/// is one if a task was killed between the two, or two attempts at the same time have left one each.
package struct ShardLedgers {
    /// What a shard's ledger says of a log date.
    private typealias Entry = (version: String, revision: String)

    /// Each with the versions of its partitions.
    private let shards: [OutputFolder]
    /// By shard.
    private let paths: [String]
    private let settings: PublicationSettings
    private let resources: PublishingResources

    package init(_ shards: [OutputFolder], _ settings: PublicationSettings, resources: PublishingResources) {
        (self.shards, self.settings, self.resources) = (shards, settings, resources)
        paths = shards.map { "\($0.path)/\(Ledger.name)" }
    }

    /// Makes the ledgers of all shards anew, in a folder.
    package init(
        anew folder: String, _ shards: [OutputFolder], _ settings: PublicationSettings, settled: Set<Int32>,
        resources: PublishingResources
    ) throws(WarehouseError) {
        (self.shards, self.settings, self.resources) = (shards, settings, resources)
        paths = shards.indices.map { "\(folder)/\($0).sqlite" }
        for (shard, path) in zip(shards, paths) {
            try update(Ledger(path: path, sharedFolder: nil), shard, settled, "")
        }
    }

    // MARK: In a task

    /// Brings the ledger of the only shard to what its partitions say.
    /// - Parameters:
    ///   - settled: the log dates whose partitions serve only others, since they are settled.
    ///   - job: identifies the job.
    ///   - scratch: a folder on the machine's own disk.
    ///   - willInstall: called just before the new ledger takes the place of the former one.
    package func update(
        settled: Set<Int32>, job: String, scratch: String, willInstall: () throws -> Void
    ) throws {
        let (path, shard) = (paths[0], shards[0])
        let ledger = Ledger(path: "\(scratch)/\(Ledger.name)", sharedFolder: shard.partitionsPath)
        if access(path, F_OK) == 0, try !ShardLedgers.isChanged(path) { try WholeFile.copy(path, to: ledger.path) }
        do {
            try update(ledger, shard, settled, job)
        } catch {
            guard error.isDamage, error.path == ledger.path else { throw error }
            // It is made anew.
            try WholeFile.remove(ledger.path)
            try update(ledger, shard, settled, job)
        }
        try willInstall()
        try WholeFile.copy(ledger.path, to: path)
        try WholeFile.store(
            Array(ShardLedgers.hash(ledger.path).utf8), at: ShardLedgers.hashPath(path), durably: true)
    }

    private static func hashPath(_ path: String) -> String { "\(Folder.parent(of: path))/\(OwnName.ledgerHash)" }

    private static func hash(_ path: String) throws(SystemError) -> String {
        var (hash, count) = (FileHash(), 0)
        try WholeFile.forEachPiece(of: path) { bytes throws(SystemError) in
            hash.add(bytes)
            count += bytes.count
        }
        return hash.text(byteCount: count)
    }

    /// Whether something else has changed a ledger since a task wrote it. Reads all of it.
    private static func isChanged(_ path: String) throws(SystemError) -> Bool {
        // Without a hash it is taken as it is, as that of a former version.
        guard let left = try? WholeFile.readFile(hashPath(path)) else { return false }
        return try hash(path) != String(decoding: left, as: UTF8.self)
    }

    private func update(
        _ ledger: Ledger, _ shard: OutputFolder, _ settled: Set<Int32>, _ job: String
    ) throws(WarehouseError) {
        let partitions = try partitions(shard, settled)
        let database = try ledger.open()
        try reportingFacts(of: ledger.path) { try ShardLedgers.noteChanges(database) }
        try ledgerUpdate(ledger, partitions).run(database)
        try reportingFacts(of: ledger.path) {
            try database.execute(
                "INSERT OR REPLACE INTO facts SELECT 'revision ' || log_date, ? FROM temp.changed_dates", .of(job))
            // Nothing is published from here.
            try Ledger.clearTouched(in: database)
        }
        database.close()
    }

    /// The partitions of a shard.
    private func partitions(_ shard: OutputFolder, _ settled: Set<Int32>) throws(WarehouseError) -> PartitionSet {
        var (partitions, damaged) = try PartitionSet.open(shard)
        partitions.keepForIDs(settled)
        if let damage = damaged.first { throw damage }
        // A partition that is gone has no error of its own.
        let found = Set(partitions.summaries.map(\.logDate))
        for logDate in try shard.logDates() where !found.contains(logDate) {
            throw .corrupt(path: shard.partitionPath(logDate), detail: "the file is missing")
        }
        return partitions
    }

    private func ledgerUpdate(_ ledger: Ledger, _ partitions: PartitionSet) -> LedgerUpdate {
        LedgerUpdate(ledger, all: partitions, withIDs: partitions, settings, resources)
    }

    /// Has each change of a row note its log date.
    private static func noteChanges(_ database: Database) throws {
        try database.execute("CREATE TEMP TABLE changed_dates (log_date TEXT PRIMARY KEY)")
        for table in LedgerTable.all.map(\.name) {
            for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
                try database.execute(
                    """
                    CREATE TEMP TRIGGER note_\(event)_\(table) AFTER \(event) ON main.\(table) BEGIN
                      INSERT INTO changed_dates SELECT \(row).log_date
                      WHERE NOT EXISTS (SELECT 1 FROM changed_dates WHERE log_date = \(row).log_date);
                    END
                    """)
            }
        }
    }

    // MARK: In the driver

    /// The number of the first shard whose ledger does not hold exactly the shard's partitions; nil if there is none.
    package func firstOther() -> Int? {
        shards.indices.first { index in
            let versions = shards[index].versions ?? [:]
            let wanted = Dictionary(uniqueKeysWithValues: versions.map { (CalendarText.date(ofDay: $0), $1) })
            return entries(paths[index])?.mapValues(\.version) != wanted
        }
    }

    /// The paths of the ledgers that something else has changed. Reads all of them.
    package func changed() throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in
            var changed: [String] = []
            for path in paths where access(path, F_OK) == 0 {
                if try ShardLedgers.isChanged(path) { changed.append(path) }
            }
            return changed
        }
    }

    /// What a shard's ledger says; nil if it cannot be read or has other settings.
    private func entries(_ path: String) -> [String: Entry]? {
        guard access(path, F_OK) == 0, let database = try? Database(path, isReadOnly: true, busyTimeout: 30),
            let isSame = try? Ledger.fact("settings", database) == settings.version, isSame
        else { return nil }
        let entries = try? database.rows(
            """
            SELECT log_date, version, coalesce(value, '')
            FROM partitions LEFT JOIN facts ON key = 'revision ' || log_date
            """
        ) { row in (try row.read(0) as String, (try row.read(1), try row.read(2)) as Entry) }
        return entries.map { Dictionary($0) { first, _ in first } }
    }

    /// Brings the ledger of the output to the sums of the shards' ledgers, and to what the settled files say.
    ///
    /// A fact `shards 2026-11-19` says what the sums of a log date were made of. If it is as now, they are not made again.
    package func update(
        _ ledger: Ledger, _ all: PartitionSet, _ settled: SettledDates, _ database: Database,
        beginning: () throws(WarehouseError) -> Void = {}
    ) throws(WarehouseError) {
        let wanted = sumsWanted(all)
        let known = try reportingFacts(of: ledger.path) {
            try LedgerState(database).facts.filter { $0.key.hasPrefix("shards ") }
        }
        if known != wanted { try beginning() }
        try reportingFacts(of: ledger.path) {
            for (key, value) in known where wanted[key] != value { try Ledger.setFact(key, nil, database) }
        }
        try LedgerUpdate(ledger, all: all, withIDs: all.none, settings, resources, settled: settled, isOfShards: true)
            .run(database, beginning: beginning)
        try reportingFacts(of: ledger.path) {
            let changed = try wanted.filter { key, value in try Ledger.fact(key, database) != value }
            guard !changed.isEmpty else { return }
            try addUp(changed.keys.map { String($0.dropFirst("shards ".count)) }.sorted(), database)
            try replace(changed, database)
        }
    }

    /// All that log dates contribute, computed from the partitions of the shards and nothing else.
    package func parts(ofDue logDates: Set<Int32>, settled: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        var parts: [Int32: [FigurePart]] = [:]
        for (shard, path) in zip(shards, paths) {
            let ledger = Ledger(path: path, sharedFolder: nil)
            for part in try ledgerUpdate(ledger, partitions(shard, settled)).parts(ofDue: logDates) {
                parts[part.logDate, default: []].append(part)
            }
        }
        return parts.sorted { $0.key < $1.key }.map { logDate, parts in
            let global = GlobalNames(parts.map(\.names), pipelineSources: settings.sourceNames)
            var (tables, sums) = (DailyTables(), EventSums())
            for (index, part) in parts.enumerated() {
                tables.add(part.tables, at: index, global)
                for (key, events) in part.sums {
                    sums[[key[0], Int64(global.actions[index][Int(key[1])])], default: 0] += events
                }
            }
            return FigurePart(logDate: logDate, names: global.names, tables: tables, sums: sums)
        }
    }

    /// By fact, what the sums of each log date are made of that is not settled.
    private func sumsWanted(_ all: PartitionSet) -> [String: String] {
        let known = paths.map { entries($0) ?? [:] }
        var wanted: [String: String] = [:]
        for (index, summary) in all.summaries.enumerated() where !all.isSettled(index) {
            let logDate = CalendarText.date(ofDay: summary.logDate)
            let parts = [settings.version, summary.version] + known.map { $0[logDate]?.revision ?? "" }
            wanted["shards \(logDate)"] = WordHash.of(Array(parts.joined(separator: "\n").utf8).span).hexDigits
        }
        return wanted
    }

    /// Adds up the rows of log dates over the shards, into temporary tables.
    private func addUp(_ logDates: [String], _ database: Database) throws {
        for path in paths {
            if resources.isStopped() { throw WarehouseError.stopped }
            try reportingFacts(of: path) {
                try database.execute("ATTACH ? AS shard", .of(path))
                // If it fails, so does the next ATTACH.
                defer { try? database.execute("DETACH shard") }
                for table in LedgerTable.all {
                    for logDate in logDates {
                        let columns = (table.key + ["log_date", "part"] + table.values).joined(separator: ", ")
                        try database.execute(
                            """
                            INSERT INTO \(table.replacement.new) (\(columns))
                            SELECT \(columns) FROM shard.\(table.name) WHERE log_date = ? \(table.addition)
                            """, .of(logDate))
                    }
                }
            }
        }
        for table in LedgerTable.all {
            let (name, new) = (table.name, table.replacement.new)
            try database.execute(
                """
                CREATE TEMP TABLE sum_\(name) AS SELECT * FROM \(new) WHERE \(table.hasValues);
                CREATE INDEX temp.sum_\(name)_by_log_date ON sum_\(name) (log_date, part);
                DELETE FROM \(new)
                """)
        }
    }

    /// Replaces the rows of log dates by the sums.
    private func replace(_ changed: [String: String], _ database: Database) throws {
        try database.transaction {
            try Ledger.notingArrivals(in: database) {
                for (key, value) in changed.sorted(by: { $0.key < $1.key }) {
                    let logDate = String(key.dropFirst("shards ".count))
                    for part in [LedgerPart.alone, .shared] {
                        for table in LedgerTable.all {
                            try database.execute(
                                """
                                INSERT INTO \(table.replacement.new)
                                SELECT * FROM temp.sum_\(table.name) WHERE log_date = ? AND part = ?
                                """, .of(logDate, part.rawValue))
                            try table.replace(part, of: logDate, in: database)
                        }
                    }
                    try Ledger.setArrivals(of: logDate, in: database)
                    try Ledger.setFact(key, value, database)
                }
            }
        }
    }
}
