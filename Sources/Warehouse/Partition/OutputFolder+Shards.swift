import Hashing
import Posix

// An output with shards: `shards/0`, `shards/1`, … have the events, and `partitions` has for each log date its manifest, and a
// partition with its files, outcomes and rejects.

extension OutputFolder {
    /// The manifests of all log dates.
    /// - Throws: `.corrupt` if one cannot be read.
    package func manifests() throws(WarehouseError) -> [Int32: Manifest] {
        var manifests: [Int32: Manifest] = [:]
        for logDate in OutputFolder.logDates(try OutputFolder.names(in: partitionsPath), ending: Manifest.suffix) {
            guard let manifest = Manifest(of: logDate, in: partitionsPath) else {
                throw .corrupt(path: Manifest.path(logDate, partitionsPath), detail: "it is no manifest")
            }
            manifests[logDate] = manifest
        }
        return manifests
    }

    /// The number of shards; nil for an output without shards, or whose folder cannot be listed.
    package func shardCount() -> Int? {
        let names = (try? OutputFolder.names(in: partitionsPath)) ?? []
        let logDates = OutputFolder.logDates(names, ending: Manifest.suffix)
        if let count = logDates.lazy.compactMap({ Manifest(of: $0, in: partitionsPath)?.shards.count }).first {
            return count
        }
        // If no manifest can be read, there are still the shards' folders.
        let shards = logDates.isEmpty ? [] : (try? OutputFolder.names(in: shardsPath)) ?? []
        return shards.compactMap { Int($0) }.max().map { $0 + 1 }
    }

    /// Whether it has partitions as a plain load writes them.
    package func hasPlainPartitions() throws(WarehouseError) -> Bool {
        !OutputFolder.logDates(try OutputFolder.names(in: partitionsPath), ending: ".sqlite").isEmpty
    }

    /// The cache of a shard. It is never changed once it is there: each set of partitions has a cache of its own, so that a
    /// task that should have ended long ago changes nothing that others read.
    package func shardCachePath(_ shard: Int, _ versions: [Int32: String]) -> String {
        let texts = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return
            "\(shardsPath)/\(shard)/partitions/.kept.\(WordHash.of(Array(texts.joined(separator: "\n").utf8).span).hexDigits)"
    }
}
