import Ledger
import Messages
import Partitions
import Posix
import SQLite

/// The ledger of an output while a command writes it.
struct OpenLedger {
    private let ledger: Ledger
    private(set) var database: Database
    /// Its name for the output.
    private(set) var output = ""
    /// Whether the figures are computed anew.
    private(set) var isAnew = false
    /// Whether the last command was killed while it wrote push.db.
    private var mayLackHistory = false
    /// Why the former ledger could not be used; nil if it could, or if there was none to be expected.
    private(set) var loss: LedgerLoss?

    var path: String { ledger.path }

    /// Opens the ledger, or makes it anew if it is not what the last command left.
    init(of output: OutputDatabase, _ left: LeftFiles?) throws(WarehouseError) {
        ledger = Ledger(of: output.folder)
        let isThere = FileStamp(path: ledger.path) != nil
        let isHistoryLost = FileStamp(path: output.path) == nil
        let isLeft = left.map { [ledger] left in left.isLeft(ledger.path, left.ledger) } ?? false
        do throws(WarehouseError) {
            (database, self.output) = try OpenLedger.opened(ledger, output, left, isLeft: isLeft, isThere: isThere)
        } catch {
            guard let damage = error.damage else { throw error }
            database = try OpenLedger.replaced(ledger, output)
            loss = LedgerLoss(damage: damage, isHistoryLost: isHistoryLost)
            try makeAnew(output)
            return
        }
        if !isThere {
            if left?.ledger != nil || output.isWritten { loss = LedgerLoss(isHistoryLost: isHistoryLost) }
            try makeAnew(output)
        } else if !isLeft {
            try makeAnew(output)
        } else {
            mayLackHistory = left.map { $0.isWriting && output.isLeft($0) } ?? false
        }
    }

    /// Opens and checks the file. Returns the ledger's name for the output, too.
    private static func opened(
        _ ledger: Ledger, _ output: OutputDatabase, _ left: LeftFiles?, isLeft: Bool, isThere: Bool,
        isSecond: Bool = false
    ) throws(WarehouseError) -> (Database, String) {
        do throws(WarehouseError) {
            let database = try ledger.open(whenBusy: output.whenBusy)
            let (name, damage) = try reportingFacts(of: ledger.path) {
                (try Ledger.fact("output", database), isLeft ? nil : try PushState.damage(database))
            }
            if let damage { throw WarehouseError.corrupt(path: ledger.path, detail: damage) }
            // A backup of another output's ledger has another history.
            guard let name, !isThere || left.map({ $0.output == name }) ?? true else {
                throw WarehouseError.corrupt(path: ledger.path, detail: "it belongs to another output")
            }
            return (database, name)
        } catch {
            // SQLite also calls a file malformed of which a page could not be read at that moment.
            guard error.damage != nil, !isSecond else { throw error }
            return try opened(ledger, output, left, isLeft: isLeft, isThere: isThere, isSecond: true)
        }
    }

    /// Adds what the last command may have written to push.db and not noted here.
    mutating func takeOverRest(_ push: OutputDatabase) throws(WarehouseError) {
        guard mayLackHistory else { return }
        try takeOver(push, isAll: false)
        mayLackHistory = false
    }

    /// Removes a file that cannot be used, and makes an empty one.
    private static func replaced(_ ledger: Ledger, _ output: OutputDatabase) throws(WarehouseError) -> Database {
        try reportingCalls { () throws(SystemError) in
            for suffix in DatabaseFile.companions + [""] { _ = try WholeFile.remove(ledger.path + suffix) }
        }
        return try ledger.open(whenBusy: output.whenBusy)
    }

    /// Removes the figures, so that they are computed anew, and adds what push.db tells of the history.
    mutating func makeAnew(_ push: OutputDatabase) throws(WarehouseError) {
        isAnew = true
        output = try reportingFacts(of: path) {
            try database.transaction {
                try OpenLedger.removeFigures(database)
                return try Ledger.fact("output", database) ?? ""
            }
        }
        try takeOver(push, isAll: true)
    }

    /// Removes all that is computed, so that it is computed anew. The history and what was published last stay, and so does the
    /// list of deliveries until the files can be read.
    private static func removeFigures(_ database: Database) throws {
        let tables =
            LedgerTable.all.map(\.name)
            + ["arrivals", "files", "outcomes", "partitions"] + Ledger.toDoLists
        for table in tables { try database.execute("DELETE FROM \(table)") }
        try database.execute("DELETE FROM facts WHERE key = 'settings'")
        try Ledger.setFact("all", "1", database)
        try LedgerDeliveries.noteDoubt(in: database)
        try LedgerDeliveries.insertRows(database)
    }

    private func takeOver(_ push: OutputDatabase, isAll: Bool) throws(WarehouseError) {
        try read { try LedgerHistory(in: $0).takeOver(from: push.path, isAll: isAll) }
    }

    /// Changes it with `body` in one transaction.
    func write(_ body: (Database) throws -> Void) throws(WarehouseError) {
        try reportingFacts(of: path) { try database.transaction { try body(database) } }
    }

    func read<Result>(_ body: (Database) throws -> Result) throws(WarehouseError) -> Result {
        try reportingFacts(of: path) { try body(database) }
    }
}

/// That a ledger could not be used. Its figures were computed anew, and its history is what push.db had.
package struct LedgerLoss: Equatable, Sendable {
    /// What is wrong with it; nil if it is missing.
    var damage: String?
    /// Whether there was no push.db either.
    let isHistoryLost: Bool

    /// What was lost, and why.
    package func message(in folder: OutputFolder) -> Message {
        let path = folder.partitionsPath + "/ledger.sqlite"
        let why: MessageText = damage.map { "could not be used (\($0))" } ?? "is missing"
        if isHistoryLost {
            return Message(
                "lost_ledger",
                """
                \(path: path): \(why); it was made anew from the partitions, and push.db was missing too, so all rows of \
                'runs', 'loads' and 'changes' are lost
                """, path: folder.databasePath)
        }
        return Message(
            "lost_ledger",
            """
            \(path: path): \(why); it was made anew from the partitions, and its history from push.db, so rows of 'runs' and \
            'loads' that push.db did not have yet are lost
            """, path: folder.databasePath)
    }
}
