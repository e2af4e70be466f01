import Foundation
import Messages
import Partitions
import Posix
import SQLite

/// Writes push.db in one transaction: in place, or as a new file if push.db is missing or cannot be read.
struct PushWriting {
    let output: OutputDatabase
    let locked: LockedOutput
    let push: PushFile

    private var folder: OutputFolder { output.folder }
    private var path: String { output.path }

    /// Runs `body` in a transaction. In it our tables are as they were left, or empty apart from the history. Returns
    /// the path under which a damaged file is kept; nil if none is.
    /// - Parameter keepsDeliveries: whether a list of deliveries that is there stays, since no file can be used.
    @discardableResult
    func run(keepsDeliveries: Bool, _ body: (Database) throws -> Void) throws -> String? {
        if !push.isInPlace { return try anew(body) }
        try inPlace(keepsDeliveries: keepsDeliveries, body)
        return nil
    }

    private func inPlace(keepsDeliveries: Bool, _ body: (Database) throws -> Void) throws {
        let former = LeftFile(in: folder)
        if push != .left {
            // Somebody may have set it to WAL. To end that changes the header, which must not be taken for a change by
            // others.
            try output.reporting {
                try Database(path, whenBusy: output.whenBusy).execute("PRAGMA journal_mode = DELETE")
            }
        }
        guard let before = OutputStamp(path) else { throw OutputError(.replaced, at: path) }
        if push.isAnew { try checkRoom(for: before.file.bytes) }
        // A push.db that another program has changed must not be recorded as left by a command.
        try LeftFile(push == .left ? former?.push : nil, isBeingWritten: true, over: before.file).store(in: locked)
        do {
            try output.reporting { try transaction(since: before, keepsDeliveries: keepsDeliveries, body) }
        } catch {
            // Where what was written could not be taken back, the next command does that, which changes the file's
            // times.
            let isWhole = FileStamp(path: output.filePath + "-journal") == nil
            if let former, isWhole, OutputStamp(path) == before { try former.store(in: locked) }
            throw error
        }
        // SQLite does not sync the file's times, by which it is known.
        if let file = try? FileDescriptor(reading: output.filePath) {
            // If this fails, a power failure may cause push.db to be made anew.
            try? file.sync()
            file.close()
        }
        try LeftFile(OutputStamp(path, after: before)).store(in: locked)
    }

    private func transaction(
        since before: OutputStamp, keepsDeliveries: Bool, _ body: (Database) throws -> Void
    ) throws {
        let database = try Database(path, whenBusy: output.whenBusy)
        // EXTRA also syncs the folder, from which the commit removes the journal. Changed pages stay in memory until
        // the commit, so that readers are locked out only for a moment. When the tables are made anew, the pages may
        // not fit, so they may be written earlier.
        try database.execute(
            """
            PRAGMA journal_mode = DELETE; PRAGMA synchronous = EXTRA; PRAGMA main.cache_size = -16384;
            PRAGMA temp.cache_size = -16384; PRAGMA cache_spill = \(push.isAnew ? "ON" : "OFF")
            """)
        // The header is read while no lock is held: to close a file frees all locks of the process on it.
        let version: Int? = try database.value("PRAGMA data_version")
        guard OutputStamp(path) == before else { throw OutputError(.replaced, at: path) }
        try database.transaction {
            guard try database.value("PRAGMA data_version") == version else {
                throw OutputError(.replaced, at: path)
            }
            if push == .left {
                try ChangeHistory(database: database).keepShown()
            } else {
                try PushWriting.makeTablesAnew(database, at: path, keepsDeliveries: keepsDeliveries)
            }
            try body(database)
        }
    }

    /// Makes a new push.db, and puts it in the place of the present file.
    private func anew(_ body: (Database) throws -> Void) throws -> String? {
        let place = PushPlace(output)
        try checkRoom(for: FileStamp(path: path)?.bytes ?? 0)
        let file = try place.createTemporary()
        defer {
            file.close()
            place.removeTemporary()
        }
        try reportingFacts(of: path) {
            let database = try Database(place.temporaryPath)
            // After a crash, nobody reads the temporary file, so it needs no journal on disk.
            try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
            try database.transaction {
                try PushWriting.makeTables(database, at: path)
                try ChangeHistory(database: database).keepNothing()
                try body(database)
            }
        }
        var copy: String?
        if case .malformed = push { copy = try place.setAside() }
        let written = OutputStamp(place.temporaryPath)
        // From here on, both files are known as written by pushetl, whatever happens.
        let replaced = push == .missing ? nil : FileStamp(path: path)
        try LeftFile(written, isBeingWritten: true, over: replaced).store(in: locked)
        try place.install(file)
        // Renaming has changed the file's time of change, which is part of its stamp.
        try? file.sync()
        try LeftFile(written.flatMap { OutputStamp(path, renamed: $0) }).store(in: locked)
        return copy
    }

    /// Checks the free space. Making all tables anew takes about as much space again, for the journal or for the second
    /// file.
    private func checkRoom(for bytes: Int) throws {
        let free = Folder.freeBytes(in: Folder.parent(of: output.filePath))
        guard let free, free < bytes else { return }
        throw Fault.at(
            path, code: .noRoom,
            text:
                "must be made anew, which takes about \(Text.bytes(bytes)), and \(Text.bytes(free)) are free; nothing is lost: what "
                + "is loaded stays; make room and run again")
    }

    // MARK: Tables

    /// Makes the tables of a file that has none.
    static func makeTables(_ database: Database, at path: String) throws {
        for (_, sql) in OutputDatabase.creations { try database.execute(sql) }
        try OutputStatistics.write(to: database)
        try DatabaseFile.output(path).mark(database)
    }

    /// Drops our tables and makes them anew. A table of the history keeps its rows if all of them can be read.
    private static func makeTablesAnew(_ database: Database, at path: String, keepsDeliveries: Bool) throws {
        let changes = ChangeHistory(database: database)
        // Another program may have changed any of the tables.
        try? changes.keepReadable()
        try changes.keepNothing()
        var kept = OutputSchema.history.map { table in
            Kept(
                table: table.name, columns: table.columns.map(\.name),
                isGood: table.columns.map(\.condition).joined(separator: " AND "))
        }
        kept.append(Kept(table: "_warnings", columns: ["log_date", "version", "codes", "sentences", "accepted"]))
        kept.append(
            Kept(
                table: "_checks", columns: ["number", "name", "found", "new", "words", "hashes"],
                isGood: CheckFinding.isGood))
        var facts = [ChangeHistory.beginning]
        if keepsDeliveries {
            kept += DeliveryWriting.tables.map { Kept(table: $0.name, columns: $0.columns) }
            facts.append(DeliveryWriting.versionKey)
        }
        let keys = facts.map { "'\($0)'" }.joined(separator: ", ")
        kept.append(Kept(table: "_facts", columns: ["key", "value"], rows: "key IN (\(keys))"))
        kept = kept.filter { $0.keep(in: database) }
        for (name, _) in OutputDatabase.creations { try database.execute("DROP TABLE IF EXISTS main.\(name)") }
        try makeTables(database, at: path)
        for table in kept { try table.putBack(in: database) }
        if !kept.contains(where: { $0.table == OutputSchema.changes.name }) {
            try OwnTables.set(ChangeHistory.beginning, to: nil, in: database)
        }
        if !DeliveryWriting.tables.allSatisfy({ table in kept.contains { $0.table == table.name } }) {
            try OwnTables.set(DeliveryWriting.versionKey, to: nil, in: database)
        }
    }

    /// A table whose rows are kept when the tables are made anew.
    private struct Kept {
        let table: String
        let columns: [String]
        var rows = "true"
        /// SQL that is true for each row as a command writes it.
        var isGood = "true"

        /// Copies the rows aside. Returns false if they cannot all be read. Columns that an earlier version of the
        /// program did not have become NULL.
        func keep(in database: Database) -> Bool {
            do {
                let known = try database.prepare("SELECT * FROM main.\(table)").columnNames
                // The '+' copies each value as it is, even if another program has declared another type.
                let list = columns.map { known.contains($0) ? "+\($0) AS \($0)" : "NULL AS \($0)" }.joined(
                    separator: ", ")
                try database.execute(
                    "CREATE TABLE temp.kept_\(table) AS SELECT \(list) FROM main.\(table) WHERE \(rows)")
                return try !database.hasRow("SELECT 1 FROM temp.kept_\(table) WHERE NOT (\(isGood))")
            } catch {
                // Whatever the error is, the table begins again empty.
                return false
            }
        }

        func putBack(in database: Database) throws {
            let list = columns.joined(separator: ", ")
            try database.execute(
                "INSERT OR IGNORE INTO main.\(table) (\(list)) SELECT \(list) FROM temp.kept_\(table); "
                    + "DROP TABLE temp.kept_\(table)")
        }
    }
}

extension OutputDatabase {
    /// Our tables, and the SQL that makes each.
    static let creations: [(name: String, sql: String)] =
        OutputSchema.tables.map { ($0.name, $0.creation) } + OwnTables.creations
}
