import Calendar
import Foundation
import Posix

/// The partitions of one publishing, by log date. The set contains only sound partitions that the record of closed log
/// dates accepts. Their files stay open, up to a limit.
package struct PartitionSet: Sendable {
    /// Far below the usual limit of 1,024 open files per process.
    private static let openLimit = 200

    private struct Member: Sendable {
        var summary: PartitionSummary
        /// Whether the partition has its final rows.
        var isSettled: Bool
        var open: Partition?
    }

    package let folder: OutputFolder
    /// Sorted by log date.
    private var members: [Member] = []
    /// The errors of partitions that were left out, sorted by path.
    package private(set) var damaged: [OutputError] = []
    /// The errors of settled log dates that cannot be used. They prevent any publishing.
    package private(set) var faults: [OutputError] = []
    /// The results of reading, for the cache.
    package private(set) var known: KnownPartitions
    /// Settled log dates whose partition is an older copy without the final rows.
    package private(set) var unsettledCopies: Set<LogDate> = []

    /// Opens the partitions of a folder. Reads a partition whole if it is not known to be sound by its stamp.
    ///
    /// - Parameters:
    ///   - record: the record of closed log dates; nil if there is none.
    ///   - known: what earlier commands have found.
    ///   - formerFiles: the log files of a log date whose partition cannot be read.
    /// - Throws: `Stopped`; errors other than damage.
    package init(
        in folder: OutputFolder, record: ClosedDates?, known: KnownPartitions, resources: PublishingResources,
        formerFiles: @Sendable (LogDate) -> [FormerFile] = { _ in [] }
    ) throws {
        self.folder = folder
        self.known = known
        let loaded = Set(try folder.logDates()).union(record?.dates.keys.map(\.self) ?? [])
        let dates = loaded.filter { record?.givenUp.contains($0) != true }.sorted()
        let found = try resources.workers.map(dates.count) { number in
            try resources.check()
            var finding = try known.look(at: dates[number], in: folder, resources: resources, formerFiles: formerFiles)
            // The nightly run needs the latest partitions again, so these stay open.
            if dates.count - number > PartitionSet.openLimit { finding.open = nil }
            return finding
        }
        self.known.take(found)
        for finding in found {
            do {
                try add(finding, record: record)
            } catch let error as OutputError {
                if error.isDamage { damaged.append(error) } else { faults.append(error) }
            }
        }
        assert(zip(members, members.dropFirst()).allSatisfy { $0.summary.logDate < $1.summary.logDate })
    }

    private mutating func add(_ finding: KnownPartitions.Finding, record: ClosedDates?) throws {
        let date = finding.date
        let entry = record?.dates[finding.date]
        guard let summary = try record.accepted(finding.content, of: date, in: folder) else { return }
        let isSettled = entry?.settled != nil && entry?.settled == summary.settled
        if entry?.settled != nil, !isSettled { unsettledCopies.insert(date) }
        members.append(Member(summary: summary, isSettled: isSettled, open: finding.open))
    }

    package var count: Int { members.count }

    package var dates: [LogDate] { members.map(\.summary.logDate) }

    package var summaries: [PartitionSummary] { members.map(\.summary) }

    package func path(_ index: Int) -> String { folder.partitionPath(members[index].summary.logDate) }

    package func isSettled(_ index: Int) -> Bool { members[index].isSettled }

    package func index(of date: LogDate) -> Int? { members.firstIndex { $0.summary.logDate == date } }

    /// A partition, opened again if needed.
    /// - Throws: `.replaced` if the file has another summary than at first.
    package func partition(_ index: Int) throws -> Partition {
        if let partition = members[index].open { return partition }
        let partition = try Partition(path: path(index))
        guard partition.summary == members[index].summary else { throw OutputError(.replaced, at: partition.path) }
        return partition
    }

    /// Notes that the partition was written again with its final rows.
    package mutating func settle(_ index: Int, as summary: PartitionSummary) {
        unsettledCopies.remove(summary.logDate)
        members[index] = Member(summary: summary, isSettled: true, open: nil)
    }

    /// The set without some log dates.
    package func without(_ dates: Set<LogDate>) -> PartitionSet {
        var others = self
        others.members.removeAll { dates.contains($0.summary.logDate) }
        return others
    }

    /// The partitions whose ids are needed: those that are not settled, and settled ones within reach of them.
    /// `onlyForOthers` are the settled ones, whose ids serve only the figures of other log dates.
    package func withIDs(windowDays: Int) -> (indices: [Int], onlyForOthers: Set<Int>) {
        let unsettled = members.filter { !$0.isSettled }.map(\.summary.logDate)
        let onlyForOthers = members.indices.filter { index in
            members[index].isSettled
                && unsettled.contains { $0.isWithin(windowDays, of: members[index].summary.logDate) }
        }
        let indices = members.indices.filter { !members[$0].isSettled || onlyForOthers.contains($0) }
        return (indices, Set(onlyForOthers))
    }
}

extension ClosedDates? {
    /// The partition that counts for a log date: it is sound, and the record accepts it. Nil if there is none.
    /// - Throws: `.corrupt` if the partition is damaged; `.lostRecord`, `.lostSettled` or `.lostClosed` if something is
    ///   lost; `.stray`.
    package func accepted(
        _ content: KnownPartitions.Content?, of date: LogDate, in folder: OutputFolder
    ) throws -> PartitionSummary? {
        let entry = self?.dates[date]
        let path = folder.partitionPath(date)
        func fault(_ detail: String) -> OutputError {
            OutputError(entry?.settled != nil ? .lostSettled(detail) : .lostClosed(detail), at: path)
        }
        if content != nil { try self?.checkPlace(of: date, in: folder) }
        switch content {
        case nil:
            if entry != nil { throw fault("is gone") }
            return nil
        case .damaged(let detail, _):
            throw entry?.settled != nil ? fault("is damaged (\(detail))") : OutputError(.corrupt(detail), at: path)
        case .sound(let summary):
            if let entry, entry.version != summary.version {
                throw fault("is not the one with which its log date was closed")
            }
            if summary.hasIDs || entry?.settled != nil && entry?.settled == summary.settled { return summary }
            guard self != nil else {
                throw OutputError(
                    .lostRecord("is missing, and there are log dates without ids"), at: ClosedDates.path(in: folder))
            }
            throw OutputError(.lostSettled("is not one that the record partitions/closed names"), at: path)
        }
    }
}
