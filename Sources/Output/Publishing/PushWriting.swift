import Calendar
import Foundation
import Ledger
import Partitions
import Posix
import SQLite

/// Writes push.db in one transaction: what is touched, or all of it.
struct PushWriting {
    let output: OutputDatabase
    let ledger: Ledger
    let state: PushState
    /// Whether nothing was published before. Else a history without changes does not begin with 1.
    let isFirst: Bool

    private(set) var isChanged = false
    /// Tables in which something else had changed rows.
    private(set) var changedByOthers: [String] = []
    private(set) var understated: [UnderstatedDelivery] = []
    /// Where the former file is kept.
    private(set) var copy: String?
    /// The rows of `changes`, and the sums of the days, for the ledger.
    private var changes: [[DatabaseValue]] = []
    private var sums: [[DatabaseValue]] = []
    private var needsCommit = false

    init(output: OutputDatabase, ledger: Ledger, state: PushState, isFirst: Bool) {
        (self.output, self.ledger, self.state, self.isFirst) = (output, ledger, state, isFirst)
    }

    typealias Recording = (_ changed: Bool) throws -> RunRecord?

    /// Writes to the file that is there, which keeps its name, inode, owner, links and readers.
    mutating func update(_ recording: Recording) throws(WarehouseError) -> RunRecord? {
        if state.losesColumns { copy = try PushPlace(output).keepCopy() }
        var run: RunRecord?
        try output.reporting {
            let database = try Database(output.path, whenBusy: output.whenBusy)
            // EXTRA also syncs the folder, in which the commit removes the journal. Changed pages stay in memory
            // until the commit, so that readers are locked out only then.
            try database.execute("\(Ledger.largerCaches); PRAGMA synchronous = EXTRA; PRAGMA cache_spill = OFF")
            try output.leaveWAL(database)
            try attach(to: database)
            let lock = try lockStatement(database)
            // An immediate transaction would be one on the ledger too.
            try database.transaction(isImmediate: false, keeping: \.self) {
                try database.execute(lock)
                guard state.settings.contains("journal_mode") || FileStamp(path: output.path) == state.stamp else {
                    throw WarehouseError.replaced(path: output.path)
                }
                let indexes = try setBack(database)
                run = try fill(database, recording)
                for index in indexes { try database.execute(index.sql) }
                return run != nil || needsCommit
            }
        }
        return run
    }

    /// Makes a new file, and gives it the place of the one that is there.
    mutating func replace(
        _ left: LeftFiles?, in held: HeldOutput, _ recording: Recording
    ) throws(WarehouseError) -> RunRecord? {
        let place = try PushPlace(output)
        let file = try place.createTemporary()
        defer {
            file.close()
            place.removeTemporary()
        }
        var run: RunRecord?
        try reportingFacts(of: output.path) {
            let database = try Database(place.temporaryPath)
            // A crash leaves a temporary file that nobody reads.
            try database.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
            try attach(to: database)
            try database.transaction(isImmediate: false) {
                try DatabaseFile.output(output.path).mark(database)
                for table in OutputSchema.tables { try database.execute(table.creation) }
                try OutputStatistics.write(to: database)
                run = try fill(database, recording)
            }
        }
        if case .malformed = state.content { copy = try place.setAside() }
        // From now on it is known as ours, whatever happens.
        var left = left
        left?.push = OutputStamp(place.temporaryPath)
        try left?.store(in: held)
        try place.install(file)
        return run
    }

    /// SQL that takes the lock that a writer has: the transaction is deferred. It must be the first statement, since SQLite does
    /// not wait for other writers once it has read. Where no table of ours is there, making them takes the lock.
    private func lockStatement(_ database: Database) throws -> String {
        let ours = OutputSchema.tables.map { "'\($0.name)'" }.joined(separator: ", ")
        let name: String? = try database.value(
            "SELECT name FROM main.sqlite_master WHERE type = 'table' AND name IN (\(ours))")
        return name.map { "DELETE FROM main.\($0) WHERE false" } ?? ""
    }

    private func attach(to database: Database) throws {
        try database.execute("ATTACH ? AS ledger", .of(ledger.path))
    }

    /// Sets back what others have changed. Returns the indexes of others that are to be made again.
    private func setBack(_ database: Database) throws -> [OutputObject] {
        for trigger in state.triggers { try database.execute("DROP TRIGGER main.\(trigger.name.quoted)") }
        let objects = try OutputObjects(database)
        let indexes = objects.foreignIndexes(on: state.otherTables)
        for table in OutputSchema.tables where state.otherTables.contains(table.name) {
            try database.execute("DROP TABLE IF EXISTS main.\(table.name)")
            try database.execute(table.creation)
        }
        // A table that goes takes its statistics with it.
        if state.settings.isEmpty, state.otherTables.isEmpty { return indexes }
        try OutputStatistics.write(to: database)
        try DatabaseFile.output(output.path).mark(database)
        return indexes
    }

    /// Writes the rows. The tables are there.
    private mutating func fill(_ database: Database, _ recording: Recording) throws -> RunRecord? {
        assert(database.isInTransaction)
        let publishing = LedgerPublishing(database)
        let isThere = [.left, .unknown].contains(state.content)
        try publishing.prepare(isNew: !isThere)
        // The figures of the ledger may be computed anew. Then push.db shows others rightly, unless it claims to show these.
        let facts = try LedgerState(database, in: "ledger")
        let isOld = { [state] (name: String) in state.otherTables.contains(name) }
        let isClaimed = try facts.isWhole || !isOld(OutputSchema.publication.name) && publishing.showsPublication()
        let version = try publishing.differs("version", besides: isOld)
        // Whether push.db has other rows than it claims to have: something else has changed it.
        let isChanged = state.content == .unknown && isClaimed
        var differences: [String: LedgerPublishing.Differences] = [:]
        if isThere, facts.isWhole {
            let check = { [state, output] in
                if state.content == .left { try publishing.checkSums(of: .changed, path: output.path) }
            }
            differences = try publishing.writeTouched({ !isOld($0) }, checking: check)
        }
        if state.content != .left || !facts.isWhole {
            let all =
                isThere
                ? try publishing.writeAll(areChanges: !facts.isWhole && !isChanged) : try publishing.writeNew()
            if isChanged {
                // What was still to be written is no change of others.
                let found = facts.hasWork && facts.isWhole ? all : all.merging(differences, uniquingKeysWith: +)
                changedByOthers = LedgerPublishing.changedByOthers(
                    found.filter { !isOld($0.key) }, isWaiting: facts.isWaiting, isOtherVersion: version)
            }
            differences.merge(all, uniquingKeysWith: +)
            if facts.isWhole || !isChanged { try publishing.noteOtherSums() }
            try publishing.checkSums(of: .days("SELECT day FROM temp.written_days"), path: output.path)
        }
        understated = try publishing.understated()
        let number = try publishing.nextNumber(isFirst: isFirst)
        changes = try publishing.addChanges(
            number: number, time: CalendarText.dateTime(ofMilliseconds: FileStamp.now() / 1_000_000))
        sums = try database.rows(LedgerPublishing.sums) { $0.values }
        // Another version of the program alone is no change.
        if version { differences[OutputSchema.about.name]?.count -= 1 }
        let changed = differences.filter { $1.count > 0 }.keys
        self.isChanged = state.needsWriting || changed.contains { !OutputSchema.isHistory($0) }
        needsCommit = self.isChanged || !changed.isEmpty || !changes.isEmpty
        return try recording(self.isChanged).map { try LedgerHistory(in: database).add($0) }
    }

    /// Notes in the ledger what push.db shows now.
    func note(in database: Database) throws {
        for row in changes { try OutputSchema.changes.insert(row, into: database) }
        try database.execute(
            """
            DELETE FROM published; DELETE FROM published_versions; DELETE FROM facts WHERE key IN ('all', 'waiting');
            INSERT INTO published_versions SELECT log_date, version FROM partitions
            """)
        for row in sums {
            try database.execute("INSERT INTO published VALUES (?, ?, ?, ?)", row)
        }
        try Ledger.clearTouched(in: database)
    }
}
