import Events
import Foundation
import Testing

import struct Reference.SplitMix64
import enum Support.Long

@testable import Warehouse

@Suite struct PartitionCacheTests {
    /// Loads, replaces and removes partitions, publishes now and then, and loses or damages what is kept: what is
    /// published at the end is what a new output makes of the same partitions.
    @Test(arguments: 0..<(Long.isOn ? 150 : 8))
    func anyHistoryPublishesWhatThePartitionsAloneSay(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 5000))
        let scene = try Scene()
        let window = random.pick([0, 1, 2, 5, 30])
        var standing: [Int32: Load] = [:]
        for _ in 0..<Int.random(in: 3...14, using: &random) {
            let date = day("2026-11-01") + Int32.random(in: 0...9, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                standing[date] = nil
                try? FileManager.default.removeItem(atPath: scene.folder.partitionPath(date))
            case 1: try lose(&random, scene)
            default:
                var load = Load(logDate: date, hits: hits(near: date, &random))
                load.version = "\(random.next())"
                standing[date] = load
                try scene.load(load, blockSize: Int.random(in: 1...6, using: &random))
            }
            // Whatever is lost of what was kept, a push.db that nobody has edited is as it should be.
            if random.chance(50) { utimes(scene.folder.databasePath, nil) }
            if random.chance(70) {
                let publication = try scene.publish(settings(scene, window, random.chance(10) ? 1 : 0))
                #expect(publication.faults == nil, "seed \(seed)")
            }
        }
        try scene.publish(settings(scene, window, 0))
        let other = try Scene()
        for load in standing.values { try other.load(load, blockSize: 3) }
        try other.publish(settings(other, window, 0))
        let (found, expected) = (try scene.dump(), try other.dump())
        #expect(found == expected, "seed \(seed)")
        // What is kept now serves as it is.
        try FileManager.default.removeItem(atPath: scene.folder.databasePath)
        try scene.publish(settings(scene, window, 0))
        #expect(try scene.dump() == expected)
    }

    private func settings(_ scene: Scene, _ window: Int, _ other: Int) -> PublicationSettings {
        scene.settings(zone: other == 0 ? "Europe/Madrid" : "Asia/Tokyo", window: window + other)
    }

    /// Few ids, so that messages meet, and many that meet nothing.
    private func hits(near date: Int32, _ random: inout SplitMix64) -> [Hit] {
        var hits: [String: Hit] = [:]
        for _ in 0..<Int.random(in: 0...25, using: &random) {
            let isShared = random.chance(40)
            let id = isShared ? UInt64.random(in: 1...8, using: &random) : UInt64(date) * 1000 + random.next() % 200
            let hit = Hit(
                kind: random.pick([.hex, .hex, .uuid]), id: id,
                time: (Int64(date) - Int64.random(in: 0...3, using: &random)) * 86_400_000 + Int64(random.next() % 40)
                    * 1_000_000, source: random.pick(["adobe", "momo"]), delivery: random.pick(["d1", "d2"]),
                action: random.pick(["impression", "click", "open"]), platform: random.pick([.ios, .android]),
                records: random.chance(20) ? 2 : 1)
            hits["\(hit.kind) \(hit.id) \(hit.action)"] = hit
        }
        return hits.sorted { $0.key < $1.key }.map(\.value)
    }

    private func lose(_ random: inout SplitMix64, _ scene: Scene) throws {
        let folder = scene.folder.cachePath
        for name in (try? scene.names(in: folder)) ?? [] where random.chance(40) {
            let path = folder + "/" + name
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            guard !bytes.isEmpty else { continue }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: try FileManager.default.removeItem(atPath: path)
            case 1:
                try bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)).write(to: URL(fileURLWithPath: path))
            default:
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                try bytes.write(to: URL(fileURLWithPath: path))
            }
        }
    }

    @Test func aNewDateChangesNoFiguresOfPartitionsThatItSharesNothingWith() throws {
        let scene = try Scene()
        for offset in 0..<4 as Range<Int32> {
            let date = day("2026-11-01") + offset
            let at = Int64(date) * 86_400_000
            // Each date has a message of the date before.
            try scene.load(
                Load(
                    logDate: date, hits: [Hit(id: UInt64(offset) + 1, time: at), Hit(id: UInt64(offset) + 2, time: at)])
            )
        }
        try scene.publish()
        let before = try kept(scene)
        let date = day("2026-11-05")
        try scene.load(Load(logDate: date, hits: [Hit(id: 5, time: Int64(date) * 86_400_000)]))
        try scene.publish()
        let after = try kept(scene)
        #expect(after.keys.sorted() == (1...5).map { "2026-11-0\($0).figures" })
        #expect(before.keys.sorted().filter { before[$0] != after[$0] } == ["2026-11-04.figures"])
        #expect(
            try scene.rows("SELECT day, sum(events), sum(duplicates) FROM daily_actions GROUP BY day") == [
                "2026-11-01|2|0", "2026-11-02|1|1", "2026-11-03|1|1", "2026-11-04|1|1", "2026-11-05|0|1",
            ])
    }

    @Test func theCacheOfARemovedPartitionIsRemovedToo() throws {
        let scene = try Scene()
        let loads = (0..<4 as Range<Int32>).map { offset in
            let date = day("2026-11-01") + offset
            // The last two share a message.
            return Load(logDate: date, hits: [Hit(id: UInt64(min(offset, 2)) + 1, time: Int64(date) * 86_400_000)])
        }
        for load in loads { try scene.load(load) }
        try scene.publish()
        try FileManager.default.removeItem(atPath: scene.folder.partitionPath(loads[3].logDate))
        try scene.publish()
        let without = try kept(scene)
        #expect(without.keys.sorted() == (1...3).map { "2026-11-0\($0).figures" })
        try scene.load(loads[3])
        try scene.publish()
        let with = try kept(scene)
        #expect(without.keys.sorted().filter { without[$0] != with[$0] } == ["2026-11-03.figures"])
    }

    private func kept(_ scene: Scene) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for name in try scene.names(in: scene.folder.cachePath) where name.hasSuffix(".figures") {
            contents[name] = try Data(contentsOf: URL(fileURLWithPath: scene.folder.cachePath + "/" + name))
        }
        return contents
    }

    @Test func aPartitionThatWasDamagedSinceIsFoundThoughItsCacheSuffices() throws {
        let scene = try Scene()
        for offset in 0..<2 as Range<Int32> {
            let date = day("2026-11-01") + offset
            let hits = (0..<200).map { Hit(id: UInt64(offset) * 1000 + $0 + 1, time: Int64(date) * 86_400_000) }
            try scene.load(Load(logDate: date, hits: hits), blockSize: 50)
        }
        try scene.publish()
        #expect(try scene.output.isCurrent(scene.settings()))
        let path = scene.folder.partitionPath(day("2026-11-01"))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let partition = try Partition(path: path)
        let places = try #require(try partition.blockEntries()[Section(idSpace: "push", kind: .hex)])
        let block = try #require(try partition.blocks(places.prefix(1)).first)
        let place = try #require(bytes.range(of: Data(block.bytes.suffix(100)))).lowerBound
        bytes[place + 20] ^= 0x10
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try !scene.output.isCurrent(scene.settings()))
        #expect(try scene.publish().damaged.map(\.path) == [path])
        #expect(try scene.rows("SELECT log_date FROM partitions") == ["2026-11-02"])
    }
}
