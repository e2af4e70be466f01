import Calendar
import Counting
import Events
import Foundation
import Hashing
import Messages
import Posix
import SQLite
import Synchronization

/// Reads a partition file. Its connection remains on the opened file, even if another file replaces it. Several threads
/// may use it; they wait for one another.
///
/// Only `verify` checks that the rows are those that were written. What a caller reads counts only if this was done for
/// the file's present stamp: see `PartitionSet`.
package final class Partition: Sendable {
    package let path: String
    package let summary: PartitionSummary
    /// The stamp of the file from before it was opened.
    private let stamp: FileStamp?
    /// `nonisolated(unsafe)`: it is used under the lock alone.
    private nonisolated(unsafe) let database: Database
    private let lock = NSLock()
    /// The names, once they have been read.
    private let knownNames = Mutex<EventNames?>(nil)

    /// Opens the partition of a log date.
    /// - Throws: `.missing` if there is none; `.corrupt` if it has another log date or inconsistent counts.
    package convenience init(of date: LogDate, in folder: OutputFolder) throws {
        try self.init(path: folder.partitionPath(date))
        guard summary.logDate == date else {
            throw OutputError(.corrupt("it holds the log date \(summary.logDate)"), at: path)
        }
    }

    package init(path: String) throws {
        stamp = FileStamp(path: path)
        let database: Database
        do {
            database = try DatabaseFile.partition(path).open()
        } catch let error as OutputError where error.kind == .notSQLite {
            throw OutputError(.corrupt("it is not a SQLite database"), at: path)
        }
        self.path = path
        self.database = database
        summary = try reportingFacts(of: path) {
            let selection = try PartitionSchema.partition.selection(in: database)
            let rows = try database.rows(selection, binding: [], as: PartitionSummary.init)
            guard let summary = rows.first ?? nil, summary.isConsistent else {
                throw OutputError(.corrupt("its accounts do not balance"), at: path)
            }
            return summary
        }
    }

    /// The file's stamp. Nil if the file is not the opened one any more, or if a later change might leave the stamp
    /// unchanged.
    var steadyStamp: FileStamp? {
        let now = FileStamp.steady(path: path)
        return now == stamp ? now : nil
    }

    /// The names that belong to the numbers in the partition.
    package func names() throws -> EventNames {
        if let known = knownNames.withLock({ $0 }) { return known }
        let names = try read { database in
            func texts(_ table: String) throws -> [String] {
                // Each such table has two columns: a number and its name.
                let rows = try database.rows("SELECT * FROM \(table) ORDER BY 1") { row in
                    (number: try row.read(0) as Int, text: try row.read(1) as String)
                }
                guard rows.map(\.number).elementsEqual(rows.indices) else {
                    throw OutputError(.corrupt("table \(table) is not numbered from 0"), at: self.path)
                }
                return rows.map(\.text)
            }
            return EventNames(
                sources: try texts("sources"), actions: try texts("actions"), deliveries: try texts("deliveries"))
        }
        knownNames.withLock { $0 = names }
        return names
    }

    /// Sorted by source and path.
    package func files() throws -> [LoadedFile] {
        try read { database in
            var files = try self.rows(of: OutputSchema.files, in: database, as: LoadedFile.init)
            let contents = try self.rows(of: PartitionSchema.contents, in: database) { row in
                try UInt32(exactly: try row.read(3) as Int).map { crc in
                    let content = UnpackedContent(bytes: try row.read(2), crc32: crc, head: try row.read(4))
                    return ([Array(row.bytes(0)), Array(row.bytes(1))], content)
                }
            }
            // Paths are compared by bytes, since Swift's `==` treats some different byte sequences as equal.
            let byFile = Dictionary(contents, uniquingKeysWith: { first, _ in first })
            for index in files.indices {
                files[index].content = byFile[[Array(files[index].source.utf8), Array(files[index].path.utf8)]]
            }
            return files
        }
    }

    /// Sorted by source, outcome and reason.
    package func outcomes() throws -> [OutcomeCount] {
        try read { try self.rows(of: OutputSchema.outcomes, in: $0, as: OutcomeCount.init) }
    }

    /// Sorted by delivery, source and kind.
    package func deliveryNames() throws -> [DeliveryName] {
        try read { database in
            try self.rows(of: PartitionSchema.deliveryNames, in: database) { row in
                try NameKind(rawValue: row.read(2)).map { kind in
                    DeliveryName(
                        of: try row.read(0), from: try row.read(1), kind: kind, text: try row.read(4),
                        time: try row.read(3))
                }
            }
        }
    }

    /// The number of its own events, by the names of source and action.
    package func eventsBySourceAndAction() throws -> [String: [String: Int]] {
        try sums("SELECT source, action, sum(events) FROM daily_actions GROUP BY source, action")
    }

    /// The number of its own events on the log date's own day, by the names of sources and by the hour of the day.
    package func hoursOfOwnDay() throws -> [String: [Int: Int]] {
        try sums("SELECT source, hour, sum(events) FROM hourly_actions WHERE day = log_date GROUP BY source, hour")
    }

    /// The results of a query that returns a source, a part of it, and a sum.
    private func sums<Part: Storable & Hashable>(_ sql: String) throws -> [String: [Part: Int]] {
        try read { database in
            var sums: [String: [Part: Int]] = [:]
            try database.forEach(sql) { row in
                sums[try row.read(0), default: [:]][try row.read(1)] = try row.read(2) as Int
            }
            return sums
        }
    }

    /// Calls `body` with each stored reject, in the order in which they were written, until it returns false.
    package func forEachReject(_ body: (Reject) throws -> Bool) throws {
        try read { database in
            let row = try database.prepare(
                "SELECT source, path, line, reason, detail, sample FROM rejects ORDER BY number")
            while try row.next() {
                let reject = Reject(
                    source: try row.read(0), path: try row.read(1), line: try row.read(2), reason: try row.read(3),
                    detail: try row.read(4), sample: try row.read(5))
                guard try body(reject) else { return }
            }
        }
    }

    private func rows<T>(
        of table: Table, in database: Database, as make: (Statement) throws -> T?
    ) throws -> [T] {
        try database.rows(table.selection(in: database)) { row in
            guard let value = try make(row) else {
                throw OutputError(.corrupt("table \(table.name) holds an invalid value"), at: self.path)
            }
            return value
        }
    }

    package func read<T>(_ body: (Database) throws -> T) throws -> T {
        try reportingFacts(of: path) { try lock.withLock { try body(database) } }
    }
}

extension Partition {
    /// Reads all rows, and compares their hash with the seal.
    /// - Throws: `.corrupt` if something is not as it was written; `Stopped` if `isStopped` returns true.
    package func verify(_ isStopped: () -> Bool = { false }) throws {
        var hash = ContentHash()
        for table in PartitionSchema.sealed {
            if isStopped() { throw Stopped() }
            try read { database in
                try database.forEach("SELECT * FROM \(table)") { hash.add($0.values, of: table) }
            }
        }
        try read { database in
            try database.forEach(PartitionSchema.definitions) { hash.add($0.values, of: "sqlite_master") }
        }
        let names = try names()
        try forEachBlock(names: names, isStopped: isStopped) { section, entry, _ in hash.add(entry, in: section) }
        let sealed: Int64? = try read { try $0.value("SELECT hash FROM seal") }
        guard sealed == Int64(bitPattern: hash.value) else {
            throw OutputError(.corrupt("its rows are not those that were written"), at: path)
        }
    }
}
