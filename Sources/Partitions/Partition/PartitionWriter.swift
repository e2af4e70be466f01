import Calendar
import Counting
import Events
import Foundation
import Messages
import Posix
import SQLite

/// Writes a log date's partition into a temporary file. Write the names first. Then write blocks, rows, files, outcomes
/// and rejects in any order. Then call `conclude`, `finish` and `install`. An error, or dropping the writer, removes
/// the temporary file. Use it from one thread at a time.
package final class PartitionWriter {
    /// After this many bytes of blocks, the system is asked to start writing. This shortens the sync at the end.
    private static let writebackBytes = 4 << 20

    package let logDate: LogDate
    package let path: String
    package let temporaryPath: String
    private let folder: OutputFolder
    private var database: Database?
    private var file: FileDescriptor?
    private var rows = LogDateRows()
    private var summary: PartitionSummary?
    private var hash = ContentHash()
    private var rejects = 0
    private var lastSection: Section?
    private var lastID = EventID(high: 0, low: 0)
    /// The number of events in the blocks so far.
    private var events = 0
    private var unwrittenBytes = 0
    private let writeback = Writeback()

    /// Creates the temporary file.
    /// - Throws: if a newer version's partition or another application's database is installed.
    package init(of logDate: LogDate, in folder: OutputFolder) throws {
        self.logDate = logDate
        self.folder = folder
        path = folder.partitionPath(logDate)
        let unique = "\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 16))"
        temporaryPath = "\(folder.partitionsPath)/.\(logDate).sqlite.\(unique).tmp"
        let target = DatabaseFile.partition(path)
        try PartitionWriter.checkReplaceable(target)
        let temporary = temporaryPath
        self.file = try reportingCalls { try FileDescriptor(creating: temporary) }
        try work {
            database = try reportingFacts(of: temporary) {
                let database = try Database(temporary)
                // One transaction over many calls, from the first table to the summary. A crash leaves a temporary file
                // that nobody reads. So there is no journal, and one sync at the end is enough. Most tables are small:
                // pages of 4 KiB would make the file of a quiet date a sixth larger.
                try database.execute(
                    """
                    PRAGMA page_size = 1024; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
                    PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE
                    """)
                try target.mark(database)
                for sql in PartitionSchema.statements { try database.execute(sql) }
                return database
            }
        }
    }

    deinit {
        discard()
    }

    /// Writes the names that belong to the numbers in the events and rows.
    package func write(_ names: EventNames) throws {
        assert(names.areSorted)
        try perform { database in
            for (table, texts) in [
                ("sources", names.sources), ("actions", names.actions), ("deliveries", names.deliveries),
            ] {
                let rows = texts.enumerated().lazy.map { [DatabaseValue].of($0, $1) }
                try self.insert(rows, count: texts.count, into: table, columns: 2, database: database)
            }
        }
    }

    /// Appends a block. Sections must be appended in order, and the blocks of a section sorted by id.
    /// - Throws: `.disorder` otherwise.
    package func append(_ block: EventBlock, section: Section) throws {
        assert((1...EventBlock.capacity).contains(block.count) && block.first <= block.last)
        if let lastSection, section < lastSection || section == lastSection && block.first < lastID {
            throw Fault.disorder(path)
        }
        lastSection = section
        lastID = block.last
        try perform { database in
            try database.execute(
                "INSERT INTO events (id_space, kind, first, last, events, block) VALUES (?, ?, ?, ?, ?, ?)",
                binding: .of(
                    section.idSpace, Int(section.kind.rawValue), block.first.bytes, block.last.bytes, block.count,
                    block.bytes))
            let number = database.lastInsertedRowID
            self.hash.add(
                BlockEntry(number: number, first: block.first, last: block.last, events: block.count), in: section)
        }
        events += block.count
        unwrittenBytes += block.bytes.count
        if unwrittenBytes >= PartitionWriter.writebackBytes {
            unwrittenBytes = 0
            if let file { writeback.begin(file) }
        }
    }

    /// Sets the rows of the log date. Their numbers must belong to the names.
    package func write(_ rows: LogDateRows) {
        self.rows = rows
    }

    package func write(_ file: LoadedFile) throws {
        try insert(file.values(logDate: logDate), into: OutputSchema.files.name)
        if let content = file.contentValues { try insert(content, into: PartitionSchema.contents.name) }
    }

    package func write(_ outcome: OutcomeCount) throws {
        try insert(outcome.values(logDate: logDate), into: OutputSchema.outcomes.name)
    }

    package func write(_ name: DeliveryName) throws {
        try insert(name.values, into: PartitionSchema.deliveryNames.name)
    }

    package func write(_ reject: Reject) throws {
        rejects += 1
        try insert(.of(rejects) + reject.values, into: "rejects")
    }

    package func conclude(_ summary: PartitionSummary) {
        assert(summary.logDate == logDate && summary.isConsistent)
        self.summary = summary
    }

    /// Writes the rows, the summary and the seal, commits, and closes the temporary file.
    package func finish() throws {
        guard let summary else { throw Fault.disorder(path) }
        assert(events == (summary.hasIDs ? summary.events : 0))
        try perform { database in
            for sql in PartitionSchema.statements(without: self.rows.unknown) { try database.execute(sql) }
            try database.forEach(PartitionSchema.definitions) { self.hash.add($0.values, of: "sqlite_master") }
            for table in self.rows.tables {
                let numbers = self.rows.numbers(of: table)
                let rows = numbers.lazy.map { $0.map { DatabaseValue.int64($0) } }
                try self.insert(
                    rows, count: numbers.count, into: table.name, columns: table.columns.count, database: database)
            }
        }
        try insert(summary.values, into: PartitionSchema.partition.name)
        try perform { database in
            let seal = Int64(bitPattern: self.hash.value)
            try database.execute("INSERT INTO seal VALUES (?, ?)", binding: .of(seal, PartitionSchema.version))
            try database.execute("COMMIT")
        }
        database?.close()
        database = nil
    }

    /// Installs the partition durably. Calls `finish` if needed, syncs the file and renames it. The installed partition
    /// is replaced. Files that another program has left beside it are removed.
    package func install() throws {
        guard let file else { throw Fault.disorder(path) }
        if database != nil { try finish() }
        try work {
            try reportingCalls {
                // SQLite would take a leftover journal for one of the new file. So it must be removed first, even if
                // power fails.
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

    private func insert(_ values: [DatabaseValue], into table: String) throws {
        let parameters = values.map { _ in "?" }.joined(separator: ", ")
        try perform { database in
            try database.execute("INSERT INTO \(table) VALUES (\(parameters))", binding: values)
            self.hash.add(values, of: table)
        }
    }

    /// The number of rows per statement. Starting a statement costs SQLite as much as a row, and more rows gain
    /// nothing.
    private static let rowsAtATime = 16

    private func insert(
        _ rows: some Sequence<[DatabaseValue]>, count: Int, into table: String, columns: Int, database: Database
    ) throws {
        func statement(_ rows: Int) throws -> Statement {
            let row = "(\(Array(repeating: "?", count: columns).joined(separator: ", ")))"
            let all = Array(repeating: row, count: rows).joined(separator: ", ")
            return try database.prepare("INSERT INTO \(table) VALUES \(all)")
        }
        let whole = count / PartitionWriter.rowsAtATime * PartitionWriter.rowsAtATime
        let several = try statement(PartitionWriter.rowsAtATime)
        let one = try statement(1)
        var values: [DatabaseValue] = []
        for (index, row) in rows.enumerated() {
            hash.add(row, of: table)
            if index >= whole {
                try one.execute(row)
                continue
            }
            values += row
            guard (index + 1) % PartitionWriter.rowsAtATime == 0 else { continue }
            try several.execute(values)
            values.removeAll(keepingCapacity: true)
        }
    }

    private func perform(_ body: (Database) throws -> Void) throws {
        guard let database else { throw Fault.disorder(path) }
        try work { try reportingFacts(of: temporaryPath) { try body(database) } }
    }

    private func work(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            discard()
            throw error
        }
    }

    private static func checkReplaceable(_ file: DatabaseFile) throws {
        do {
            _ = try file.open()
        } catch let error as OutputError {
            switch error.kind {
            case .missing, .notSQLite, .corrupt: return
            default: throw error
            }
        }
    }
}

// The partition of a settled log date is written anew twice. The former file stays until the new one is renamed to its
// place, and either file is complete by itself.

extension Partition {
    /// Writes the partition anew with the final rows of its log date. Returns the summary that it then has.
    package func settle(_ final: Contribution, in locked: LockedOutput) throws -> PartitionSummary {
        var hash = ContentHash()
        for table in final.rows.tables {
            for row in final.rows.numbers(of: table) { hash.add(row.map { .int64($0) }, of: table.name) }
        }
        var summary = summary
        summary.settled = UInt64(hash.value).hexDigits
        try rewrite(as: summary, with: final.rows, in: locked) { $0 }
        return summary
    }

    /// Writes the partition anew without its events, and without samples and details of rejects.
    package func eraseIDs(in locked: LockedOutput) throws {
        var summary = summary
        summary.hasIDs = false
        try rewrite(as: summary, with: try storedRows(), in: locked) { reject in
            Reject(
                source: reject.source, path: reject.path, line: reject.line, reason: reject.reason, detail: "",
                sample: "")
        }
    }

    private func rewrite(
        as summary: PartitionSummary, with rows: LogDateRows, in locked: LockedOutput, rejects: (Reject) -> Reject
    ) throws {
        let writer = try PartitionWriter(of: summary.logDate, in: locked.folder)
        try writer.write(try names())
        if summary.hasIDs {
            let isNeverStopped = { false }
            try forEachBlock(isStopped: isNeverStopped) { section, _, block in
                try writer.append(block, section: section)
            }
        }
        writer.write(rows)
        for file in try files() { try writer.write(file) }
        for outcome in try outcomes() { try writer.write(outcome) }
        for name in try deliveryNames() { try writer.write(name) }
        var stored: [Reject] = []
        try forEachReject { reject in
            stored.append(rejects(reject))
            return true
        }
        for reject in stored { try writer.write(reject) }
        writer.conclude(summary)
        try writer.finish()
        // The new file replaces a sound one, so it is verified first.
        let written = try Partition(path: writer.temporaryPath)
        try written.verify()
        guard written.summary == summary else { throw Fault.disorder(path) }
        try writer.install()
    }
}
