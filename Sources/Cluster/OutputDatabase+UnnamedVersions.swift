import Foundation
import Posix
import Warehouse

extension OutputDatabase {
    /// Removes what no manifest names: what killed jobs have left, and partitions that were replaced. The caller must hold the
    /// output's lock.
    func removeUnnamedVersions() throws(WarehouseError) {
        var named: Set<String> = []
        for logDate in try folder.partitionDates() {
            let version = try folder.manifest(of: logDate).version
            named.insert(Folder.name(of: folder.partitionPath(logDate, version: version)))
        }
        let shardsPath = folder.shardsPath
        for name in try OutputFolder.names(in: folder.partitionsPath)
        where PartitionName(name)?.version != nil && !named.contains(name) {
            unlink("\(folder.partitionsPath)/\(name)")
        }
        // It has the same name in all shards.
        let cache = Folder.name(of: folder.shardCachePath(0, try readableVersions()))
        for shard in try OutputFolder.names(in: shardsPath) where OwnName.shard(shard) != nil {
            let partitions = "\(shardsPath)/\(shard)/partitions"
            for name in try OutputFolder.names(in: partitions) where !named.contains(name) && name != cache {
                OwnName.removeFromShard("\(partitions)/\(name)")
            }
            if named.isEmpty {
                rmdir(partitions)
                rmdir("\(shardsPath)/\(shard)")
            }
        }
        if named.isEmpty { rmdir(shardsPath) }
    }
}
