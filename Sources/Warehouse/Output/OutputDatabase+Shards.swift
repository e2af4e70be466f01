import Calendar
import Foundation
import Posix

extension OutputDatabase {
    /// The versions of the readable partitions, by log date. These partitions make up the figures.
    package func readableVersions() throws(WarehouseError) -> [Int32: String] {
        let (partitions, _) = try PartitionSet.open(folder)
        return Dictionary(uniqueKeysWithValues: partitions.summaries.map { ($0.logDate, $0.version) })
    }

    /// The shards as they are published. They are only read.
    func readShards() throws(WarehouseError) -> [OutputFolder] {
        guard let count = folder.shardCount() else { return [] }
        let versions = try readableVersions()
        return (0..<count).map { number in
            folder.shard(number, versions: versions, cachePath: folder.shardCachePath(number, versions)).withoutCaching
        }
    }

    /// Removes what no manifest names: what killed jobs have left, and partitions that were replaced. The caller must hold the
    /// output's lock.
    package func removeUnnamedVersions() throws(WarehouseError) {
        let versions = try folder.manifests().mapValues(\.version)
        let named = Set(versions.map { CalendarText.date(ofDay: $0.key) + "." + $0.value + ".sqlite" })
        let (hasShards, shardsPath) = (!versions.isEmpty, folder.shardsPath)
        for name in try OutputFolder.names(in: folder.partitionsPath)
        where PartitionName(name)?.version != nil && !named.contains(name) {
            unlink("\(folder.partitionsPath)/\(name)")
        }
        // It has the same name in all shards.
        let cache = Folder.name(of: folder.shardCachePath(0, try readableVersions()))
        for shard in try OutputFolder.names(in: shardsPath) where Int(shard) != nil {
            let partitions = "\(shardsPath)/\(shard)/partitions"
            for name in try OutputFolder.names(in: partitions) where !named.contains(name) && name != cache {
                try? FileManager.default.removeItem(atPath: "\(partitions)/\(name)")
            }
            if !hasShards {
                rmdir(partitions)
                rmdir("\(shardsPath)/\(shard)")
            }
        }
        if !hasShards { rmdir(shardsPath) }
    }
}
