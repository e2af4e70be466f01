import Calendar
import Foundation
import Partitions
import Posix

/// What of an output holds ids that nothing needs any more, or details of such log dates' records: partitions, caches, held-back
/// loads; and what is left of log dates that were given up. Nothing that is not pushetl's own.
struct Erasure: Equatable {
    fileprivate typealias DatedFile = (date: LogDate, path: String)

    /// The log dates whose partitions are written anew without ids, in order.
    let rewritten: [LogDate]
    /// The log dates that were given up and have a partition, in order.
    let givenUp: [LogDate]
    /// The paths of the files to be removed, in order.
    let removed: [String]

    var isEmpty: Bool { rewritten.isEmpty && removed.isEmpty }

    /// - Parameters:
    ///   - record: nil if no log date is closed.
    ///   - today: held-back loads of later log dates are erased; nil to leave them.
    init(_ partitions: PartitionSet, record: ClosedDates?, today: LogDate?) throws(WarehouseError) {
        let folder = partitions.folder
        let lost = record?.givenUp ?? []
        func isErased(_ date: LogDate) -> Bool { record?.isErasable(date) ?? false || lost.contains(date) }
        rewritten = partitions.summaries.filter { $0.hasIDs && record?.isErasable($0.logDate) ?? false }.map(\.logDate)
        givenUp = try folder.logDates().filter(lost.contains)
        var files = lost.map(folder.partitionPath)
        files += files.flatMap { path in DatabaseFile.companions.map { path + $0 } }
        files.removeAll { FileStamp(path: $0) == nil }
        files += try Erasure.cached(OwnName.cached, in: folder).filter { isErased($0.date) }.map(\.path)
        files += try Erasure.files(in: folder.heldPath) { OwnName.logDate(of: $0, endings: [OwnName.held]) }
            .filter { isErased($0.date) || record?.isLongClosed($0.date) ?? false || $0.date > today ?? $0.date }
            .map(\.path)
        removed = files.sorted()
    }

    /// Writes the partitions anew, and removes the files.
    func run(_ partitions: PartitionSet, in held: HeldOutput) throws(WarehouseError) {
        for date in rewritten {
            if let index = partitions.index(of: date) { try partitions.partition(index).eraseIDs(in: held) }
        }
        for file in removed { _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove(file) } }
        if removed.isEmpty { return }
        let folder = held.folder
        let folders = [folder.partitionsPath, folder.ownCachePath, folder.heldPath].compactMap(\.self)
        for folder in folders where Folder.isThere(folder) {
            try reportingCalls { () throws(SystemError) in try Folder.sync(folder) }
        }
    }

    /// The files of some kinds in the cache that are about one log date, and what jobs have left.
    fileprivate static func cached(_ kinds: [String], in folder: OutputFolder) throws(WarehouseError) -> [DatedFile] {
        var found: [DatedFile] = []
        if let cache = folder.ownCachePath { found = try files(in: cache) { OwnName.logDate(of: $0, endings: kinds) } }
        for job in folder.jobPaths() { found += try files(in: job, OwnName.logDate(ofEvents:)) }
        return found
    }

    /// The files of a folder that are ours by their whole names: `date` is nil for the others.
    private static func files(
        in folder: String, _ date: (_ name: String) -> LogDate?
    ) throws(WarehouseError) -> [DatedFile] {
        guard Folder.isThere(folder) else { return [] }
        return try OutputFolder.names(in: folder).compactMap { name in date(name).map { ($0, "\(folder)/\(name)") } }
    }
}

/// The ids that an output holds: in its partitions, their caches, and what jobs have left.
package struct HeldIDs: Equatable, Sendable {
    /// The log dates that have ids, in order.
    package private(set) var logDates: [LogDate] = []
    /// The size of the files that hold them, in bytes.
    package private(set) var bytes = 0
    private var erased: Set<LogDate> = []

    /// The first log date with ids, if those of log dates before were erased; else nil.
    package var erasedBefore: LogDate? {
        erased.max().map { last in logDates.first { $0 > last } ?? last.adding(days: 1) }
    }

    package init(in folder: OutputFolder) throws(WarehouseError) {
        let known = KnownPartitions(in: folder)
        var paths = try Erasure.cached([OwnName.shared], in: folder)
        for date in try folder.logDates() {
            var summary: PartitionSummary?
            // One that cannot be read may hold some.
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

    /// Whether a log date's ids are erased.
    package func areErased(_ date: LogDate) -> Bool { erased.contains(date) }
}
