import Calendar
import Foundation
import Hashing
import Posix

// An output with shards: `shards/0`, `shards/1`, … have the events, and `partitions` has for each log date its manifest, and a
// partition with its files, outcomes and rejects.

extension OutputFolder {
    /// The manifests of all log dates.
    package func manifests() throws(WarehouseError) -> [Int32: Manifest] {
        var manifests: [Int32: Manifest] = [:]
        for logDate in OutputFolder.logDates(try OutputFolder.names(in: partitionsPath), ending: Manifest.suffix) {
            manifests[logDate] = Manifest(of: logDate, in: self)
        }
        return manifests
    }

    /// The number of shards; nil for an output without shards.
    package func shardCount() throws(WarehouseError) -> Int? {
        let names = try OutputFolder.names(in: partitionsPath)
        return OutputFolder.logDates(names, ending: Manifest.suffix).lazy
            .compactMap { Manifest(of: $0, in: self)?.shards.count }.first
    }

    /// Whether it has partitions as a plain load writes them.
    package func hasPlainPartitions() throws(WarehouseError) -> Bool {
        !OutputFolder.logDates(try OutputFolder.names(in: partitionsPath), ending: ".sqlite").isEmpty
    }

    /// The versions of the readable partitions, by log date. These partitions make up the figures.
    package func readableVersions() throws(WarehouseError) -> [Int32: String] {
        let (partitions, _) = try PartitionSet.open(self)
        return Dictionary(uniqueKeysWithValues: partitions.summaries.map { ($0.logDate, $0.version) })
    }

    /// The cache of a shard. It is never changed once it is there: each set of partitions has a cache of its own, so that a
    /// task that should have ended long ago changes nothing that others read.
    package func shardCachePath(_ shard: Int, _ versions: [Int32: String]) -> String {
        let texts = versions.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(shardsPath)/\(shard)/partitions/.kept.\(WordHash.of(Array(texts.joined(separator: "\n").utf8).span).hexDigits)"
    }

    /// The shards as they are published. They are only read.
    func readShards() throws(WarehouseError) -> [OutputFolder] {
        guard let count = try shardCount() else { return [] }
        let versions = try readableVersions()
        return (0..<count).map { number in
            shard(number, versions: versions, cachePath: shardCachePath(number, versions)).withoutCaching
        }
    }

    /// Removes what no manifest names: what killed jobs have left, and partitions that were replaced. The caller must hold the
    /// output's lock.
    package func removeUnnamedVersions() throws(WarehouseError) {
        let versions = try manifests().mapValues(\.version)
        let named = Set(versions.map { CalendarText.date(ofDay: $0.key) + "." + $0.value + ".sqlite" })
        let hasShards = !versions.isEmpty
        for name in try OutputFolder.names(in: partitionsPath) where OutputFolder.isVersion(name) && !named.contains(name) {
            unlink("\(partitionsPath)/\(name)")
        }
        // It has the same name in all shards.
        let cache = Folder.name(of: shardCachePath(0, try readableVersions()))
        for shard in try OutputFolder.names(in: shardsPath) where Int(shard) != nil {
            let folder = "\(shardsPath)/\(shard)/partitions"
            for name in try OutputFolder.names(in: folder) where !named.contains(name) && name != cache {
                try? FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            if !hasShards {
                rmdir(folder)
                rmdir("\(shardsPath)/\(shard)")
            }
        }
        if !hasShards { rmdir(shardsPath) }
    }

    /// Whether a name is that of a partition with a version.
    private static func isVersion(_ name: String) -> Bool {
        name.hasSuffix(".sqlite") && name.count > 18 && CalendarText.day(of: String(name.prefix(10))) != nil
    }
}
