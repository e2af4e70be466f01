import Calendar
import Counting
import Events
import Foundation
import Posix
import SQLite

/// Writes a log date's partition, or its settled file, into a temporary file. First write the names. Then write blocks, figures, files,
/// outcomes and rejects in any order. Then call `conclude`, `finish` and `install`. Any error or an early end removes
/// the temporary file. Use it from one thread at a time.
package final class PartitionWriter {
    /// After this many bytes of blocks, the system is asked to start writing. This shortens the sync at the end.
    private static let writebackBytes = 4 << 20

    package let logDate: Int32
    package let path: String
    package let temporaryPath: String
    private let folder: OutputFolder
    private var database: Database?
    private var file: FileDescriptor?
    private var figures = DailyTables()
    private var summary: PartitionSummary?
    private var hashes = ContentHashes()
    private var lastSection: Section?
    private var lastID = EventID(high: 0, low: 0)
    /// The number of events in the blocks so far.
    private var events = 0
    private var unwrittenBytes = 0
    private let writeback = Writeback()

    /// Creates the temporary file.
    /// - Throws: if a newer version's partition or another application's database is installed.
    package convenience init(logDate: Int32, folder: OutputFolder) throws(WarehouseError) {
        let path = folder.partitionPath(logDate)
        try self.init(logDate: logDate, folder, replacing: .partition(path), by: PartitionSchema.statements)
    }

    /// Creates the temporary file of a settled file.
    package convenience init(settling logDate: Int32, in folder: OutputFolder) throws(WarehouseError) {
        let target = DatabaseFile.settled(folder.settledPath(logDate))
        try self.init(logDate: logDate, folder, replacing: target, by: PartitionSchema.settledStatements)
    }

    private init(
        logDate: Int32, _ folder: OutputFolder, replacing target: DatabaseFile, by statements: [String]
    ) throws(WarehouseError) {
        self.logDate = logDate
        self.folder = folder
        path = target.path
        let name = "\(CalendarText.date(ofDay: logDate)).sqlite"
        let unique = "\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        temporaryPath = "\(folder.partitionsPath)/.\(name).\(unique).tmp"
        try PartitionWriter.checkReplaceable(target)
        let temporary = temporaryPath
        self.file = try reportingCalls { () throws(SystemError) in try FileDescriptor(creating: temporary) }
        try work { () throws(WarehouseError) in
            database = try reportingFacts(of: temporary) {
                let database = try Database(temporary)
                // One transaction over many calls, from the first table to the summary. A crash leaves a temporary file that
                // nobody reads. So there is no journal, and one sync at the end is enough.
                try database.execute(
                    """
                    PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE
                    """)
                try target.mark(database)
                for sql in PartitionSchema.tables.map(\.creation) + statements { try database.execute(sql) }
                return database
            }
        }
    }

    deinit {
        discard()
    }

    /// Writes the names that belong to the numbers in the events and daily rows.
    package func write(_ names: EventNames) throws(WarehouseError) {
        assert(names.areSorted)
        try perform { database in
            for (table, texts) in [
                ("sources", names.sources), ("actions", names.actions), ("deliveries", names.deliveries),
            ] {
                var hash = ContentHash()
                try PartitionWriter.insert(texts.count, into: table, columns: 2, database) { index, values in
                    let row: [DatabaseValue] = [.int64(Int64(index)), .string(texts[index])]
                    hash.addRow(row)
                    values += row
                }
                self.hashes.set(hash, of: table)
            }
        }
    }

    /// Appends a block. Sections must be appended in order, and the blocks of a section sorted by id.
    /// - Throws: `.disorder` otherwise.
    package func append(_ block: EventBlock, section: Section) throws(WarehouseError) {
        assert((1...EventBlock.capacity).contains(block.count) && block.first <= block.last)
        if let lastSection, section < lastSection || section == lastSection && block.first < lastID {
            throw .disorder(path: path)
        }
        lastSection = section
        lastID = block.last
        try perform { database in
            try database.execute(
                "INSERT INTO events (id_space, kind, first, last, events, block) VALUES (?, ?, ?, ?, ?, ?)",
                .of(
                    section.idSpace, Int(section.kind.rawValue), block.first.bytes, block.last.bytes, block.count,
                    block.bytes))
            self.hashes.addRow(
                BlockEntry(
                    number: database.lastInsertedRowID, first: block.first, last: block.last, events: block.count),
                section)
        }
        events += block.count
        unwrittenBytes += block.bytes.count
        if unwrittenBytes >= PartitionWriter.writebackBytes {
            unwrittenBytes = 0
            if let file { writeback.begin(file) }
        }
    }

    /// Sets the standalone tables. Their numbers must be valid in the names.
    package func write(_ tables: DailyTables) {
        figures = tables
    }

    package func write(_ file: LoadedFile) throws(WarehouseError) {
        try insert(file.values(logDate: logDate), into: OutputSchema.files.name)
        if let content = file.contentValues { try insert(content, into: PartitionSchema.contents.name) }
    }

    package func write(_ outcome: OutcomeCount) throws(WarehouseError) {
        try insert(outcome.values(logDate: logDate), into: OutputSchema.outcomes.name)
    }

    package func write(_ reject: Reject) throws(WarehouseError) {
        try perform { database in
            try database.execute("INSERT INTO rejects VALUES (?, ?, ?, ?, ?, ?)", reject.values)
            self.hashes.addRow([.int64(database.lastInsertedRowID)] + reject.values, to: PartitionSchema.rejects)
        }
    }

    /// Writes hashes of the values of the pipeline file, by their keys.
    package func write(pipelineKeys: [String: String]) throws(WarehouseError) {
        for (key, hash) in pipelineKeys.sorted(by: { $0.key < $1.key }) {
            try insert(.of(key, hash), into: PartitionSchema.pipelineKeys)
        }
    }

    /// Writes the standalone events into a settled file.
    package func write(_ sums: EventSums) throws(WarehouseError) {
        for (key, events) in sums.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try insert(.of(key[0], key[1], events), into: PartitionSchema.sums)
        }
    }

    /// Sets the summary.
    package func conclude(_ summary: PartitionSummary) {
        assert(summary.logDate == logDate && summary.isConsistent)
        self.summary = summary
    }

    /// Writes the figures and the summary, commits, and closes the temporary file.
    package func finish() throws(WarehouseError) {
        guard let summary else { throw .disorder(path: path) }
        // A settled file has no events.
        assert([0, summary.events].contains(events))
        try perform { try self.insert(self.figures, $0) }
        try insert(summary.values, into: PartitionSchema.partition.name)
        try perform { database in
            try self.hashes.write(to: database, version: PartitionSchema.version)
            try database.execute("COMMIT")
        }
        database?.close()
        database = nil
    }

    private func insert(_ figures: DailyTables, _ database: Database) throws {
        var hash = ContentHash()
        let rows = figures.daily.rows()
        try PartitionWriter.insert(rows.count, into: "daily", columns: 8, database) { index, values in
            let numbers = figures.daily.numbers(of: rows[index])
            hash.addRow(numbers)
            values.append(.int64(Int64(index + 1)))
            for column in numbers.indices { values.append(.int64(numbers[column])) }
        }
        hashes.set(hash, of: "daily")
        for (name, bytes) in [("daily_funnel", figures.funnel.bytes), ("hourly_actions", figures.hourly.bytes)] {
            try insert(.of(name, bytes), into: "figures")
        }
    }

    /// Installs the partition durably: calls `finish` if needed, syncs the file and renames it. It replaces an
    /// installed partition, and what another program has left beside that one.
    package func install() throws(WarehouseError) {
        guard let file else { throw .disorder(path: path) }
        if database != nil { try finish() }
        try work { () throws(WarehouseError) in
            try reportingCalls { () throws(SystemError) in
                // A journal of the former file would be taken for one of the new file, so it must be gone first, even after a
                // power failure.
                var removed = false
                for suffix in DatabaseFile.companions where try WholeFile.remove(path + suffix) { removed = true }
                if removed { try Folder.sync(folder.partitionsPath) }
                try file.sync()
                try WholeFile.rename(temporaryPath, to: path)
                try Folder.sync(folder.partitionsPath)
            }
        }
        file.close()
        self.file = nil
    }

    /// Removes the temporary file. Does nothing after `install`.
    package func discard() {
        guard let file else { return }
        database?.close()
        database = nil
        unlink(temporaryPath)
        file.close()
        self.file = nil
    }

    private func insert(_ values: [DatabaseValue], into table: String) throws(WarehouseError) {
        let parameters = values.map { _ in "?" }.joined(separator: ", ")
        try perform { database in
            try database.execute("INSERT INTO \(table) VALUES (\(parameters))", values)
            self.hashes.addRow(values, to: table)
        }
    }

    /// The number of rows per statement. Starting a statement costs SQLite as much as a row, and more rows gain nothing.
    private static let rowsAtATime = 16

    /// - Parameter append: adds the values of the row with a number.
    private static func insert(
        _ rows: Int, into table: String, columns: Int, _ database: Database,
        _ append: (Int, inout [DatabaseValue]) -> Void
    ) throws {
        let row = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
        var values: [DatabaseValue] = []
        var start = 0
        for size in [rowsAtATime, 1] where rows - start >= size {
            let all = Array(repeating: row, count: size).joined(separator: ", ")
            let insertion = try database.prepare("INSERT INTO \(table) VALUES \(all)")
            while rows - start >= size {
                values.removeAll(keepingCapacity: true)
                for index in start..<start + size { append(index, &values) }
                try insertion.execute(values)
                start += size
            }
        }
    }

    private func perform(_ body: (Database) throws -> Void) throws(WarehouseError) {
        guard let database else { throw .disorder(path: path) }
        try work { () throws(WarehouseError) in try reportingFacts(of: temporaryPath) { try body(database) } }
    }

    private func work(_ body: () throws(WarehouseError) -> Void) throws(WarehouseError) {
        do {
            try body()
        } catch {
            discard()
            throw error
        }
    }

    private static func checkReplaceable(_ file: DatabaseFile) throws(WarehouseError) {
        do {
            _ = try file.open()
        } catch {
            switch error {
            case .missing, .notSQLite, .corrupt: return
            default: throw error
            }
        }
    }
}
