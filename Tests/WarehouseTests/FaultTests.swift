import Events
import Foundation
import SQLite
import Support
import Testing
import Warehouse

import struct Reference.SplitMix64

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
        try Connection(path: path).inDatabase { try $0.execute(sql: sql) }
    }

    @Test(
        arguments: ["notes of last week", "x"])
    func anOutputDBThatIsNotASQLiteFileStaysAsItIs(text: String) throws {
        let scene = try scene()
        let path = scene.folder.databasePath
        let content = Data(String(repeating: text, count: 300).utf8)
        try content.write(to: URL(fileURLWithPath: path))
        #expect(throws: WarehouseError.notSQLite(path: path)) { try scene.publish() }
        #expect(try !scene.output.isCurrent(scene.settings()))
        #expect(throws: WarehouseError.notSQLite(path: path)) { try scene.output.days() }
        #expect(try bytes(path) == content)
    }

    @Test func anEmptyOutputDBAsACrashMayLeaveItIsFilled() throws {
        let scene = try scene()
        try Data().write(to: URL(fileURLWithPath: scene.folder.databasePath))
        #expect(try scene.output.days().isEmpty)
        #expect(try scene.publish().changed)
    }

    @Test func anOutputDBOfANewerSchemaOrOfAnotherApplicationStaysAsItIs() throws {
        let scene = try scene()
        let path = scene.folder.databasePath
        try scene.publish()
        try execute("PRAGMA user_version = 6", path)
        let newer = try bytes(path)
        #expect(throws: WarehouseError.newerSchema(path: path, schema: 6, known: 5)) { try scene.publish() }
        #expect(try bytes(path) == newer)
        try FileManager.default.removeItem(atPath: path)
        try execute("CREATE TABLE notes (text)", path)
        let foreign = try bytes(path)
        #expect(throws: WarehouseError.foreign(path: path, applicationID: 0)) { try scene.publish() }
        #expect(try bytes(path) == foreign)
    }

    @Test func aReaderThatHoldsTheOutputDBMakesItBusyAndNothingChanges() throws {
        let scene = try scene()
        try scene.publish()
        let before = try scene.dump()
        try scene.load(Load(logDate: date, hits: [Hit(id: 9, time: 0)]))
        let reader = try Connection(path: scene.folder.databasePath)
        try reader.inDatabase { database in
            try database.execute(sql: "BEGIN; SELECT count(*) FROM days")
            #expect(throws: WarehouseError.busy(path: scene.folder.databasePath)) { try scene.publish() }
            try database.execute(sql: "COMMIT")
        }
        #expect(try scene.dump() == before)
        #expect(try scene.names(in: scene.folder.path) == ["partitions", "push.db"])
        #expect(try scene.publish().changed)
    }

    @Test func aDamagedPartitionIsNamedAndLeftOutAndMendedByLoadingItAgain() throws {
        let scene = try scene()
        let path = scene.folder.partitionPath(date + 1)
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path))
        let publication = try scene.publish()
        #expect(publication.damaged == [.notSQLite(path: path)])
        #expect(publication.logDates == [date, date + 2])
        #expect(try scene.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-21"])
        #expect(try !scene.output.isCurrent(scene.settings()))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "no database")
        try scene.load(Load(logDate: date + 1, hits: []))
        #expect(try scene.publish().damaged.isEmpty)
    }

    @Test(arguments: 0..<(Long.isOn ? 60 : 20))
    func aByteChangedAnywhereInAPartitionIsFoundOrChangesNoFigure(seed: Int) throws {
        let scene = try scene()
        try scene.publish()
        let figures = try scene.dump()
        let path = scene.folder.partitionPath(date + 1)
        var content = try bytes(path)
        var random = SplitMix64(seed: UInt64(seed))
        let place = Int.random(in: 0..<content.count, using: &random)
        content[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try content.write(to: URL(fileURLWithPath: path))
        do {
            let publication = try scene.publish()
            #expect(try publication.damaged.map(\.path) == [path] || scene.dump() == figures)
        } catch WarehouseError.newerSchema {
            // The one byte that says so.
        }
    }

    @Test func aPartitionOfANewerSchemaEndsPublishingAndIsNotReplaced() throws {
        let scene = try scene()
        let path = scene.folder.partitionPath(date)
        try execute("PRAGMA user_version = 7", path)
        let newer = WarehouseError.newerSchema(path: path, schema: 7, known: 6)
        #expect(throws: newer) { try scene.publish() }
        #expect(throws: newer) { try PartitionWriter(logDate: date, folder: scene.folder) }
        #expect(try scene.names(in: scene.folder.partitionsPath).count == 3)
    }

    @Test func aPartitionOfAnOlderSchemaCountsAsDamagedAndIsMendedByLoadingItAgain() throws {
        let scene = try scene()
        let path = scene.folder.partitionPath(date)
        try execute("PRAGMA user_version = 1", path)
        #expect(try scene.publish().damaged == [.corrupt(path: path, detail: "schema version 1 is no longer read")])
        try scene.load(Load(logDate: date, hits: [Hit(id: 1, time: 0)]))
        #expect(try scene.publish().damaged.isEmpty)
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
