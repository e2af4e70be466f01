import Calendar
import SQLite

/// The rows of `files` and `outcomes`, for the log dates whose rows in the output DB are stale.
struct FileLists {
    private let files: [String: [[DatabaseValue]]]
    private let outcomes: [String: [[DatabaseValue]]]
    /// The log dates, including removed ones.
    private let dates: [String]

    /// `published` has the entries of `publication`.
    init(_ partitions: PartitionSet, changedSince published: [String: String]) throws(WarehouseError) {
        var files: [String: [[DatabaseValue]]] = [:]
        var outcomes: [String: [[DatabaseValue]]] = [:]
        var removed = Set(published.keys.filter { CalendarText.day(of: $0) != nil })
        for (index, summary) in partitions.summaries.enumerated() {
            let date = CalendarText.date(ofDay: summary.logDate)
            removed.remove(date)
            guard published[date] != summary.version else { continue }
            let partition = try partitions.partition(index)
            files[date] = try partition.files().map { $0.values(logDate: summary.logDate) }
            outcomes[date] = try partition.outcomes().map { $0.values(logDate: summary.logDate) }
        }
        self.files = files
        self.outcomes = outcomes
        dates = removed.union(files.keys).sorted()
    }

    /// Writes the rows. Returns the number of rows that differed.
    func write(to database: Database, _ digests: inout TableDigests) throws -> Int {
        var changes = 0
        for date in dates {
            changes += try OutputSchema.files.replaceRows(files[date, default: []], of: date, in: database)
            changes += try OutputSchema.outcomes.replaceRows(outcomes[date, default: []], of: date, in: database)
        }
        set(&digests)
        return changes
    }

    /// Sets the digests of the rows.
    func set(_ digests: inout TableDigests) {
        for date in dates {
            digests.set(files[date, default: []], of: OutputSchema.files, date: date)
            digests.set(outcomes[date, default: []], of: OutputSchema.outcomes, date: date)
        }
    }
}
