import Calendar
import Counting
import Partitions
import SQLite

/// What the partitions contribute to push.db, and how it is brought there.
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

    /// What of push.db is to be changed.
    struct Change {
        /// What it shows of each log date.
        var shown: [LogDate: OwnTables.ShownDate] = [:]
        /// Log dates that it shows and whose partitions are others or gone; those that are gone.
        var replaced: [LogDate] = []
        var gone: [LogDate] = []
        /// Whether the rules are others than those of what it shows.
        var isNewSetting = true
        /// Whether it shows nothing yet.
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
                // The final rows of one that has just settled may be others: its neighbours were loaded again since.
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

    /// Runs `body`. If other platforms report arrivals or failures after it, it notes all deliveries: a rate of each depends on that.
    /// So it does where all is made anew.
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
    /// What the log date contributes while it is not settled.
    /// - Parameter correction: what the messages that it shares with others change; nil for nothing.
    func contribution(
        settings: PublicationSettings, correction: DailyTables?, isStopped: () -> Bool
    ) throws -> Contribution {
        var rows = try ownRows(settings: settings, isStopped: isStopped)
        if let correction { rows.add(correction) }
        return Contribution(
            of: summary.logDate, names: try names(), rows: rows, deliveryNames: try deliveryNames())
    }

    /// What a settled log date contributes: it is read, never computed.
    fileprivate func finalContribution() throws -> Contribution {
        Contribution(
            of: summary.logDate, names: try names(), rows: try storedRows(), deliveryNames: try deliveryNames())
    }
}
