import Calendar
import Events
import Foundation
import Posix
import SQLite

// Conversions between values and database rows, in the order of the tables' columns.

extension EventID {
    /// 16 bytes that are sorted as the ids are.
    var bytes: [UInt8] {
        [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian, Array.init) }
    }

    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
}

extension LoadedFile {
    func values(logDate: Int32) -> [DatabaseValue] {
        .of(
            CalendarText.date(ofDay: logDate), source, path, bytes, fingerprint, status.rawValue, records, accepted,
            filtered, rejected)
    }

    /// The row of `contents`; nil if there is none.
    var contentValues: [DatabaseValue]? {
        content.map { content in
            .of(source, path, content.bytes, Int64(content.crc32), content.head)
        }
    }

    init?(_ row: Statement) throws {
        guard let status = FileStatus(rawValue: try row.read(5)) else { return nil }
        self.init(
            source: try row.read(1), path: try row.read(2), bytes: try row.read(3), fingerprint: try row.read(4),
            status: status, records: try row.read(6), accepted: try row.read(7), filtered: try row.read(8),
            rejected: try row.read(9))
    }
}

extension OutcomeCount {
    func values(logDate: Int32) -> [DatabaseValue] {
        .of(CalendarText.date(ofDay: logDate), source, outcome.rawValue, reason, records)
    }

    init?(_ row: Statement) throws {
        guard let outcome = Outcome(rawValue: try row.read(2)) else { return nil }
        self.init(
            source: try row.read(1), outcome: outcome, reason: try row.read(3), records: try row.read(4))
    }
}

extension PartitionSummary {
    /// The row of `partitions` in the output DB.
    func outputValues(_ settings: PublicationSettings) -> [DatabaseValue] {
        counts + .of(settings.isReadByOtherRules(self) ? "\(pipeline)-\(zone)" : pipeline)
    }

    /// The first columns, in the output DB as in the partition.
    private var counts: [DatabaseValue] {
        .of(
            CalendarText.date(ofDay: logDate), status.rawValue, files, records, accepted, filtered, rejected, events,
            duplicates, clockFallback)
    }

    var values: [DatabaseValue] {
        counts + .of(pipeline, zone, windowDays, version)
    }

    init?(_ row: Statement) throws {
        guard let logDate = CalendarText.day(of: try row.read(0)),
            let status = PartitionStatus(rawValue: try row.read(1))
        else { return nil }
        self.init(
            logDate: logDate, status: status, files: try row.read(2), records: try row.read(3),
            accepted: try row.read(4), filtered: try row.read(5), rejected: try row.read(6), events: try row.read(7),
            duplicates: try row.read(8), clockFallback: try row.read(9), pipeline: try row.read(10),
            zone: try row.read(11), windowDays: try row.read(12), version: try row.read(13))
    }

    /// Whether the counts are consistent.
    var isConsistent: Bool {
        let parts = [files, records, accepted, filtered, rejected, events, duplicates, clockFallback, windowDays]
        guard parts.allSatisfy({ (0...(1 << 60)).contains($0) }) else { return false }
        return records == accepted + filtered + rejected && accepted == events + duplicates
    }
}

extension Reject {
    var values: [DatabaseValue] {
        .of(source, path, line, reason, detail, sample)
    }
}
