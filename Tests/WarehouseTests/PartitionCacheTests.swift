import Events
import Foundation
import Testing
import Warehouse

@Suite struct PartitionCacheTests {
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
}
