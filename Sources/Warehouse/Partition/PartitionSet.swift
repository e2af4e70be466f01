import Events
import Foundation

/// The partitions that a publishing works on, in the order of their log dates. Up to a limit their files stay open.
struct PartitionSet: Sendable {
    /// Far below the usual limit of 1,024 files of a process.
    private static let openLimit = 200

    private struct Place: Sendable {
        let path: String
        let open: Partition?
    }

    let folder: OutputFolder
    private let places: [Place]
    let summaries: [PartitionSummary]
    /// Partitions that are not in their places yet.
    let arriving: Set<Int32>

    /// Opens the partitions of a folder but for those whose path is in `without`, and those that arrive there instead of
    /// what stands; damaged ones are left out and named. A partition of a newer version, or one that cannot be read, ends it.
    static func open(
        _ folder: OutputFolder, arriving: [ArrivingPartition] = [], without: Set<String> = []
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        var places: [Place] = []
        var summaries: [PartitionSummary] = []
        var damaged: [WarehouseError] = []
        let arriving = Dictionary(
            arriving.map { ($0.partition.summary.logDate, $0.partition) }, uniquingKeysWith: { $1 })
        for logDate in Set(try folder.logDates()).union(arriving.keys).sorted()
        where !without.contains(folder.partitionPath(logDate)) {
            do {
                let arrival = arriving[logDate]
                let partition = if let arrival { arrival } else { try Partition(logDate: logDate, folder: folder) }
                let staysOpen = places.count < openLimit || arrival != nil
                places.append(Place(path: partition.path, open: staysOpen ? partition : nil))
                summaries.append(partition.summary)
            } catch {
                if case .missing = error { continue }
                guard error.isDamage else { throw error }
                damaged.append(error)
            }
        }
        let set = PartitionSet(
            folder: folder, places: places, summaries: summaries, arriving: Set(arriving.keys))
        return (set, damaged)
    }

    var count: Int { places.count }

    func path(_ index: Int) -> String { places[index].path }

    /// The partition, opened again if need be, and still the one that was found at first.
    func partition(_ index: Int) throws(WarehouseError) -> Partition {
        if let partition = places[index].open { return partition }
        let partition = try Partition(path: places[index].path)
        guard partition.summary == summaries[index] else { throw .replaced(path: places[index].path) }
        return partition
    }
}
