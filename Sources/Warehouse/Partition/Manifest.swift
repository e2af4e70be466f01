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

    static let suffix = ".json"

    private let logDateText: String
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
    init?(of logDate: Int32, in folder: String) {
        // Where something else is in the place of a manifest, `OutputFolder.partitionPath` gives its path, and opening that
        // is an error.
        guard let bytes = try? WholeFile.readFile(Manifest.path(logDate, folder)),
            let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(bytes))
        else { return nil }
        self = manifest
    }

    /// Writes the manifest aside, syncs it and renames it. The caller must hold the output's lock.
    /// - Parameter folder: the path of the folder `partitions`.
    package func write(in folder: String) throws(WarehouseError) {
        guard let logDate = CalendarText.day(of: logDateText) else { throw .disorder(path: folder) }
        let path = Manifest.path(logDate, folder)
        let bytes = try JSONEncoder.stored.bytes(self, for: path)
        try reportingCalls { () throws(SystemError) in try WholeFile.store(bytes, at: path, durably: true) }
    }

    static func path(_ logDate: Int32, _ folder: String) -> String {
        "\(folder)/\(CalendarText.date(ofDay: logDate))\(suffix)"
    }
}
