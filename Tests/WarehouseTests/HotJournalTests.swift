import Events
import Foundation
import SQLite
import Testing
import Warehouse

@Suite struct HotJournalTests {
    private let date = day("2026-11-19")

    /// As after a kill in the middle of a commit: half of the pages are new, the journal has the old ones.
    private func killed() throws -> (Scene, before: [String]) {
        let scene = try Scene()
        try scene.load(Load(logDate: date, hits: (1...3000).map { Hit(id: $0, time: 0, delivery: "d\($0)") }))
        try scene.publish()
        let before = try scene.dump()
        let path = scene.folder.databasePath
        let writer = try Connection(path: path)
        try writer.inDatabase { database in
            try database.execute(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE daily_actions SET events = events + 1")
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: scene.root + "/copy" + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        try writer.close()
        for suffix in ["", "-journal"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
            try FileManager.default.moveItem(atPath: scene.root + "/copy" + suffix, toPath: path + suffix)
        }
        return (scene, before)
    }

    @Test func readingRollsBackAnInterruptedTransaction() throws {
        let (scene, before) = try killed()
        #expect(throws: DatabaseError.self) { try scene.dump() }
        #expect(try scene.output.days().map(\.events) == [3000])
        #expect(try scene.dump() == before)
        #expect(try scene.names(in: scene.folder.path) == ["partitions", "push.db"])
    }

    @Test func publishingRollsBackAnInterruptedTransaction() throws {
        let (scene, before) = try killed()
        #expect(try !scene.publish().changed)
        #expect(try scene.dump() == before)
        let (other, _) = try killed()
        try other.load(Load(logDate: date + 1, hits: [Hit(id: 1, time: 1)]))
        #expect(try other.publish().changed)
        #expect(try other.output.days().map(\.events) == [3000])
    }
}
