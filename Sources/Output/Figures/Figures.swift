import Calendar
import Counting
import Partitions
import SQLite

/// The rows that the partitions contribute to push.db, and the way to bring them there.
struct Figures {
    /// The most log dates whose rows are in memory at the same time, for each worker.
    private static let datesOfAWorker = 2

    private let partitions: PartitionSet
    private let settings: PublicationSettings
    private let resources: PublishingResources

    init(of partitions: PartitionSet, settings: PublicationSettings, resources: PublishingResources) {
        self.partitions = partitions
        self.settings = settings
        self.resources = resources
    }

    /// The changes that push.db needs.
    struct Change {
        /// The log dates that push.db shows, each with its state there.
        var shown: [LogDate: OwnTables.ShownDate] = [:]
        /// The shown log dates whose partition has changed or is gone; then only those whose partition is gone.
        var replaced: [LogDate] = []
        var gone: [LogDate] = []
        /// Whether push.db was published with other settings.
        var isNewSetting = true
        /// Whether the tables of push.db are empty, since they are made anew.
        var isAnew = true
    }

    /// Writes the rows by log date, and what push.db notes of log dates and deliveries.
    ///
    /// - Parameter sharedFolder: the folder of the files of shared messages; nil to write none.
    func write(_ change: Change, sharedFolder: String?, to database: Database) throws {
        let writing = LogDateWriting(database: database, sources: settings.sourceNames)
        try writing.prepare()
        let known = change.isNewSetting ? [:] : change.shown.filter { partitions.versions[$0.key] == $0.value.version }
        var comparison = SharedComparison(
            of: partitions, settings: settings, resources: resources, folder: sharedFolder,
            known: known.compactMapValues(\.shared))
        let corrections = try comparison.corrections(replaced: change.replaced, isNewSetting: change.isNewSetting)
        var counted: [LogDate: String] = [:]
        try notingReported(in: database, isAnew: change.isAnew) {
            for date in change.gone { try writing.remove(date) }
            let indices = partitions.summaries.indices.filter { index in
                let summary = partitions.summaries[index]
                // A log date that has just settled may have other final rows than before, since its neighbours may have
                // been loaded again.
                return change.shown[summary.logDate]?.shows(summary) != true
                    || !partitions.isSettled(index) && (change.isNewSetting || corrections[summary.logDate] != nil)
            }
            counted = try write(indices, corrections: corrections, change: change, with: writing)
            try DeliveryWriting(settings: settings).write(to: database)
        }
        for summary in partitions.summaries {
            let date = summary.logDate
            try writing.note(
                summary, shared: comparison.hashes[date], counted: counted[date], former: change.shown[date])
        }
        for (key, value) in settings.facts { try OwnTables.set(key, to: value, in: database) }
    }

    /// Returns the hash of the counts of each log date that was written.
    private func write(
        _ indices: [Int], corrections: [LogDate: DailyTables], change: Change, with writing: LogDateWriting
    ) throws -> [LogDate: String] {
        var counted: [LogDate: String] = [:]
        let atATime = Figures.datesOfAWorker * resources.workers.count
        for start in stride(from: 0, to: indices.count, by: atATime) {
            let group = Array(indices[start..<min(start + atATime, indices.count)])
            let contributions = try resources.workers.map(group.count) { number in
                try resources.check()
                let partition = try partitions.partition(group[number])
                if partitions.isSettled(group[number]) { return try partition.finalContribution() }
                return try partition.contribution(
                    settings: settings, correction: corrections[partition.summary.logDate],
                    isStopped: resources.isStopped)
            }
            for (index, contribution) in zip(group, contributions) {
                let summary = partitions.summaries[index]
                let hash = contribution.rows.hashOfCounts
                let former = change.shown[contribution.logDate].map { shown -> LogDateWriting.Former in
                    shown.shows(summary) && !change.isNewSetting
                        ? .ofSamePartition(hasSameCounts: shown.counted == hash) : .ofOtherPartition
                }
                try writing.write(contribution, replacing: former ?? .none)
                counted[contribution.logDate] = hash
                if change.shown[contribution.logDate]?.version != summary.version {
                    try writing.setAccounts(of: try partitions.partition(index))
                }
            }
        }
        return counted
    }

    /// Runs `body`. If it changes which platforms report arrivals or failures, all deliveries are noted as touched,
    /// since a rate of each delivery depends on that. If the tables are made anew, the deliveries in the delivery files
    /// are noted instead.
    private func notingReported(in database: Database, isAnew: Bool, _ body: () throws -> Void) throws {
        func reported() throws -> [String] {
            try database.column("SELECT DISTINCT action || ' ' || platform FROM main._reported ORDER BY 1")
        }
        let before = try reported()
        try body()
        for table in isAnew ? ["_listed"] : try reported() == before ? [] : ["deliveries"] {
            try database.execute(
                "INSERT OR IGNORE INTO temp.touched_deliveries SELECT delivery_id FROM main.\(table)")
        }
    }
}

extension Partition {
    /// The contribution of a log date that is not settled.
    /// - Parameter correction: the changes for messages that the log date shares with others; nil for none.
    func contribution(
        settings: PublicationSettings, correction: DailyTables?, isStopped: () -> Bool
    ) throws -> Contribution {
        var rows = try ownRows(settings: settings, isStopped: isStopped)
        if let correction { rows.add(correction) }
        return Contribution(
            of: summary.logDate, names: try names(), rows: rows, deliveryNames: try deliveryNames())
    }

    /// The contribution of a settled log date. Its final rows are read, never computed.
    fileprivate func finalContribution() throws -> Contribution {
        Contribution(
            of: summary.logDate, names: try names(), rows: try storedRows(), deliveryNames: try deliveryNames())
    }
}
