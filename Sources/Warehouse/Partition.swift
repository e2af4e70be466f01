import Events
import GRDB

/// Reads a partition file. Its connection stays on the file that it opened, even if another takes its place. May be
/// used by several threads at once, which then wait for one another.
package final class Partition: Sendable {
    package let path: String
    package let summary: PartitionSummary
    private let queue: DatabaseQueue

    package convenience init(logDate: Int32, folder: OutputFolder) throws(WarehouseError) {
        try self.init(path: folder.partitionPath(logDate))
        guard summary.logDate == logDate else {
            let date = CalendarText.date(ofDay: summary.logDate)
            throw .corrupt(path: path, detail: "it holds the log date \(date)")
        }
    }

    package init(path: String) throws(WarehouseError) {
        let queue = try DatabaseFile.partition(path).open()
        self.path = path
        self.queue = queue
        summary = try reportingFacts(of: path) {
            try queue.unsafeRead { database in
                guard let row = try Row.fetchOne(database, sql: PartitionSchema.partition.selection),
                    let summary = try PartitionSummary(row), summary.isConsistent
                else { throw WarehouseError.corrupt(path: path, detail: "its accounts do not balance") }
                return summary
            }
        }
    }

    package func names() throws(WarehouseError) -> EventNames {
        try read { database in
            func texts(_ table: String, _ number: String, _ text: String) throws -> [String] {
                var texts: [String] = []
                let rows = try Row.fetchCursor(
                    database, sql: "SELECT \(number), \(text) FROM \(table) ORDER BY \(number)")
                while let row = try rows.next() {
                    guard try row.decode(Int.self, atIndex: 0) == texts.count else {
                        throw WarehouseError.corrupt(path: self.path, detail: "\(table) has gaps")
                    }
                    texts.append(try row.decode(String.self, atIndex: 1))
                }
                return texts
            }
            return EventNames(
                sources: try texts("sources", "source", "name"), actions: try texts("actions", "action", "name"),
                deliveries: try texts("deliveries", "delivery", "delivery_id"))
        }
    }

    package func files() throws(WarehouseError) -> [LoadedFile] {
        try read { database in
            try Row.fetchAll(database, sql: OutputSchema.files.selection).map { row in
                guard let file = try LoadedFile(row) else {
                    throw WarehouseError.corrupt(path: self.path, detail: "files has an unknown status")
                }
                return file
            }
        }
    }

    package func outcomes() throws(WarehouseError) -> [OutcomeCount] {
        try read { database in
            try Row.fetchAll(database, sql: OutputSchema.outcomes.selection).map { row in
                guard let outcome = try OutcomeCount(row) else {
                    throw WarehouseError.corrupt(path: self.path, detail: "outcomes has an unknown outcome")
                }
                return outcome
            }
        }
    }

    /// How many rejects are kept; `outcomes` has how many there were.
    package func rejectCount() throws(WarehouseError) -> Int {
        try read { try Int.fetchOne($0, sql: "SELECT count(*) FROM rejects") ?? 0 }
    }

    /// Calls `body` with each kept reject in the order in which they were written, until it returns false.
    package func forEachReject(_ body: (Reject) throws -> Bool) throws(WarehouseError) {
        try read { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT source, path, line, reason, sample FROM rejects ORDER BY rowid")
            while let row = try rows.next() {
                let reject = Reject(
                    source: try row.decode(String.self, atIndex: 0), path: try row.decode(String.self, atIndex: 1),
                    line: try row.decode(Int.self, atIndex: 2), reason: try row.decode(String.self, atIndex: 3),
                    sample: try row.decode(String.self, atIndex: 4))
                guard try body(reject) else { return }
            }
        }
    }

    func read<T>(_ body: (Database) throws -> T) throws(WarehouseError) -> T {
        try reportingFacts(of: path) { try queue.unsafeRead(body) }
    }
}
