import Events
import Foundation
import SQLite
import Testing

@testable import Warehouse

/// A push.db whose rows are wrong though it has the stamp and the digests that the last command left, as after a fault of
/// the disk or of the program.
@Suite struct SuspicionTests {
    @Test func aNotedFaultIsRebuiltFromThePartitions() throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: time("2026-11-19 10:00:00"))]))
        try scene.publish()
        let before = try scene.dump()
        let queue = try Connection(path: scene.folder.databasePath)
        let digests = try queue.inDatabase { database in
            try database.execute(sql: "UPDATE daily_funnel SET messages = 7")
            return try TableDigests(of: OutputSchema.tables, in: database)
        }
        try queue.close()
        try scene.output.leave(digests)
        #expect(scene.output.isAsLeft)
        #expect(try scene.publish().faults == nil)
        #expect(try scene.dump() != before)

        #expect(scene.output.suspect())
        #expect(!scene.output.isAsLeft)
        let faults = try #require(try scene.publish().faults)
        #expect(faults.differences.first == .otherRows(table: "daily_funnel", dates: ["2026-11-19"]))
        #expect(try scene.dump() == before)
        #expect(scene.output.isAsLeft)
    }
}
