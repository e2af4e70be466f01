import Foundation
import Hashing
import Posix
import SQLite

/// Publishes by the ledger too, beside push.db, and compares the tables of both. Only while both ways exist: if the environment
/// has `PUSHETL_LEDGER`, which names a folder. With `PUSHETL_LEDGER_ALL` everything is written once more, of which no row may
/// differ; with `PUSHETL_LEDGER_TIMES` the durations are printed, and nothing is compared.
enum LedgerComparison {
    static let folder = ProcessInfo.processInfo.environment["PUSHETL_LEDGER"]

    /// - Throws: `.disorder` if the tables differ.
    static func check(
        _ output: OutputDatabase, _ all: PartitionSet, _ basis: PublicationBasis,
        _ settledPart: @escaping @Sendable (Int32) throws(WarehouseError) -> FigurePart
    ) throws(WarehouseError) {
        guard let root = folder else { return }
        let path =
            output.folder.path.hasPrefix("/")
            ? output.folder.path : FileManager.default.currentDirectoryPath + "/" + output.folder.path
        let folder = "\(root)/\(WordHash.of(Array(path.utf8).span).hexDigits)"
        _ = try reportingCalls { () throws(SystemError) in try Folder.create(folder) }
        let ledger = Ledger(path: "\(folder)/ledger.sqlite", sharedFolder: folder)
        let started = FileStamp.now()
        let connection = try ledger.open()
        let deliveries = LedgerDeliveries(
            list: basis.settings.deliveries, zone: basis.settings.zone,
            version: "\(try output.folder.deliveriesVersion() ?? "") \(basis.settings.zone.version)")
        try LedgerUpdate(ledger: ledger, all: all, basis: basis, deliveries: deliveries, settledPart: settledPart)
            .run(connection)
        let updated = FileStamp.now()
        let push = "\(folder)/push.db"
        let differences = try reportingFacts(of: push) {
            try connection.close()
            let connection = try Connection(path: push)
            return try connection.inDatabase { database -> [String] in
                for table in LedgerPublishing.tables where try !database.tableExists(table.name) {
                    try database.execute(sql: table.creation)
                }
                try database.execute(sql: "ATTACH ? AS ledger", arguments: [ledger.path])
                let publishing = LedgerPublishing(database: database)
                try publishing.prepare()
                try database.inTransaction(.immediate) {
                    _ = try publishing.writeTouched()
                    return .commit
                }
                let written = FileStamp.now()
                if ProcessInfo.processInfo.environment["PUSHETL_LEDGER_ALL"] != nil {
                    try database.inTransaction(.immediate) {
                        let changes = try publishing.writeAll().filter { $0.value > 0 }
                        if !changes.isEmpty {
                            throw WarehouseError.corrupt(path: push, detail: "ALL DIFFERS \(changes)")
                        }
                        return .commit
                    }
                    FileHandle.standardError.write(
                        Data("ledger: all \((FileStamp.now() - written) / 1_000_000) ms\n".utf8))
                }
                try database.inTransaction(.immediate) {
                    try publishing.clearTouched()
                    return .commit
                }
                if ProcessInfo.processInfo.environment["PUSHETL_LEDGER_TIMES"] != nil {
                    FileHandle.standardError.write(
                        Data(
                            "ledger: update \((updated - started) / 1_000_000) ms, publishing \((written - updated) / 1_000_000) ms\n"
                                .utf8))
                    return []
                }
                try database.execute(sql: "ATTACH ? AS other", arguments: [output.path])
                return try LedgerPublishing.tables.compactMap { table in
                    let columns = table.columns.map(\.name).filter { $0 != "warnings" }.joined(separator: ", ")
                    let name = table.name
                    let rows = try ["main", "other"].map { schema in
                        try Row.fetchAll(
                            database,
                            sql: """
                                SELECT \(columns) FROM \(schema).\(name)
                                EXCEPT SELECT \(columns) FROM \(schema == "main" ? "other" : "main").\(name) LIMIT 3
                                """)
                    }
                    return rows.allSatisfy(\.isEmpty) ? nil : "\(name): \(rows.map { $0.map(\.databaseValues) })"
                }
            }
        }
        if !differences.isEmpty {
            FileHandle.standardError.write(Data("LEDGER DIFFERS \(differences.joined(separator: "\n"))\n".utf8))
            throw .disorder(path: push)
        }
    }
}
