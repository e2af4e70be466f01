import Foundation
import SQLite
import Testing

@testable import Output
@testable import Partitions

/// Tables that share columns have the same sums, or nothing is published.
@Suite struct TableSumsTests {
    @Test(arguments: ["hours", "paths", "actions", "funnel"], [false, true])
    func tablesThatDisagreeAreNotPublished(table: String, isNew: Bool) throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 07:00:00"))]))
        try scene.publish()
        let count = ["hours", "actions"].contains(table) ? "events" : "messages"
        try Database(scene.ledger).execute("UPDATE \(table) SET \(count) = \(count) + 1")
        // As if the program itself had written that.
        var left = try #require(LeftFiles(in: scene.folder))
        left.ledger = OutputStamp(scene.ledger)
        try left.store(in: scene.held)
        if isNew {
            try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        } else {
            try scene.load(Load(logDate: day("2026-11-20"), hits: [Hit(id: 2, time: time("2026-11-19 07:00:00"))]))
        }
        let error = try #require(throws: WarehouseError.self) { try scene.publish() }
        #expect(error.message.code == "tables_disagree")
        #expect(error.message.words.contains(" have different sums on 2026-11-19: "))
    }
}
