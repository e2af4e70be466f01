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
        return (0..<count).map { folder.shard($0, versions: versions).withoutCaching }
    }
}
