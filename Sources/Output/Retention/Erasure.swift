import Calendar
import Partitions
import Posix

/// The files that must lose ids that nothing needs any more: partitions, caches and held-back loads. Also the remaining
/// files of log dates that were given up. Only files of pushetl are touched.
struct Erasure: Equatable {
    typealias DatedFile = (date: LogDate, path: String)

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
    init(_ partitions: PartitionSet, record: ClosedDates?, today: LogDate?) throws {
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
    func run(_ partitions: PartitionSet, in locked: LockedOutput) throws {
        for date in rewritten {
            if let index = partitions.index(of: date) { try partitions.partition(index).eraseIDs(in: locked) }
        }
        for file in removed { try reportingCalls { try WholeFile.remove(file) } }
        if removed.isEmpty { return }
        let folder = locked.folder
        let folders = [folder.partitionsPath, folder.ownCachePath, folder.heldPath].compactMap(\.self)
        for folder in folders where Folder.isThere(folder) {
            try reportingCalls { try Folder.sync(folder) }
        }
    }

    /// The files of some kinds in the cache that are about one log date, and what jobs have left.
    static func cached(_ kinds: [String], in folder: OutputFolder) throws -> [DatedFile] {
        var found: [DatedFile] = []
        if let cache = folder.ownCachePath { found = try files(in: cache) { OwnName.logDate(of: $0, endings: kinds) } }
        for job in folder.jobPaths() { found += try files(in: job, OwnName.logDate(ofEvents:)) }
        return found
    }

    /// The files of a folder that belong to pushetl by their whole names. `date` returns nil for all others.
    private static func files(
        in folder: String, _ date: (_ name: String) -> LogDate?
    ) throws -> [DatedFile] {
        guard Folder.isThere(folder) else { return [] }
        return try OutputFolder.names(in: folder).compactMap { name in date(name).map { ($0, "\(folder)/\(name)") } }
    }
}
