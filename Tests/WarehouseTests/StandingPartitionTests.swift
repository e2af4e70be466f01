import Events
import Foundation
import Testing

@testable import Warehouse

@Suite struct StandingPartitionTests {
    private static let hits = (1...20).map {
        Hit(id: UInt64($0), time: time("2026-11-19 10:00:00") + Int64($0) * 1000, records: $0 % 3 + 1)
    }

    private static let standing = Load(
        logDate: day("2026-11-19"), hits: hits, version: "v1",
        rejects: [Reject(source: "adobe", path: "a.log", line: 3, reason: "bad_time", detail: "", sample: "…")])

    /// Whether a load says what the standing one says.
    private func isStanding(_ load: Load, blockSize: Int = 3, in scene: Scene) throws -> Bool {
        let writer = try PartitionWriter(logDate: load.logDate, folder: scene.folder)
        defer { writer.discard() }
        try scene.fill(writer, load, blockSize: blockSize)
        return writer.isStanding()
    }

    @Test(arguments: [1, 3, 7, 20])
    func theSameEventsInWhateverBlocksAreTheSame(blockSize: Int) throws {
        let scene = try Scene()
        try scene.load(Self.standing)
        #expect(try isStanding(Self.standing, blockSize: blockSize, in: scene))
        #expect(try scene.names(in: scene.folder.partitionsPath) == ["2026-11-19.sqlite"])
    }

    @Test(arguments: [3, 7])
    func anotherTimeCountOrRejectIsAnother(blockSize: Int) throws {
        let scene = try Scene()
        try scene.load(Self.standing)
        var load = Self.standing
        load.hits[7].time += 1000
        #expect(try !isStanding(load, blockSize: blockSize, in: scene))
        load = Self.standing
        load.hits[7].records += 1
        load.hits[8].records -= 1
        #expect(try !isStanding(load, blockSize: blockSize, in: scene))
        load = Self.standing
        load.rejects[0].line = 4
        #expect(try !isStanding(load, blockSize: blockSize, in: scene))
        load = Self.standing
        load.version = "v2"
        #expect(try !isStanding(load, blockSize: blockSize, in: scene))
    }

    @Test func aMissingOrDamagedPartitionIsAnother() throws {
        let scene = try Scene()
        #expect(try !isStanding(Self.standing, in: scene))
        try scene.load(Self.standing)
        let path = scene.folder.partitionPath(Self.standing.logDate)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let word = try #require(bytes.range(of: Data("bad_time".utf8)))
        bytes[word.lowerBound] = UInt8(ascii: "c")
        try bytes.write(to: URL(fileURLWithPath: path))
        for blockSize in [3, 7] { #expect(try !isStanding(Self.standing, blockSize: blockSize, in: scene)) }
    }
}
