import Calendar
import Foundation
import Posix

/// What of an output holds ids that nothing needs any more, or details of such log dates' records: partitions, caches, held-back
/// loads. Settled files stay.
struct Erasure {
    private let folder: OutputFolder
    private let closed: ClosedDates
    /// The log dates, in order.
    let logDates: [Int32]
    /// The paths, in order.
    let files: [String]

    init(_ folder: OutputFolder, _ closed: ClosedDates) throws(WarehouseError) {
        self.folder = folder
        self.closed = closed
        let found = try Erasure.files(in: folder).filter {
            closed.isErasable($0.logDate) || closed.forgotten.contains($0.logDate)
        }
        // Of a forgotten log date, the settled file goes too.
        let settled = closed.forgotten.filter { access(folder.settledPath($0), F_OK) == 0 }
        logDates = Set(found.map(\.logDate)).union(settled).sorted()
        files = (found.map(\.path) + settled.map(folder.settledPath)).sorted()
    }

    /// Removes the files. The caller must hold the output's lock.
    func run() throws(WarehouseError) {
        let shards = folder.shardCount() ?? 0
        let versions = shards > 0 ? try OutputDatabase(folder).readableVersions() : [:]
        try Erasure.remove(files)
        for folder in Erasure.folders(of: folder) where Erasure.isFolder(folder) {
            try reportingCalls { () throws(SystemError) in try Folder.sync(folder) }
        }
        // No manifest names what the shards have of these log dates any more, so a killed command leaves it to the next job.
        for shard in 0..<shards { try run(inShard: shard, versions) }
    }

    /// Removes what a shard has of the log dates. The rest of its cache stays: it gets the name of the partitions that stay.
    private func run(inShard number: Int, _ versions: [Int32: String]) throws(WarehouseError) {
        let shard = folder.shard(number, versions: versions)
        try Erasure.remove(Erasure.files(in: shard).filter { logDates.contains($0.logDate) }.map(\.path))
        let (cache, other) = (
            shard.cachePath, folder.shardCachePath(number, versions.filter { !logDates.contains($0.key) })
        )
        guard other != cache, access(cache, F_OK) == 0, access(other, F_OK) != 0 else { return }
        try reportingCalls { () throws(SystemError) in try WholeFile.rename(cache, to: other) }
    }

    private static func remove(_ files: [String]) throws(WarehouseError) {
        for file in files { _ = try reportingCalls { () throws(SystemError) in try WholeFile.remove(file) } }
    }

    private static func folders(of folder: OutputFolder) -> [String] {
        [folder.partitionsPath, folder.cachePath, folder.heldPath]
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The files whose names begin with a log date, but for settled files.
    private static func files(in folder: OutputFolder) throws(WarehouseError) -> [(logDate: Int32, path: String)] {
        var files: [(logDate: Int32, path: String)] = []
        for folder in folders(of: folder) where isFolder(folder) {
            for name in try OutputFolder.names(in: folder) where !(PartitionName(name)?.isSettled ?? false) {
                guard let end = name.firstIndex(of: "."), let logDate = CalendarText.day(of: String(name[..<end]))
                else {
                    continue
                }
                files.append((logDate, "\(folder)/\(name)"))
            }
        }
        return files
    }
}
