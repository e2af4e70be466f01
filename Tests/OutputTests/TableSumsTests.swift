import Foundation
import Messages
import SQLite
import Testing

@testable import Output
@testable import Partitions

/// Tables that share columns have the same sums, or nothing is published.
@Suite struct TableSumsTests {
    @Test(arguments: ["hourly_actions", "daily_paths", "daily_actions", "daily_funnel"])
    func tablesThatDisagreeAreNotPublished(table: String) throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 07:00:00"))]))
        try scene.publish()
        let count = table.hasSuffix("actions") ? "events" : "messages"
        try Database(scene.folder.databasePath).execute("UPDATE \(table) SET \(count) = \(count) + 1")
        // As if the program itself had written that.
        try LeftFile(OutputStamp(scene.folder.databasePath)).store(in: scene.locked)
        try scene.load(Load(logDate: day("2026-11-20"), hits: [Hit(id: 2, time: time("2026-11-19 07:00:00"))]))
        let error = try #require(throws: Fault.self) { try scene.publish() }
        #expect(error.message.code == .tablesDisagree)
        #expect(error.message.words.contains(" have different sums on 2026-11-19: "))
    }
}
