import Foundation
import Hashing
import Messages
import Posix

/// The folder of an output. It contains `push.db`, and for each log date a partition such as
/// `partitions/2026-11-19.sqlite`.
///
/// In an output with shards, a partition's name has its version, such as `partitions/2026-11-19.0f….sqlite`. The log date's
/// `Manifest` names the version that counts. Each shard has a folder of its own.
package struct OutputFolder: Hashable, Sendable {
    package let path: String
    /// In a shard, the version of each log date's partition. Elsewhere nil: the manifests name the versions.
    package private(set) var versions: [Int32: String]?
    /// A folder on the machine's own disk, in which partitions are written before they are copied; nil if they are
    /// written in place.
    private(set) var scratchPath: String?

    package init(_ path: String) {
        self.path = path
    }

    /// The folder of a shard.
    /// - Parameters:
    ///   - versions: the version of each log date's partition. No other partition counts.
    ///   - scratchPath: a folder on the machine's own disk; nil if no partition is written.
    package func shard(_ shard: Int, versions: [Int32: String], scratchPath: String? = nil) -> OutputFolder {
        var folder = OutputFolder("\(shardsPath)/\(shard)")
        folder.versions = versions
        folder.scratchPath = scratchPath
        return folder
    }

    package var databasePath: String { path + "/push.db" }
    package var partitionsPath: String { path + "/partitions" }
    /// The cache: files that save work. They may be removed at any time between two commands.
    package var cachePath: String { partitionsPath + "/.kept" }
    /// The folder with a folder for each shard.
    package var shardsPath: String { path + "/shards" }

    /// The path of a log date's partition. `logDate` is in days since 1970-01-01.
    ///
    /// If the log date's manifest cannot be read, nobody knows the version. Then it is the path of the manifest, so that whoever
    /// opens the partition gets an error that names the damaged file.
    package func partitionPath(_ logDate: Int32) -> String {
        if let versions { return partitionPath(logDate, version: versions[logDate]) }
        if let manifest = Manifest(of: logDate, in: partitionsPath) {
            return partitionPath(logDate, version: manifest.version)
        }
        let plain = partitionPath(logDate, version: nil)
        let manifest = Manifest.path(logDate, partitionsPath)
        return access(plain, F_OK) != 0 && access(manifest, F_OK) == 0 ? manifest : plain
    }

    /// The path of a version of a log date's partition. Without shards, partitions have no version in their names.
    package func partitionPath(_ logDate: Int32, version: String?) -> String {
        "\(partitionsPath)/\(PartitionName(logDate: logDate, version: version).text)"
    }

    /// The path of what a log date contributes once it is settled.
    package func settledPath(_ logDate: Int32) -> String {
        "\(partitionsPath)/\(PartitionName(settled: logDate).text)"
    }

    /// Creates the folder with `partitions` in it, and the folders above. Returns the folders that were missing,
    /// outermost first.
    @discardableResult
    package func create() throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.create(partitionsPath) }
    }

    /// Removes the empty folders among `folders`, innermost first. So a command without a result leaves no folders
    /// behind.
    package func removeEmpty(_ folders: [String]) {
        guard !folders.isEmpty else { return }
        for folder in [cachePath] + folders.reversed() { rmdir(folder) }
    }

    /// The log dates that have a partition or are settled, sorted. Empty if there is no folder.
    package func logDates() throws(WarehouseError) -> [Int32] {
        let names = try OutputFolder.names(in: partitionsPath).compactMap { PartitionName($0) }
        return Set(names.filter(\.isSettled).map(\.logDate) + (try partitionDates())).sorted()
    }

    /// The log dates that have a partition, and thus ids, sorted.
    package func partitionDates() throws(WarehouseError) -> [Int32] {
        if let versions { return versions.keys.sorted() }
        let names = try OutputFolder.names(in: partitionsPath)
        let plain = names.compactMap { PartitionName($0) }.filter { !$0.isSettled && $0.version == nil }.map(\.logDate)
        return Set(plain + Manifest.logDates(names)).sorted()
    }

    /// The names in a folder; empty if there is no such folder.
    package static func names(in path: String) throws(WarehouseError) -> [String] {
        try reportingCalls { () throws(SystemError) in try Folder.names(in: path) }
    }
}

// A cache file is written whole, and is valid only under its own name:
//
//     0f1e2d3c4b5a6978\n   hash of the name and the content
//     content
//
// A file that is cut, damaged, of another version or of another date, or that is no file at all, is as good as missing.

extension OutputFolder {
    /// That the cache cannot be used, since something of others stands there, or nobody may write in it; else nil.
    package var cacheObstacle: Message? {
        var status = stat()
        guard lstat(cachePath, &status) == 0, access(cachePath + "/.", W_OK | X_OK) != 0 else { return nil }
        return .at(
            cachePath, "unusable_cache",
            "is no folder in which you may write, so each command compares all anew, and 'status' does not know which "
                + "partitions are damaged; remove it")
    }

    /// The content of a cache file; nil if nothing was written under this name, or if something else stands there.
    package func cached(_ name: String) -> Data? {
        // Without the file, its content is found out again.
        guard let bytes = try? WholeFile.readFile("\(cachePath)/\(name)"), bytes.count > 16 else { return nil }
        let mark = OutputFolder.mark(bytes.span.extracting(17..<bytes.count), name) + "\n"
        return bytes.starts(with: mark.utf8) ? Data(bytes[17...]) : nil
    }

    /// The value that was written under this name; nil if it cannot be read.
    package func cachedValue<Value: Decodable>(_ name: String) -> Value? {
        // What another version of the program wrote is as good as missing.
        cached(name).flatMap { try? JSONDecoder().decode(Value.self, from: $0) }
    }

    /// 16 hexadecimal digits.
    static func mark(_ content: Span<UInt8>, _ name: String) -> String {
        WordHash.of(content, seed: WordHash.of(Array(name.utf8).span)).hexDigits
    }
}

// Held-back loads are stored in `partitions/.held`, one file of lines per load. The information exists nowhere else. If a file is
// lost, the hold is forgotten.

extension OutputFolder {
    package var heldPath: String { partitionsPath + "/.held" }

    /// The lines of a file, at most `limit`; empty if the file is missing or cannot be read.
    package func heldLines(_ name: String, atMost limit: Int = .max) -> [Data] {
        // Without the file the hold is forgotten, and the log date is loaded again.
        guard let bytes = try? WholeFile.readFile("\(heldPath)/\(name)") else { return [] }
        return Data(bytes).split(separator: UInt8(ascii: "\n"), maxSplits: limit == .max ? .max : limit).prefix(limit)
            .map { Data($0) }
    }

    /// The names of all files, unsorted.
    package func heldNames() throws(WarehouseError) -> [String] {
        try OutputFolder.names(in: heldPath).filter { !$0.hasPrefix(".") }
    }
}
