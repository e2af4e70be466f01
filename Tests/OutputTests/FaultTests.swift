import Events
import Foundation
import Partitions
import SQLite
import Support
import Testing

@Suite struct FaultTests {
    private let date = day("2026-11-19")

    private func scene() throws -> Scene {
        let scene = try Scene()
        for offset in 0..<3 as Range<Int32> {
            let at = time("2026-11-19 07:00:00") + Int64(offset) * 86_400_000
            let hits = (1...500).map { Hit(id: UInt64(offset) * 300 + $0, time: at + Int64($0) * 1000) }
            try scene.load(Load(logDate: date + offset, hits: hits), blockSize: 100)
        }
        return scene
    }

    private func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private func execute(_ sql: String, _ path: String) throws {
        try Database(path).execute(sql)
    }

    @Test func anOutputDBOfANewerSchemaOrOfAnotherApplicationStaysAsItIs() throws {
        let scene = try scene()
        let path = scene.folder.databasePath
        try scene.publish()
        try execute("PRAGMA user_version = 7", path)
        let newer = try bytes(path)
        #expect(throws: WarehouseError.newerSchema(path: path, schema: 7, known: 6)) { try scene.publish() }
        #expect(try bytes(path) == newer)
        try FileManager.default.removeItem(atPath: path)
        try execute("CREATE TABLE notes (text)", path)
        let foreign = try bytes(path)
        #expect(throws: WarehouseError.foreign(path: path, applicationID: 0)) { try scene.publish() }
        #expect(try bytes(path) == foreign)
    }

    /// The ledger has the new settings, and push.db does not show them yet. Nobody else has changed it.
    @Test(arguments: ["pipeline", "version", "all"])
    func whatAReaderKeepsFromPushIsNoChangeOfOthers(setting: String) throws {
        let scene = try scene()
        try scene.publish()
        var settings = scene.settings(window: setting == "all" ? 1 : 30)
        if setting == "pipeline" { settings.pipeline = "another" }
        if setting == "version" { settings.programVersion = "2" }
        let holder = try Database(scene.folder.databasePath)
        try holder.execute("BEGIN EXCLUSIVE")
        #expect(throws: WarehouseError.busy(path: scene.folder.databasePath)) { try scene.publish(settings) }
        try holder.execute("ROLLBACK")
        let publication = try scene.publish(settings)
        #expect(publication.repair == nil)
        #expect(try scene.publish(settings).repair == nil)
    }

    @Test func aPartitionOfANewerSchemaEndsPublishingAndIsNotReplaced() throws {
        let scene = try scene()
        let path = scene.folder.partitionPath(date)
        try execute("PRAGMA user_version = 7", path)
        let newer = WarehouseError.newerSchema(path: path, schema: 7, known: 6)
        #expect(throws: newer) { try scene.publish() }
        #expect(throws: newer) { try PartitionWriter(logDate: date, folder: scene.folder) }
        #expect(try scene.names(in: scene.folder.partitionsPath).filter { $0.hasPrefix("2026") }.count == 3)
    }

    @Test func verifyingAPartitionStopsAtEachOfItsQuestions() throws {
        let scene = try scene()
        let partition = try Partition(logDate: date, folder: scene.folder)
        var questions = 0
        try partition.verify {
            questions += 1
            return false
        }
        #expect(questions > 3)
        for last in 1...questions {
            var asked = 0
            #expect(throws: WarehouseError.stopped) {
                try partition.verify {
                    asked += 1
                    return asked == last
                }
            }
            #expect(asked == last)
        }
    }

    @Test func anOutputFolderThatCannotBeMadeIsNamed() throws {
        let scene = try Scene()
        let file = scene.root + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        #expect(throws: WarehouseError.system(path: file, call: "mkdir", errno: ENOTDIR)) {
            try OutputFolder(file).create()
        }
    }
}
