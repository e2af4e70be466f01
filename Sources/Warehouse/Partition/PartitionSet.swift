import Events
import Foundation

/// The partitions of one publishing, sorted by log date. Their files remain open, up to a limit.
struct PartitionSet: Sendable {
    /// Far below the usual limit of 1,024 open files per process.
    private static let openLimit = 200

    private struct File: Sendable {
        let path: String
        let open: Partition?
    }

    let folder: OutputFolder
    private let files: [File]
    let summaries: [PartitionSummary]

    /// Opens the partitions of a folder, except the paths in `without`. Damaged partitions are left out and returned as
    /// errors.
    ///
    /// - Throws: if a partition is of a newer version, or cannot be read for another reason than damage.
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

    /// A partition, opened again if needed.
    /// - Throws: `.replaced` if the file is not the one that was opened first.
    func partition(_ index: Int) throws(WarehouseError) -> Partition {
        if let partition = files[index].open { return partition }
        let partition = try Partition(path: files[index].path)
        guard partition.summary == summaries[index] else { throw .replaced(path: files[index].path) }
        return partition
    }
}
