import Calendar
import Counting
import Partitions
import Posix
import SQLite

/// Brings the ledger to what the partitions and settled files say, and notes in it what that touches in push.db.
package struct LedgerUpdate {
    /// The most log dates whose rows are in memory at the same time, for each worker.
    private static let datesAWorker = 2

    package let ledger: Ledger
    /// All log dates.
    let all: PartitionSet
    /// The partitions whose ids matter: those of log dates that are not settled, and those within reach of them.
    let withIDs: PartitionSet
    let settings: PublicationSettings
    let resources: PublishingResources
    /// They have the rows of settled log dates.
    private let settled: SettledDates

    var workers: any Workers { resources.workers }

    package init(
        _ ledger: Ledger, all: PartitionSet, withIDs: PartitionSet, _ settings: PublicationSettings,
        _ resources: PublishingResources, settled: SettledDates = .none
    ) {
        assert(Set(withIDs.summaries.map(\.logDate)).isSubset(of: all.summaries.map(\.logDate)))
        (self.ledger, self.all, self.withIDs, self.settled) = (ledger, all, withIDs, settled)
        (self.settings, self.resources) = (settings, resources)
    }

    /// - Parameter beginning: called before the ledger is written. It is not, if nothing has changed.
    package func run(
        _ database: Database, beginning: () throws(WarehouseError) -> Void = {}
    ) throws(WarehouseError) {
        let (known, facts) = try reportingFacts(of: ledger.path) {
            (try Ledger.entries(database), try LedgerState(database).facts)
        }
        let isNewSetting = facts["settings"] != settings.version
        let stamps = try verify(known)
        let new = newDates(known, isNewSetting)
        let comparison = new.isEmpty ? try compare(known, isNewSetting) : nil
        if let comparison, entries(comparison, stamps) == known, comparison.corrections.isEmpty,
            settings.facts.allSatisfy({ facts[$0] == $1 }), LedgerDeliveries(settings).areSame(facts)
        {
            return
        }
        try beginning()
        try reportingFacts(of: ledger.path) {
            try database.transaction {
                try Ledger.notingArrivals(in: database) {
                    try removeGone(known, database)
                    // Neither of the two needs what the other does.
                    let comparison =
                        try comparison
                        ?? workers.beside({ try compare(known, isNewSetting) }) {
                            try writeStandalone(new, known, database)
                        }
                    for (logDate, correction) in comparison.corrections.sorted(by: { $0.key < $1.key }) {
                        try write(correction, isFirst: known[date(logDate)] == nil, database)
                    }
                    try LedgerDeliveries(settings).write(to: database)
                    try setAccounts(known, entries(comparison, stamps), database)
                }
                for (key, value) in settings.facts { try Ledger.setFact(key, value, database) }
                // push.db may lack nothing but these.
                try Ledger.setFact("unpublished", "1", database)
            }
        }
    }

    /// What the partitions say about the messages that they share.
    private struct Comparison {
        let compared: [Compared]
        let corrections: [Int32: Correction]
    }

    private func compare(_ known: [String: Ledger.Entry], _ isNewSetting: Bool) throws(WarehouseError) -> Comparison {
        let changed = changedDates(known)
        var compared = withIDs.summaries.map { summary in
            Compared(summary, isNewSetting ? nil : known[date(summary.logDate)])
        }
        var change: Change
        repeat {
            change = try self.change(known, changed, compared, isNewSetting)
            // What is lost is compared again.
        } while try !readShared(needed(for: change, compared), &compared)
        try add(change.found, to: &compared)
        try writeShared(&compared)
        let corrections = try corrections(
            change.affected, compared, after: change.isAddition ? change.uncompared : nil)
        return Comparison(compared: compared, corrections: corrections)
    }

    /// What the ledger is to know of the partitions.
    private func entries(_ comparison: Comparison, _ stamps: [String: FileStamp]) -> [String: Ledger.Entry] {
        let shared = Dictionary(
            uniqueKeysWithValues: comparison.compared.enumerated().map {
                (date(withIDs.summaries[$0].logDate), $1.hash)
            })
        return Dictionary(
            uniqueKeysWithValues: all.summaries.enumerated().map { index, summary in
                let logDate = date(summary.logDate)
                let entry = Ledger.Entry(
                    version: summary.version, isSettled: all.isSettled(index), shared: shared[logDate] ?? nil,
                    stamp: stamps[logDate])
                return (logDate, entry)
            })
    }

    /// Verifies the partitions that have changed since they were last verified. Returns the stamps of the sound files; nil where
    /// a later change might not show.
    private func verify(_ known: [String: Ledger.Entry]) throws(WarehouseError) -> [String: FileStamp] {
        let stamps = try workers.map(withIDs.count) { index throws(WarehouseError) -> FileStamp? in
            let summary = withIDs.summaries[index]
            if let entry = known[date(summary.logDate)], entry.version == summary.version, let stamp = entry.stamp,
                stamp == FileStamp(path: withIDs.path(index))
            {
                return stamp
            }
            let partition = try withIDs.partition(index)
            if !resources.justWritten.contains(summary.logDate) {
                try partition.verify(resources.isStopped)
            }
            return partition.steadyStamp
        }
        var found: [String: FileStamp] = [:]
        for (summary, stamp) in zip(withIDs.summaries, stamps) { found[date(summary.logDate)] = stamp }
        return found
    }

    /// All that log dates contribute, computed from the partitions within reach and nothing else.
    package func parts(ofDue logDates: Set<Int32>) throws(WarehouseError) -> [FigurePart] {
        var compared = withIDs.summaries.map { Compared($0, nil) }
        let due = withIDs.summaries.indices.filter { logDates.contains(withIDs.summaries[$0].logDate) }
        try add(try sharedEvents(of: Set(due)), to: &compared)
        let corrections = try corrections(Set(due), compared, after: nil)
        return try workers.map(due.count) { number throws(WarehouseError) in
            let (logDate, partition) = (withIDs.summaries[due[number]].logDate, try withIDs.partition(due[number]))
            let names = try partition.names()
            var tables = try partition.standaloneTables(names, settings, resources.isStopped)
            var sums = EventSums()
            for row in tables.daily.rows() {
                sums[[Int64(row.platform.rawValue), Int64(row.action)], default: 0] += row.counts.events
            }
            if let correction = corrections[logDate] { tables.merge(correction.figures.tables) }
            return FigurePart(logDate: logDate, names: names, tables: tables, sums: sums)
        }
    }

    func date(_ day: Int32) -> String { CalendarText.date(ofDay: day) }

    func areWithinReach(_ a: Int32, _ b: Int32) -> Bool { abs(Int(a) - Int(b)) <= settings.windowDays }

    /// The log dates whose partitions are other ones than the ledger knows, or gone.
    private func changedDates(_ known: [String: Ledger.Entry]) -> [Int32] {
        var changed: [Int32] = []
        var gone = known
        for summary in all.summaries {
            let entry = gone.removeValue(forKey: date(summary.logDate))
            if let entry, entry.version != summary.version { changed.append(summary.logDate) }
        }
        return changed + gone.keys.compactMap { CalendarText.day(of: $0) }
    }

    // MARK: Rows

    /// The tables of a log date as if it were alone; of a settled one all that it contributes.
    private func part(_ index: Int, _ known: [String: Ledger.Entry]) throws(WarehouseError) -> LedgerRows {
        let summary = all.summaries[index]
        let partition = try all.partition(index)
        let figures: FigurePart
        if partition.isSettled {
            figures = try settled.part(of: summary.logDate, in: all.folder)
        } else {
            let names = try partition.names()
            let tables = try partition.standaloneTables(names, settings, resources.isStopped)
            figures = FigurePart(logDate: summary.logDate, names: names, tables: tables)
        }
        return LedgerRows(
            figures, part: .alone, isSettled: partition.isSettled,
            isFirst: known[date(summary.logDate)] == nil)
    }

    /// Removes the rows of log dates that are gone.
    private func removeGone(_ known: [String: Ledger.Entry], _ database: Database) throws {
        let logDates = Set(all.summaries.map { date($0.logDate) })
        for logDate in known.keys.sorted() where !logDates.contains(logDate) {
            for table in LedgerTable.all {
                try table.replace(.alone, of: logDate, in: database)
                try table.replace(.shared, of: logDate, in: database)
            }
            for table in ["arrivals", "partitions"] {
                try database.execute("DELETE FROM \(table) WHERE log_date = ?", .of(logDate))
            }
            try setAccounts(logDate, files: [], outcomes: [], in: database)
        }
    }

    /// The log dates that came or changed, by their indices.
    private func newDates(_ known: [String: Ledger.Entry], _ isNewSetting: Bool) -> [Int] {
        all.summaries.indices.filter { index in
            let summary = all.summaries[index]
            let entry = known[date(summary.logDate)]
            let isSame = entry?.version == summary.version && entry?.isSettled == all.isSettled(index)
            return !isSame || isNewSetting && !all.isSettled(index)
        }
    }

    /// Writes the rows of part 0 of new log dates.
    private func writeStandalone(_ new: [Int], _ known: [String: Ledger.Entry], _ database: Database) throws {
        let atATime = LedgerUpdate.datesAWorker * workers.count
        for start in stride(from: 0, to: new.count, by: atATime) {
            let group = Array(new[start..<min(start + atATime, new.count)])
            let parts = try workers.map(group.count) { number throws(WarehouseError) in
                try resources.check()
                return try part(group[number], known)
            }
            for part in parts {
                try write(part, to: database)
                try Ledger.setArrivals(of: part.logDate, in: database)
                guard part.isSettled, known[part.logDate] != nil else { continue }
                for table in LedgerTable.all { try table.replace(.shared, of: part.logDate, in: database) }
            }
        }
    }

    private func write(_ correction: Correction, isFirst: Bool, _ database: Database) throws {
        let rows = LedgerRows(correction.figures, part: .shared, isFirst: isFirst)
        guard correction.isAdded else { return try write(rows, to: database) }
        try rows.write(to: database)
        for table in LedgerTable.all { try table.add(in: database) }
    }

    /// Writes what is known of the partitions, and the files and outcomes of those that came or changed.
    private func setAccounts(
        _ known: [String: Ledger.Entry], _ entries: [String: Ledger.Entry], _ database: Database
    ) throws {
        for (index, summary) in all.summaries.enumerated() {
            guard let entry = entries[date(summary.logDate)] else { continue }
            try set(summary, entry, in: database)
            guard known[date(summary.logDate)]?.version != summary.version else { continue }
            let partition = try all.partition(index)
            try setAccounts(
                date(summary.logDate), files: try partition.files().map { $0.values(logDate: summary.logDate) },
                outcomes: try partition.outcomes().map { $0.values(logDate: summary.logDate) }, in: database)
        }
    }

    private func write(_ rows: LedgerRows, to database: Database) throws {
        try rows.write(to: database)
        for table in LedgerTable.all {
            if rows.isFirst {
                try table.noteAll(rows.part, of: rows.logDate, in: database)
            } else {
                try table.replace(rows.part, of: rows.logDate, in: database)
            }
        }
    }

    private func set(_ summary: PartitionSummary, _ entry: Ledger.Entry, in database: Database) throws {
        let pipeline =
            settings.isReadByOtherRules(summary) ? "\(summary.pipeline)-\(summary.zone)" : summary.pipeline
        let values =
            summary.counts
            + .of(pipeline, entry.version, entry.isSettled ? 1 : 0, entry.shared, entry.stamp?.json)
        try database.execute(
            "INSERT OR REPLACE INTO partitions VALUES (\(values.map { _ in "?" }.joined(separator: ", ")))", values)
    }

    private func setAccounts(
        _ logDate: String, files: [[DatabaseValue]], outcomes: [[DatabaseValue]], in database: Database
    ) throws {
        for (table, rows) in [(OutputSchema.files, files), (OutputSchema.outcomes, outcomes)] {
            try database.execute("DELETE FROM \(table.name) WHERE log_date = ?", .of(logDate))
            for row in rows { try table.insert(row, into: database) }
        }
        try database.execute("INSERT OR IGNORE INTO touched_log_dates VALUES (?)", .of(logDate))
    }
}
