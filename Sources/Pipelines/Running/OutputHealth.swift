import Calendar
import Configuration
import Output
import Partitions

/// The state of an output in numbers, for monitoring. It follows from the output alone, without a look at the logs.
package struct OutputHealth: Sendable {
    /// A log date has the first of these that applies.
    package enum State: String, CaseIterable, Sendable {
        /// The last load was held back.
        case heldBack = "held_back"
        /// The partition cannot be read.
        case damaged
        case complete
        case partial
        /// There is no partition, though there are earlier and later ones.
        case missing
    }

    /// The latest log date that is loaded.
    package struct LatestDate: Sendable {
        package let summary: PartitionSummary
        /// Sorted by source, outcome and reason.
        package let outcomes: [OutcomeCount]

        package var date: LogDate { LogDate(dayNumber: Int(summary.logDate)) }
    }

    /// The number of log dates in each state, from the first that is loaded or held back to the last.
    package let logDates: [State: Int]
    /// Nil if none is loaded, or only damaged ones are.
    package let latest: LatestDate?

    package init(of output: OutputFolder) throws(WarehouseError) {
        let loaded = Set(try output.logDates().map { LogDate(dayNumber: Int($0)) })
        let held = Set(try HeldLoad.logDates(in: output))
        var counts = Dictionary(uniqueKeysWithValues: State.allCases.map { ($0, 0) })
        var latest: LatestDate?
        for date in loaded.union(held).sorted() {
            let partition = loaded.contains(date) ? output.partition(of: date) : nil
            let hold = held.contains(date) ? HeldLoad(date, in: output) : nil
            let state: State =
                if hold?.isLast(installed: partition?.summary.version) ?? false {
                    .heldBack
                } else if let partition {
                    partition.summary.status == .complete ? .complete : .partial
                } else {
                    loaded.contains(date) ? .damaged : .missing
                }
            counts[state, default: 0] += 1
            if let partition, let outcomes = try? partition.outcomes() {
                latest = LatestDate(summary: partition.summary, outcomes: outcomes)
            }
        }
        if let first = loaded.union(held).min(), let last = loaded.union(held).max() {
            counts[.missing, default: 0] += last.dayNumber - first.dayNumber + 1 - loaded.union(held).count
        }
        logDates = counts
        self.latest = latest
    }

    /// The codes of the warnings of the latest log date that is loaded; nil if push.db does not show it yet.
    ///
    /// - Throws: `WarehouseError` if push.db cannot be read now.
    package func warnings(in output: OutputFolder) throws(WarehouseError) -> [String]? {
        guard let latest else { return [] }
        let database = OutputDatabase(output, busyTimeout: 1)
        guard try database.publishedVersions()[latest.summary.logDate] == latest.summary.version else { return nil }
        return try database.warnings()[latest.date]?.codes ?? []
    }

    /// The last final day of push.db; nil if none is final.
    ///
    /// - Throws: `WarehouseError` if push.db cannot be read now.
    package static func finalDay(of output: OutputFolder) throws(WarehouseError) -> LogDate? {
        let days = try OutputDatabase(output, busyTimeout: 1).days()
        return days.last(where: \.isFinal).map { LogDate(dayNumber: Int($0.day)) }
    }
}

extension OutputDatabase {
    /// Compares push.db with the partitions. Writes nothing.
    ///
    /// - Parameter pipeline: nil for the settings that push.db was published with.
    /// - Throws: `WarehouseError`, or `OutputLockError.held` if another command is at work, since it may change both.
    package func audit(_ pipeline: Pipeline?, resources: RunResources) throws -> OutputAudit {
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        let settings = try pipeline.map { PublicationSettings($0) } ?? publishedSettings(Pipelines.programVersion)
        // A record that cannot be read is among what the audit finds.
        if let closed = try? ClosedDates(in: folder) { try closed.check(settings) }
        let audit = try audit(settings, resources: resources.publishing)
        try OutputLock.checkFree(folder: folder.partitionsPath, output: folder.path)
        return audit
    }
}
