import Foundation
import Posix
import SQLite

/// History rows that version 1.1.0 could not write to push.db, in `partitions/.waiting.json`.
struct FormerHistory {
    private struct Record: Codable {
        let run: RunRecord
        let loads: [LoadRecord]
    }

    static func path(in folder: OutputFolder) -> String { folder.partitionsPath + "/.waiting.json" }

    private let records: [Record]

    /// Nil if there is no such file, or it is not what a command has written.
    init?(in folder: OutputFolder) {
        guard let bytes = try? WholeFile.readFile(FormerHistory.path(in: folder)),
            let records = try? JSONDecoder().decode([Record].self, from: Data(bytes))
        else { return nil }
        self.records = records
    }

    /// Adds the rows that are missing.
    func add(to database: Database, in folder: OutputFolder) throws {
        let history = LedgerHistory(database: database)
        for record in records {
            _ = try record.run.insertIfNew(into: database)
            for load in record.loads where try load.insertIfNew(into: database) { try history.note(load, in: folder) }
        }
    }
}
