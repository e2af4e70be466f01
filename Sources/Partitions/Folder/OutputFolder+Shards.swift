import Calendar
import Foundation
import Posix

/// Says which version of a log date's partitions counts, in an output with shards. From the moment in which it has its name,
/// the log date is loaded.
///
/// It is the file `partitions/2026-11-19.json`:
///
///     {"id_spaces":["push"],"log_date":"2026-11-19","shards":[{"events":2211,"records":2350},{"events":2232,"records":2393}],
///     "version":"0f…"}
package struct Manifest: Codable, Equatable, Sendable {
    /// What one shard holds of the log date.
    package struct Shard: Codable, Equatable, Sendable {
        package let events: Int
        /// Accepted records.
        package let records: Int

        package init(events: Int, records: Int) {
            self.events = events
            self.records = records
        }
    }

    let logDateText: String
    /// The version in the names of the log date's partitions.
    package let version: String
    /// The id spaces of its messages. With the id, they tell the shard of a message.
    package let idSpaces: [String]
    /// By shard.
    package let shards: [Shard]

    private enum CodingKeys: String, CodingKey {
        case version, shards
        case logDateText = "log_date"
        case idSpaces = "id_spaces"
    }

    package init(logDate: Int32, version: String, idSpaces: [String], shards: [Shard]) {
        logDateText = CalendarText.date(ofDay: logDate)
        self.version = version
        self.idSpaces = idSpaces
        self.shards = shards
    }

    /// The manifest of a log date; nil if there is none, or it cannot be read.
    /// - Parameter folder: the path of the folder `partitions`.
    package init?(of logDate: Int32, in folder: String) {
        // Where something else is in the place of a manifest, `OutputFolder.partitionPath` gives its path, and opening that
        // is an error.
        guard let bytes = try? WholeFile.readFile(Manifest.path(logDate, folder)),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes))
        else { return nil }
        self = manifest
    }

    /// The log dates of the names that are those of a manifest.
    package static func logDates(_ names: [String]) -> [Int32] {
        names.compactMap { OwnName.logDate(of: $0, [OwnName.manifest]) }
    }

    package static func path(_ logDate: Int32, _ folder: String) -> String {
        "\(folder)/\(CalendarText.date(ofDay: logDate))\(OwnName.manifest)"
    }
}

// An output with shards: `shards/0`, `shards/1`, … have the events, and `partitions` has for each log date its manifest, and a
// partition with its files, outcomes and rejects. While a job is at work, its tasks leave there what they have made of log files, in
// a folder of the job such as `shards/job.0f1e2d3c4b5a6978`.

extension OutputFolder {
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

    /// The program that may load into this output, for messages.
    package var program: String { shardCount() == nil ? "pushetl" : "pushetl_spark.py" }

    /// The folders of shards that are there, also of those that no manifest names: a job has died before its first one.
    package func shardFolders() throws(WarehouseError) -> [OutputFolder] {
        // What is no folder holds nothing.
        guard Folder.isThere(shardsPath) else { return [] }
        let shards = try OutputFolder.names(in: shardsPath).compactMap(OwnName.shard).sorted()
        return shards.map { shard($0, versions: [:]) }.filter { Folder.isThere($0.path) }
    }

    /// The number of the shard that a path leads into; nil for another path.
    package func shard(ofPath path: String) -> Int? {
        guard path.hasPrefix(shardsPath + "/") else { return nil }
        return OwnName.shard(String(path.dropFirst(shardsPath.count + 1).prefix { $0 != "/" }))
    }

    /// A path for the folder of a new job.
    package func newJobPath() -> String { "\(shardsPath)/job.\(String(UInt64.random(in: 0 ... .max), radix: 16))" }

    /// The output of a job, by the path of the job's folder.
    package init(job path: String) {
        self.init(Folder.parent(of: Folder.parent(of: path)))
    }

    /// The paths of the folders of jobs: of the one at work, and of those that have died.
    package func jobPaths() -> [String] {
        ((try? OutputFolder.names(in: shardsPath)) ?? []).filter(OwnName.isJob).map { "\(shardsPath)/\($0)" }
    }
}
