import Hashing

// An output with shards: `shards/0`, `shards/1`, … have the events, and `partitions` has for each log date its manifest, and a
// partition with its files, outcomes and rejects.

extension OutputFolder {
    /// - Throws: `.corrupt` if the manifest of the log date cannot be read.
    package func manifest(of logDate: Int32) throws(WarehouseError) -> Manifest {
        guard let manifest = Manifest(of: logDate, in: partitionsPath) else {
            throw .corrupt(path: Manifest.path(logDate, partitionsPath), detail: "it is no manifest")
        }
        return manifest
    }

    /// The number of shards; nil for an output without shards, or whose folder cannot be listed.
    package func shardCount() -> Int? {
        let names = (try? OutputFolder.names(in: partitionsPath)) ?? []
        let logDates = Manifest.logDates(names)
        if let count = logDates.lazy.compactMap({ Manifest(of: $0, in: partitionsPath)?.shards.count }).first {
            return count
        }
        // If no manifest can be read, there are still the shards' folders.
        let shards = logDates.isEmpty ? [] : (try? OutputFolder.names(in: shardsPath)) ?? []
        return shards.compactMap(OwnName.shard).max().map { $0 + 1 }
    }

    /// The cache of a shard. It is never changed once it is there: each set of partitions has a cache of its own, so that a
    /// task that should have ended long ago changes nothing that others read.
    package func shardCachePath(_ shard: Int, _ versions: [Int32: String]) -> String {
        let texts = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return
            "\(shardsPath)/\(shard)/partitions/.kept.\(WordHash.of(Array(texts.joined(separator: "\n").utf8).span).hexDigits)"
    }
}
