import Calendar
import Posix

/// The ids that an output holds: in its partitions, their caches, and what jobs have left.
package struct HeldIDs: Equatable, Sendable {
    /// The log dates that have ids, in order.
    package private(set) var logDates: [Int32] = []
    /// The size of the files that hold them, in bytes.
    package private(set) var bytes = 0
    private var erased: Set<Int32> = []

    /// The first log date with ids, if those of log dates before were erased; else nil.
    package var erasedBefore: Int32? {
        erased.max().map { last in logDates.first { $0 > last } ?? last + 1 }
    }

    package init(in folder: OutputFolder) throws(WarehouseError) {
        try add(folder)
        var inJobs: [Int32] = []
        for job in folder.jobPaths() {
            for name in try OutputFolder.names(in: job) {
                guard let logDate = OwnName.logDate(ofEvents: name) else { continue }
                inJobs.append(logDate)
                bytes += FileStamp(path: "\(job)/\(name)")?.bytes ?? 0
            }
        }
        let withPartition = try folder.partitionDates()
        logDates = Set(withPartition + inJobs).sorted()
        for shard in 0..<(folder.shardCount() ?? 0) { try add(folder.shard(shard, versions: [:])) }
        let settled = try OutputFolder.names(in: folder.partitionsPath).compactMap { PartitionName($0) }
            .filter(\.isSettled).map(\.logDate)
        erased = Set(settled).subtracting(withPartition)
    }

    /// Whether a log date is settled and its ids are erased.
    package func areErased(_ logDate: Int32) -> Bool { erased.contains(logDate) }

    private mutating func add(_ folder: OutputFolder) throws(WarehouseError) {
        let names = try OutputFolder.names(in: folder.partitionsPath)
        for name in names
        where PartitionName(name)?.isSettled == false || OwnName.logDate(of: name, [OwnName.shared]) != nil {
            bytes += FileStamp(path: "\(folder.partitionsPath)/\(name)")?.bytes ?? 0
        }
        // What is no folder holds nothing.
        let cached = (try? OutputFolder.names(in: folder.cachePath)) ?? []
        for name in cached where OwnName.logDate(of: name, [OwnName.figures, OwnName.shared]) != nil {
            bytes += FileStamp(path: "\(folder.cachePath)/\(name)")?.bytes ?? 0
        }
    }
}
