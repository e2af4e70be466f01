import Calendar
import Foundation
import SQLite

/// The row of a partition's table `partition`: the counts of its records, and the settings of its load.
package struct PartitionSummary: Codable, Equatable, Sendable {
    package var logDate: LogDate
    /// Whether all files were whole.
    package var status: PartitionStatus
    package var files: Int
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int
    /// The number of different pairs of message and action.
    package var events: Int
    /// `accepted` - `events`.
    package var duplicates: Int
    /// The number of accepted records whose device clock was wrong.
    package var clockFallback: Int
    /// A fingerprint of the meaning of the pipeline file at load.
    package var pipeline: String
    /// The time zone by whose days the rows are counted: its name and version, and behind a semicolon a hash of its
    /// offsets if it decided what a time means.
    package var zone: String
    /// The value of `window_days` at the load.
    package var windowDays: Int
    /// A fingerprint of the inputs: equal versions mean equal content.
    package var version: String
    /// Identifies the final rows of a settled log date; nil if the partition has the rows of the log date by itself.
    package var settled: String?
    /// Whether the partition has its events. They are erased when nothing needs them any more.
    package var hasIDs = true
    /// In the order of the pipeline file.
    package var sources: [LoadedSource] = []

    package init(
        logDate: LogDate, status: PartitionStatus, files: Int, records: Int, accepted: Int, filtered: Int,
        rejected: Int, events: Int, duplicates: Int, clockFallback: Int, pipeline: String, zone: String,
        windowDays: Int, version: String
    ) {
        self.logDate = logDate
        self.status = status
        self.files = files
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
        self.events = events
        self.duplicates = duplicates
        self.clockFallback = clockFallback
        self.pipeline = pipeline
        self.zone = zone
        self.windowDays = windowDays
        self.version = version
    }
}

extension PartitionSummary {
    /// `complete` if all files were whole and each of these sources had a file.
    package func status(required sources: Set<String>) -> PartitionStatus {
        let lacksNone = self.sources.allSatisfy { $0.hasFiles || !sources.contains($0.name) }
        return status == .complete && lacksNone ? .complete : .partial
    }
}

extension PartitionSummary {
    /// The values of the first columns, which `partitions` in push.db has too.
    /// - Parameter status: in push.db, `partial` also if a required source lacks files.
    package func counts(_ status: PartitionStatus) -> [DatabaseValue] {
        .of(
            logDate.description, status.rawValue, files, records, accepted, filtered, rejected, events,
            duplicates, clockFallback)
    }

    /// Whether the rows are counted by the present rules of a zone.
    func isCounted(by zone: ZoneRules) -> Bool { self.zone == zone.version || self.zone.hasPrefix(zone.version + ";") }

    package var values: [DatabaseValue] {
        // Names and flags can always be encoded.
        let sources = (try? JSONEncoder.stored.encode(sources)).map { String(decoding: $0, as: UTF8.self) }
        return counts(status) + .of(pipeline, zone, windowDays, version, settled, hasIDs ? 1 : 0, sources ?? "[]")
    }

    package init?(_ row: Statement) throws {
        guard let logDate = LogDate(try row.read(0) as String),
            let status = PartitionStatus(rawValue: try row.read(1))
        else { return nil }
        self.init(
            logDate: logDate, status: status, files: try row.read(2), records: try row.read(3),
            accepted: try row.read(4), filtered: try row.read(5), rejected: try row.read(6), events: try row.read(7),
            duplicates: try row.read(8), clockFallback: try row.read(9), pipeline: try row.read(10),
            zone: try row.read(11), windowDays: try row.read(12), version: try row.read(13))
        settled = try row.read(14)
        hasIDs = try row.read(15) == 1
        let text: String = try row.read(16)
        // Any other form was not written by pushetl, so the row is invalid, like a row with an unknown status.
        guard let sources = try? JSONDecoder().decode([LoadedSource].self, from: Data(text.utf8)) else { return nil }
        self.sources = sources
    }

    /// Whether the counts are consistent.
    var isConsistent: Bool {
        let parts = [files, records, accepted, filtered, rejected, events, duplicates, clockFallback, windowDays]
        guard parts.allSatisfy({ (0...(1 << 60)).contains($0) }) else { return false }
        return records == accepted + filtered + rejected && accepted == events + duplicates
    }
}
