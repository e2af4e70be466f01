import Calendar
import Foundation
import Partitions
import Posix
import SQLite

/// The file with what each log date contributes to push.db, see `ledger.sql`. Its figures are derived: they can be computed from
/// the partitions again. It also has the history, and what the delivery files said when they could be read last.
package struct Ledger: Sendable {
    /// What the ledger knows of a log date's partition.
    package struct Entry: Equatable {
        package let version: String
        package let isSettled: Bool
        /// The hash of its file of shared messages. Empty if it shares none; nil if its ids were not compared.
        package let shared: String?
        /// The stamp of the partition's file when it was found whole; nil where a later change might not show.
        package let stamp: FileStamp?
    }

    private static let version = 1
    /// "puLe"
    private static let applicationID = 0x7075_4C65
    package static let name = "ledger.sqlite"
    /// The tables with what is still to be written to push.db.
    package static let toDoLists = ToDoList.all.map(\.table)

    package let path: String
    /// Where the files of shared messages are; nil to write none.
    let sharedFolder: String?

    package init(path: String, sharedFolder: String?) {
        (self.path, self.sharedFolder) = (path, sharedFolder)
    }

    package init(of folder: OutputFolder) {
        self.init(path: "\(folder.partitionsPath)/\(Ledger.name)", sharedFolder: folder.cachePath)
    }

    /// SQL that gives the pages of a connection's database and of its temporary tables 16 MiB each in place of 2.
    package static let largerCaches = "PRAGMA main.cache_size = -16384; PRAGMA temp.cache_size = -16384"

    /// Opens the file. If it is missing, an empty one is made.
    /// - Throws: damage if it is not a ledger; `.newerSchema`.
    /// - Parameter whenBusy: how to wait for others, also for those of a database that is attached. Nil for 30 seconds.
    package func open(isReadOnly: Bool = false, whenBusy: ((Int) -> Bool)? = nil) throws(WarehouseError) -> Database {
        var status = stat()
        if stat(path, &status) == 0 { try DatabaseFile.checkIsFile(status, at: path) }
        return try reportingFacts(of: path) {
            let database = try Database(path, isReadOnly: isReadOnly, busyTimeout: 30, whenBusy: whenBusy)
            try database.execute("\(Ledger.largerCaches); PRAGMA synchronous = EXTRA")
            let hasTables = try check(database)
            if isReadOnly { return database }
            if !hasTables { try create(database) }
            for table in LedgerTable.all { try table.replacement.createTables(in: database) }
            return database
        }
    }

    /// Returns false if the file is empty.
    private func check(_ database: Database) throws -> Bool {
        let application = try database.value("PRAGMA application_id") ?? 0
        let version = try database.value("PRAGMA user_version") ?? 0
        if application == 0, version == 0, try !database.hasRow("SELECT 1 FROM sqlite_master") { return false }
        guard application == Ledger.applicationID else {
            throw WarehouseError.corrupt(path: path, detail: "it is no ledger")
        }
        guard version <= Ledger.version else {
            throw WarehouseError.newerSchema(path: path, schema: version, known: Ledger.version)
        }
        return true
    }

    private func create(_ database: Database) throws {
        try database.transaction {
            try database.execute(Ledger.sql(PackageResources.ledger_sql))
            try Ledger.setFact("output", String(UInt64.random(in: 0 ... .max), radix: 16), database)
            try database.execute(
                "PRAGMA application_id = \(Ledger.applicationID); PRAGMA user_version = \(Ledger.version)")
        }
    }

    /// Reads the ledger of an output; nil if there is none that can be read.
    package static func read<Result>(in folder: OutputFolder, _ body: (Database) throws -> Result) -> Result? {
        let ledger = Ledger(of: folder)
        guard FileStamp(path: ledger.path) != nil else { return nil }
        // A command that was killed leaves a journal, which only a connection that may write undoes.
        for isReadOnly in [true, false] {
            do throws(WarehouseError) {
                let database = try ledger.open(isReadOnly: isReadOnly)
                return try reportingFacts(of: ledger.path) { try body(database) }
            } catch {
                if case .interrupted = error { continue }
                return nil
            }
        }
        return nil
    }

    package static func sql(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    package static func entries(_ database: Database) throws -> [String: Entry] {
        let rows = try database.rows("SELECT log_date, version, is_settled, shared, stamp FROM partitions") { row in
            let entry = Entry(
                version: try row.read(1), isSettled: try row.read(2) == 1, shared: try row.read(3),
                stamp: try (row.read(4) as String?).flatMap { FileStamp(json: $0) })
            return (try row.read(0) as String, entry)
        }
        return Dictionary(rows) { first, _ in first }
    }

    package static func fact(_ key: String, _ database: Database) throws -> String? {
        try database.value("SELECT value FROM facts WHERE key = ?", .of(key))
    }

    package static func setFact(_ key: String, _ value: String?, _ database: Database) throws {
        guard let value else { return try database.execute("DELETE FROM facts WHERE key = ?", .of(key)) }
        try database.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", .of(key, value))
    }

    /// Runs `body`. If other platforms have arrivals after it, it notes all deliveries: a rate of each depends on that.
    static func notingArrivals(in database: Database, _ body: () throws -> Void) throws {
        func platforms() throws -> [String] {
            try database.column("SELECT DISTINCT platform FROM arrivals ORDER BY platform")
        }
        let before = try platforms()
        try body()
        if try platforms() == before { return }
        try database.execute(
            "INSERT OR IGNORE INTO touched_deliveries SELECT DISTINCT delivery_id FROM by_delivery")
    }

    /// Notes the platforms of which a log date has arrivals, by its rows.
    static func setArrivals(of logDate: String, in database: Database) throws {
        try database.execute("DELETE FROM arrivals WHERE log_date = ?", .of(logDate))
        try database.execute(
            """
            INSERT OR IGNORE INTO arrivals SELECT platform, log_date FROM hours
            WHERE log_date = ? AND part = \(LedgerPart.alone.rawValue) AND action = 'arrival'
            """, .of(logDate))
    }

    /// Clears the to-do lists, once all that they name is committed.
    package static func clearTouched(in database: Database) throws {
        for table in toDoLists { try database.execute("DELETE FROM \(table)") }
        try setFact("unpublished", nil, database)
    }
}

extension FileStamp {
    /// As the ledger has it.
    var json: String? { (try? JSONEncoder.stored.encode(self)).map { String(decoding: $0, as: UTF8.self) } }

    package init?(json: String) {
        guard let stamp = try? JSONDecoder().decode(FileStamp.self, from: Data(json.utf8)) else { return nil }
        self = stamp
    }
}

/// What the ledger says about the last publishing.
package struct LedgerState {
    let facts: [String: String]
    /// Whether something is still to be written to push.db.
    package let hasWork: Bool
    /// Whether rows of the history are still to be written.
    package let isWaiting: Bool
    /// Whether push.db shows figures of this ledger. If not, its figures were computed anew.
    package let isWhole: Bool

    package init(_ database: Database, in schema: String = "main") throws {
        facts = try database.texts("SELECT key, value FROM \(schema).facts")
        isWhole = facts["all"] == nil
        isWaiting = facts["waiting"] != nil
        let isUnpublished = facts["unpublished"] != nil
        hasWork =
            try isUnpublished
            || Ledger.toDoLists.contains { try database.hasRow("SELECT 1 FROM \(schema).\($0)") }
    }

    /// Whether all figures here are those that were published last.
    package var showsPublished: Bool { isWhole && !hasWork }

    /// Whether something of any kind is still to be written to push.db.
    package var hasAnything: Bool { !isWhole || isWaiting || hasWork }

    /// Whether push.db shows all, with these settings. Another version of the program alone changes nothing.
    package func isCurrent(_ settings: PublicationSettings) -> Bool {
        !hasAnything && settings.facts.allSatisfy { $0.key == "version" || facts[$0.key] == $0.value }
    }
}

/// The stamps of the partitions' files when they were last found whole.
package struct VerifiedStamps: Sendable {
    private let entries: [String: Ledger.Entry]

    package init(in folder: OutputFolder) {
        entries = Ledger.read(in: folder) { try Ledger.entries($0) } ?? [:]
    }

    /// The size of a partition's file in bytes if it has changed since it was last verified; nil if it has not.
    /// - Parameter alsoUnknown: whether it counts as changed if nothing is known.
    package func unverifiedBytes(of partition: Partition, alsoUnknown: Bool) -> Int? {
        guard let stamp = FileStamp(path: partition.path) else { return nil }
        let entry = entries[CalendarText.date(ofDay: partition.summary.logDate)]
        guard let known = entry?.stamp, entry?.version == partition.summary.version else {
            return alsoUnknown ? stamp.bytes : nil
        }
        return stamp == known ? nil : stamp.bytes
    }
}
