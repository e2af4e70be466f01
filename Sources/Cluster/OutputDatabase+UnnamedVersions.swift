import Foundation
import Output
import Partitions
import Posix

extension OutputDatabase {
    /// Removes what no manifest names: what dead jobs have left, their folders too, and partitions that were replaced. The caller must hold the
    /// output's lock.
    func removeUnnamedVersions() throws(WarehouseError) {
        var named: Set<String> = []
        for logDate in try folder.partitionDates() {
            let version = try folder.manifest(of: logDate).version
            named.insert(Folder.name(of: folder.partitionPath(logDate, version: version)))
            named.insert(OwnName.sharedMessages(of: logDate))
        }
        let shardsPath = folder.shardsPath
        for name in try OutputFolder.names(in: folder.partitionsPath)
        where PartitionName(name)?.version != nil && !named.contains(name) {
            unlink("\(folder.partitionsPath)/\(name)")
        }
        folder.removeJobs()
        for shard in try OutputFolder.names(in: shardsPath) where OwnName.shard(shard) != nil {
            let path = "\(shardsPath)/\(shard)"
            let inPartitions = try OutputFolder.names(in: path + "/partitions").map { "partitions/\($0)" }
            for name in try OutputFolder.names(in: path) + inPartitions where !named.contains(Folder.name(of: name)) {
                OwnName.removeFromShard("\(path)/\(name)", hasPartitions: !named.isEmpty)
            }
            if named.isEmpty {
                rmdir(path + "/partitions")
                rmdir(path)
            }
        }
        if named.isEmpty { rmdir(shardsPath) }
    }
}
