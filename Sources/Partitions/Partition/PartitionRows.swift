import Calendar
import Events
import Foundation
import Hashing
import Messages
import Posix
import SQLite

/// Whether all files of a log date were present and undamaged.
package enum PartitionStatus: String, Codable, Sendable {
    case complete
    case partial
}

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
    /// Different (message, action).
    package var events: Int
    /// `accepted` - `events`.
    package var duplicates: Int
    /// The number of accepted records whose device clock was wrong.
    package var clockFallback: Int
    /// A fingerprint of the meaning of the pipeline file at load.
    package var pipeline: String
    /// The time zone of its standalone tables.
    package var zone: String
    /// The setting at load, see `PublicationSettings`.
    package var windowDays: Int
    /// A fingerprint of the inputs: equal versions mean equal content.
    package var version: String
    /// Identifies the final rows of a settled log date; nil if the rows are those of the log date as if it were alone.
    package var settled: String?
    /// Whether it has its events. They are erased in time.
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

/// A source of the pipeline file that a log date was loaded with.
package struct LoadedSource: Codable, Equatable, Sendable {
    package let name: String
    /// Identifies what its files mean, whatever its name is.
    package let rules: String
    /// Whether it had files.
    package let hasFiles: Bool

    package init(name: String, rules: String, hasFiles: Bool) {
        self.name = name
        self.rules = rules
        self.hasFiles = hasFiles
    }
}

extension PartitionSummary {
    /// Whether all files were whole, and none of these sources had no files.
    package func status(required sources: Set<String>) -> PartitionStatus {
        let lacksNone = self.sources.allSatisfy { $0.hasFiles || !sources.contains($0.name) }
        return status == .complete && lacksNone ? .complete : .partial
    }
}

/// An input file of a partition.
package struct LoadedFile: Equatable, Sendable {
    package var source: String
    package var path: String
    /// Size as stored, in bytes.
    package var bytes: Int
    /// Identifies the file's bytes.
    package var fingerprint: String
    /// Identifies what was unpacked of a compressed file. Nil for a plain file, and in push.db.
    package var content: UnpackedContent?
    package var status: FileStatus
    package var records: Int
    package var accepted: Int
    package var filtered: Int
    package var rejected: Int

    package init(
        source: String, path: String, bytes: Int, fingerprint: String, content: UnpackedContent? = nil,
        status: FileStatus, records: Int, accepted: Int, filtered: Int, rejected: Int
    ) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.fingerprint = fingerprint
        self.content = content
        self.status = status
        self.records = records
        self.accepted = accepted
        self.filtered = filtered
        self.rejected = rejected
    }
}

/// A log file as a log date's last load read it. What is not known is nil: a load may not have read the file.
package struct FormerFile: Codable, Equatable, Sendable {
    package var source: String
    package let path: String
    package let bytes: Int?
    package let fingerprint: String?
    /// Whether it was neither truncated nor damaged.
    package let isOK: Bool?
    /// Identifies what was unpacked of a compressed file. Nil for a plain file.
    package let content: UnpackedContent?
    /// Nil as well if a later write might not change it.
    package let stamp: FileStamp?

    package init(_ file: LoadedFile, stamp: FileStamp? = nil) {
        source = file.source
        path = file.path
        bytes = file.bytes
        fingerprint = file.fingerprint
        isOK = file.status == .ok
        content = file.content
        self.stamp = stamp
    }

    /// A file that was not read.
    package init(source: String, path: String, bytes: Int, stamp: FileStamp?) {
        self.source = source
        self.path = path
        self.bytes = bytes
        self.stamp = stamp
        fingerprint = nil
        isOK = nil
        content = nil
    }
}

/// The number of a source's records with one outcome.
package struct OutcomeCount: Equatable, Sendable {
    package enum Outcome: String, Sendable {
        case accepted
        case filtered
        case rejected
    }

    package var source: String
    package var outcome: Outcome
    /// Empty for accepted records.
    package var reason: String
    package var records: Int

    package init(source: String, outcome: Outcome, reason: String, records: Int) {
        self.source = source
        self.outcome = outcome
        self.reason = reason
        self.records = records
    }
}

/// A rejected record.
package struct Reject: Codable, Equatable, Sendable {
    package var source: String
    package var path: String
    /// The line number in the decompressed file, from 1.
    package var line: Int
    package var reason: String
    /// Why a line does not match its layout; empty if `reason` is enough. Contains no value from the log.
    package var detail: String
    /// The line, at most 200 bytes, with personal values masked.
    package var sample: String

    package init(source: String, path: String, line: Int, reason: String, detail: String, sample: String) {
        self.source = source
        self.path = path
        self.line = line
        self.reason = reason
        self.detail = detail
        self.sample = sample
    }

    /// `logs/a.log:95: bad_time: ***`
    package var text: MessageText {
        "\(path: path):\(line): \(reason): \(detail.isEmpty ? "" : "\(detail): ")\(sample)"
    }
}

// Conversions between values and database rows, in the order of the tables' columns.

extension EventID {
    /// 16 bytes that are sorted as the ids are.
    package var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    package init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension LoadedFile {
    package func values(logDate: LogDate) -> [DatabaseValue] {
        .of(
            logDate.description, source, path, bytes, fingerprint, status.rawValue, records, accepted,
            filtered, rejected)
    }

    /// The row of `contents`; nil if there is none.
    var contentValues: [DatabaseValue]? {
        content.map { content in
            .of(source, path, content.bytes, Int64(content.crc32), content.head)
        }
    }

    package init?(_ row: Statement) throws {
        guard let status = FileStatus(rawValue: try row.read(5)) else { return nil }
        self.init(
            source: try row.read(1), path: try row.read(2), bytes: try row.read(3), fingerprint: try row.read(4),
            status: status, records: try row.read(6), accepted: try row.read(7), filtered: try row.read(8),
            rejected: try row.read(9))
    }
}

extension OutcomeCount {
    package func values(logDate: LogDate) -> [DatabaseValue] {
        .of(logDate.description, source, outcome.rawValue, reason, records)
    }

    init?(_ row: Statement) throws {
        guard let outcome = Outcome(rawValue: try row.read(2)) else { return nil }
        self.init(
            source: try row.read(1), outcome: outcome, reason: try row.read(3), records: try row.read(4))
    }
}

extension PartitionSummary {
    /// The first columns, in the output DB as in the partition.
    /// - Parameter status: `partial` in the output DB also where a source lacks files that is required.
    package func counts(_ status: PartitionStatus) -> [DatabaseValue] {
        .of(
            logDate.description, status.rawValue, files, records, accepted, filtered, rejected, events,
            duplicates, clockFallback)
    }

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

extension Reject {
    package var values: [DatabaseValue] {
        .of(source, path, line, reason, detail, sample)
    }
}
