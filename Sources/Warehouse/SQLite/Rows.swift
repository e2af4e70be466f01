import Calendar
import Events
import Foundation
import Posix
import SQLite

// Conversions between values and database rows, in the order of the tables' columns.

extension EventID {
    /// 16 bytes that are sorted as the ids are.
    var data: Data {
        var data = Data(capacity: 16)
        for word in [high, low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                data.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return data
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

    init?(_ row: Row) throws {
        guard let status = FileStatus(rawValue: try row.decode(String.self, atIndex: 5)) else { return nil }
        self.init(
            source: try row.decode(String.self, atIndex: 1), path: try row.decode(String.self, atIndex: 2),
            bytes: try row.decode(Int.self, atIndex: 3), fingerprint: try row.decode(String.self, atIndex: 4),
            status: status, records: try row.decode(Int.self, atIndex: 6),
            accepted: try row.decode(Int.self, atIndex: 7), filtered: try row.decode(Int.self, atIndex: 8),
            rejected: try row.decode(Int.self, atIndex: 9))
    }
}

extension OutcomeCount {
    func values(logDate: Int32) -> [DatabaseValue] {
        .of(CalendarText.date(ofDay: logDate), source, outcome.rawValue, reason, records)
    }

    init?(_ row: Row) throws {
        guard let outcome = Outcome(rawValue: try row.decode(String.self, atIndex: 2)) else { return nil }
        self.init(
            source: try row.decode(String.self, atIndex: 1), outcome: outcome,
            reason: try row.decode(String.self, atIndex: 3), records: try row.decode(Int.self, atIndex: 4))
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

    init?(_ row: Row) throws {
        guard let logDate = CalendarText.day(of: try row.decode(String.self, atIndex: 0)),
            let status = PartitionStatus(rawValue: try row.decode(String.self, atIndex: 1))
        else { return nil }
        func count(_ index: Int) throws -> Int { try row.decode(Int.self, atIndex: index) }
        self.init(
            logDate: logDate, status: status, files: try count(2), records: try count(3), accepted: try count(4),
            filtered: try count(5), rejected: try count(6), events: try count(7), duplicates: try count(8),
            clockFallback: try count(9), pipeline: try row.decode(String.self, atIndex: 10),
            zone: try row.decode(String.self, atIndex: 11), windowDays: try count(12),
            version: try row.decode(String.self, atIndex: 13))
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
