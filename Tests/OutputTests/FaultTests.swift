import Events
import Foundation
import Messages
import Partitions
import SQLite
import Support
import Testing

@Suite struct FaultTests {
    private let date = day("2026-11-19")

    private func scene() throws -> Scene {
        let scene = try Scene()
        for offset in 0..<3 {
            let at = time("2026-11-19 07:00:00") + Int64(offset) * 86_400_000
            let hits = (1...500).map { Hit(id: UInt64(offset) * 300 + $0, time: at + Int64($0) * 1000) }
            try scene.load(Load(logDate: date.adding(days: offset), hits: hits), blockSize: 100)
        }
        return scene
    }

    /// Nothing of a publishing stands that could not be committed. Nobody else has changed push.db.
    @Test(arguments: ["pipeline", "version", "all"])
    func whatAReaderKeepsFromPushIsNoChangeOfOthers(setting: String) throws {
        let scene = try scene()
        try scene.publish()
        var settings = scene.settings(window: setting == "all" ? 1 : 30)
        if setting == "pipeline" { settings.pipeline = "another" }
        if setting == "version" { settings.programVersion = "2" }
        let holder = try Database(scene.folder.databasePath)
        try holder.execute("BEGIN EXCLUSIVE")
        #expect(throws: OutputError(.busy, at: scene.folder.databasePath)) { try scene.publish(settings) }
        try holder.execute("ROLLBACK")
        let publication = try scene.publish(settings)
        #expect(publication.repair == nil)
        #expect(try scene.publish(settings).repair == nil)
    }

    /// An earlier version of the program may have had a column less; its rows stay. Without a column that no row may lack the table
    /// begins again.
    @Test(arguments: [("detail", 1), ("files", 0)])
    func rowsOfTheHistoryThatLackAColumnStay(column: String, count: Int) throws {
        let scene = try scene()
        try scene.publish()
        let database = try Database(scene.folder.databasePath)
        try database.execute(
            """
            INSERT INTO loads VALUES ('2026-11-19', '2026-11-20 02:00:00', '2026-11-20 02:00:01', 'complete', 'said', 1, 2, 2, 0, 0, 2, 0);
            ALTER TABLE loads DROP COLUMN \(column)
            """)
        database.close()
        #expect(try scene.publish().repair != nil)
        let loads = try Database(scene.folder.databasePath)
        #expect(try loads.value("SELECT count(*) FROM loads WHERE events = 2 AND \(column) IS NULL") == count)
        #expect(try loads.value("SELECT count(*) FROM loads") == count)
    }

    @Test func verifyingAPartitionStopsAtEachOfItsQuestions() throws {
        let scene = try scene()
        let partition = try Partition(of: date, in: scene.folder)
        var questions = 0
        try partition.verify {
            questions += 1
            return false
        }
        #expect(questions > 3)
        for last in 1...questions {
            var asked = 0
            #expect(throws: Stopped()) {
                try partition.verify {
                    asked += 1
                    return asked == last
                }
            }
            #expect(asked == last)
        }
    }
}
