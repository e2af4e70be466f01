import Events
import Foundation

/// The partitions that a publishing works on, in the order of their log dates. Up to a limit their files stay open.
struct PartitionSet: Sendable {
    /// Far below the usual limit of 1,024 files of a process.
    private static let openLimit = 200

    private struct File: Sendable {
        let path: String
        let open: Partition?
    }

    let folder: OutputFolder
    private let files: [File]
    let summaries: [PartitionSummary]

    /// Opens the partitions of a folder, but for those whose path is in `without`. Damaged ones are left out and named.
    ///
    /// - Throws: where a partition is of a newer version, or cannot be read.
    static func open(
        _ folder: OutputFolder, without: Set<String> = []
    ) throws(WarehouseError) -> (PartitionSet, damaged: [WarehouseError]) {
        var files: [File] = []
        var summaries: [PartitionSummary] = []
        var damaged: [WarehouseError] = []
        for logDate in try folder.logDates() where !without.contains(folder.partitionPath(logDate)) {
            do {
                let partition = try Partition(logDate: logDate, folder: folder)
                files.append(File(path: partition.path, open: files.count < openLimit ? partition : nil))
                summaries.append(partition.summary)
            } catch {
                if case .missing = error { continue }
                guard error.isDamage else { throw error }
                damaged.append(error)
            }
        }
        return (PartitionSet(folder: folder, files: files, summaries: summaries), damaged)
    }

    var count: Int { files.count }

    func path(_ index: Int) -> String { files[index].path }

    /// The partition, opened again if need be, and still the one that was found at first.
    func partition(_ index: Int) throws(WarehouseError) -> Partition {
        if let partition = files[index].open { return partition }
        let partition = try Partition(path: files[index].path)
        guard partition.summary == summaries[index] else { throw .replaced(path: files[index].path) }
        return partition
    }
}
