import Calendar
import Counting
import Events
import Foundation
import Hashing
import Posix
import SQLite
import Synchronization

/// Reads a partition file. Its connection remains on the opened file, even if another file replaces it. Several threads
/// may use it; they wait for one another.
package final class Partition: Sendable {
    package let path: String
    package let summary: PartitionSummary
    /// The stamp of the file from before it was opened.
    private let stamp: FileStamp?
    /// Used under the lock alone.
    private nonisolated(unsafe) let database: Database
    private let lock = NSLock()
    /// Whether it is a settled file: it has no events and no rejects, and its figures are final.
    package let isSettled: Bool
    /// Nil until they have been read.
    private let knownNames = Mutex<EventNames?>(nil)

    /// Opens the partition of a log date, in days since 1970-01-01.
    /// - Throws: `.missing` if there is none; `.corrupt` if it has another log date or inconsistent counts.
    package convenience init(logDate: Int32, folder: OutputFolder) throws(WarehouseError) {
        try self.init(path: folder.partitionPath(logDate))
        try check(logDate)
    }

    /// Opens what tells of a log date's load and its figures: its settled file if there is one, else its partition.
    package convenience init(accountsOf logDate: Int32, folder: OutputFolder) throws(WarehouseError) {
        let settled = folder.settledPath(logDate)
        guard FileStamp(path: settled) != nil else {
            try self.init(logDate: logDate, folder: folder)
            return
        }
        try self.init(settled: settled)
        try check(logDate)
    }

    package convenience init(path: String) throws(WarehouseError) {
        try self.init(.partition(path), isSettled: false)
    }

    package convenience init(settled path: String) throws(WarehouseError) {
        try self.init(.settled(path), isSettled: true)
    }

    private init(_ file: DatabaseFile, isSettled: Bool) throws(WarehouseError) {
        let path = file.path
        stamp = FileStamp(path: path)
        let database = try file.open()
        self.path = path
        self.isSettled = isSettled
        self.database = database
        summary = try reportingFacts(of: path) {
            let rows = try Partition.rows(of: PartitionSchema.partition, database, path, PartitionSummary.init)
            guard let summary = rows.first, summary.isConsistent else {
                throw WarehouseError.corrupt(path: path, detail: "its accounts do not balance")
            }
            return summary
        }
    }

    private func check(_ logDate: Int32) throws(WarehouseError) {
        guard summary.logDate == logDate else {
            let date = CalendarText.date(ofDay: summary.logDate)
            throw .corrupt(path: path, detail: "it holds the log date \(date)")
        }
    }

    /// 16 hexadecimal digits that identify the content: a hash of the hashes of all tables.
    package func identity() throws(WarehouseError) -> String {
        try read { database in
            var hash = ContentHash()
            try database.forEach("SELECT table_name, hash FROM hashes") { row in
                hash.addRow(row.values)
            }
            return hash.value.hexDigits
        }
    }

    /// The stamp of the file, if it is still the one that was opened and every later change is certain to show.
    package var steadyStamp: FileStamp? {
        let now = FileStamp.steady(path: path)
        return now == stamp ? now : nil
    }

    /// The names that belong to the numbers in the partition.
    package func names() throws(WarehouseError) -> EventNames {
        if let known = knownNames.withLock({ $0 }) { return known }
        let names = try readNames()
        knownNames.withLock { $0 = names }
        return names
    }

    /// Reads the names and compares them with their hashes.
    func readNames() throws(WarehouseError) -> EventNames {
        try read { database in
            func texts(_ table: String, _ number: String, _ text: String) throws -> [String] {
                var texts: [String] = []
                let sql = "SELECT \(number), \(text) FROM \(table) ORDER BY \(number)"
                try Partition.forEachRow(of: table, sql, database, self.path) { row in
                    guard try row.read(0) == texts.count else {
                        throw WarehouseError.corrupt(path: self.path, detail: "table \(table) is not numbered from 0")
                    }
                    texts.append(try row.read(1))
                }
                return texts
            }
            return EventNames(
                sources: try texts("sources", "source", "name"), actions: try texts("actions", "action", "name"),
                deliveries: try texts("deliveries", "delivery", "delivery_id"))
        }
    }

    /// The standalone tables, as they were stored at load.
    package func standaloneTables(_ names: EventNames) throws(WarehouseError) -> DailyTables {
        try read { database in
            do {
                var tables = DailyTables()
                tables.daily = try self.daily(names, database)
                let figures = try self.figures(database)
                if let bytes = figures["daily_funnel"] {
                    tables.funnel = try DailyFunnel(bytes: bytes.span, names: names)
                }
                if let bytes = figures["hourly_actions"] {
                    tables.hourly = try ActionCounts(by: .hour, bytes: bytes.span, names: names)
                }
                return tables
            } catch is NumberColumnsError {
                throw WarehouseError.corrupt(path: self.path, detail: "its figures cannot be read")
            }
        }
    }

    /// The packed tables, by name.
    private func figures(_ database: Database) throws -> [String: [UInt8]] {
        var figures: [String: [UInt8]] = [:]
        let sql = "SELECT name, content FROM figures ORDER BY name"
        try Partition.forEachRow(of: "figures", sql, database, path) { figures[try $0.read(0)] = try $0.read(1) }
        guard figures.count == 2 else {
            throw WarehouseError.corrupt(path: path, detail: "its figures are missing")
        }
        return figures
    }

    private func daily(_ names: EventNames, _ database: Database) throws -> ActionCounts {
        var daily = ActionCounts(by: .day)
        var hash = ContentHash()
        try database.forEach("SELECT * FROM daily") { row in
            let numbers = try InlineArray<7, Int64> { try row.read($0 + 1) }
            hash.addRow(numbers)
            try daily.add(numbers, names)
        }
        try ContentHashes.check(hash, of: "daily", in: database, path: path)
        return daily
    }

    /// Sorted by source and path.
    package func files() throws(WarehouseError) -> [LoadedFile] {
        return try read { database in
            var files = try Partition.rows(of: OutputSchema.files, database, self.path, LoadedFile.init)
            let contents = try Partition.rows(of: PartitionSchema.contents, database, self.path) { row in
                try UInt32(exactly: try row.read(3) as Int).map { crc in
                    let content = UnpackedContent(bytes: try row.read(2), crc32: crc, head: try row.read(4))
                    return ([Array(row.bytes(0)), Array(row.bytes(1))], content)
                }
            }
            // By bytes, since Swift takes texts for equal that differ in theirs.
            let byFile = Dictionary(contents, uniquingKeysWith: { first, _ in first })
            for index in files.indices {
                files[index].content = byFile[[Array(files[index].source.utf8), Array(files[index].path.utf8)]]
            }
            return files
        }
    }

    /// Sorted by source, outcome and reason.
    package func outcomes() throws(WarehouseError) -> [OutcomeCount] {
        return try read { try Partition.rows(of: OutputSchema.outcomes, $0, self.path, OutcomeCount.init) }
    }

    /// Hashes of the values of the pipeline file that it was loaded with, by their keys. A settled file has none.
    package func pipelineKeys() throws(WarehouseError) -> [String: String] {
        if isSettled { return [:] }
        return try read { database in
            var keys: [String: String] = [:]
            let (table, sql) = (PartitionSchema.pipelineKeys, "SELECT key, hash FROM pipeline_keys")
            try Partition.forEachRow(of: table, sql, database, self.path) { keys[try $0.read(0)] = try $0.read(1) }
            return keys
        }
    }

    /// The standalone events and duplicates.
    package func dailyActions() throws(WarehouseError) -> ActionCounts {
        let names = try names()
        return try read { try self.daily(names, $0) }
    }

    /// The number of standalone events, by the names of source and action.
    package func eventsBySourceAndAction() throws(WarehouseError) -> [String: [String: Int]] {
        try names().named(try dailyActions().eventsBySourceAndAction)
    }

    /// Calls `body` with each stored reject, in the order in which they were written, until it returns false.
    package func forEachReject(_ body: (Reject) throws -> Bool) throws(WarehouseError) {
        if isSettled { return }
        try checkRejects()
        try read { database in
            let row = try database.prepare(
                "SELECT source, path, line, reason, detail, sample FROM rejects ORDER BY rowid")
            while try row.next() {
                let reject = Reject(
                    source: try row.read(0), path: try row.read(1), line: try row.read(2), reason: try row.read(3),
                    detail: try row.read(4), sample: try row.read(5))
                guard try body(reject) else { return }
            }
        }
    }

    /// Compares the rejects with their hash.
    func checkRejects() throws(WarehouseError) {
        if isSettled { return }
        let sql = "SELECT rowid, source, path, line, reason, detail, sample FROM rejects"
        try read { try Partition.forEachRow(of: PartitionSchema.rejects, sql, $0, self.path) { _ in } }
    }

    /// All rows of a table, compared with its hash.
    private static func rows<T>(
        of table: Table, _ database: Database, _ path: String, _ make: (Statement) throws -> T?
    ) throws -> [T] {
        var values: [T] = []
        try forEachRow(of: table.name, table.selection, database, path) { row in
            guard let value = try make(row) else {
                throw WarehouseError.corrupt(path: path, detail: "table \(table.name) holds an invalid value")
            }
            values.append(value)
        }
        return values
    }

    /// Calls `body` with each row of a selection of a whole table, and compares the rows with the table's hash.
    static func forEachRow(
        of table: String, _ sql: String, _ database: Database, _ path: String, _ body: (Statement) throws -> Void
    ) throws {
        var hash = ContentHash()
        try database.forEach(sql) { row in
            hash.addRow(row.values)
            try body(row)
        }
        try ContentHashes.check(hash, of: table, in: database, path: path)
    }

    package func read<T>(_ body: (Database) throws -> T) throws(WarehouseError) -> T {
        try reportingFacts(of: path) { try lock.withLock { try body(database) } }
    }
}
