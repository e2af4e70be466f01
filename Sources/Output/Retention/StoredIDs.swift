import Calendar
import Partitions
import Posix

/// The ids that an output holds: in its partitions, their caches, and what jobs have left.
package struct StoredIDs: Equatable, Sendable {
    /// The log dates that have ids, in order.
    package private(set) var logDates: [LogDate] = []
    /// The size of the files that hold them, in bytes.
    package private(set) var bytes = 0
    private var erased: Set<LogDate> = []

    /// The first log date with ids, if ids of earlier log dates were erased; else nil.
    package var erasedBefore: LogDate? {
        erased.max().map { last in logDates.first { $0 > last } ?? last.adding(days: 1) }
    }

    package init(in folder: OutputFolder) throws {
        let known = KnownPartitions(in: folder)
        var paths = try Erasure.cached([OwnName.shared], in: folder)
        for date in try folder.logDates() {
            var summary: PartitionSummary?
            // A partition that cannot be read may hold ids.
            if case .sound(let known) = known.content(of: date, in: folder) {
                summary = known
            } else {
                summary = try? Partition(of: date, in: folder).summary
            }
            if summary?.hasIDs == false {
                erased.insert(date)
            } else {
                paths.append((date, folder.partitionPath(date)))
            }
        }
        logDates = Set(paths.map(\.date)).sorted()
        bytes = paths.reduce(0) { $0 + (FileStamp(path: $1.path)?.bytes ?? 0) }
    }

    package func areErased(_ date: LogDate) -> Bool { erased.contains(date) }

    /// Whether ids within reach of a log date are erased. They may have had events earlier than those of the log date.
    package func areErased(within windowDays: Int, of date: LogDate) -> Bool {
        erased.contains { $0.isWithin(windowDays, of: date) }
    }
}
