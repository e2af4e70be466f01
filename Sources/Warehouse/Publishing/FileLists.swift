import Calendar
import GRDB

/// The rows of `files` and `outcomes` of the log dates that the output DB does not have yet as they are.
struct FileLists {
    private let files: [String: [[DatabaseValue]]]
    private let outcomes: [String: [[DatabaseValue]]]
    /// Log dates, those included that are no more.
    private let dates: [String]

    /// `published` is what `publication` says.
    init(_ partitions: PartitionSet, changedSince published: [String: String]) throws(WarehouseError) {
        var files: [String: [[DatabaseValue]]] = [:]
        var outcomes: [String: [[DatabaseValue]]] = [:]
        var gone = Set(published.keys.filter { CalendarText.day(of: $0) != nil })
        for (place, summary) in partitions.summaries.enumerated() {
            let date = CalendarText.date(ofDay: summary.logDate)
            gone.remove(date)
            guard published[date] != summary.version else { continue }
            let partition = try partitions.partition(place)
            files[date] = try partition.files().map { $0.values(logDate: summary.logDate) }
            outcomes[date] = try partition.outcomes().map { $0.values(logDate: summary.logDate) }
        }
        self.files = files
        self.outcomes = outcomes
        dates = gone.union(files.keys).sorted()
    }

    /// Returns the number of rows that differed.
    func write(to database: Database, _ digests: inout TableDigests) throws -> Int {
        var changes = 0
        for date in dates {
            changes += try OutputSchema.files.replaceRows(files[date, default: []], of: date, in: database)
            changes += try OutputSchema.outcomes.replaceRows(outcomes[date, default: []], of: date, in: database)
        }
        set(&digests)
        return changes
    }

    /// Takes the digests of the rows.
    func set(_ digests: inout TableDigests) {
        for date in dates {
            digests.set(files[date, default: []], of: OutputSchema.files, date: date)
            digests.set(outcomes[date, default: []], of: OutputSchema.outcomes, date: date)
        }
    }
}
