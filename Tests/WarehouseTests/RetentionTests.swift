import Events
import Foundation
import Support
import Synchronization
import Testing
import Warehouse

import struct Reference.SplitMix64

/// Figures for ever, ids for a while: an output that closes, settles and erases shows what one shows that keeps all ids.
@Suite struct RetentionTests {
    private static let first = day("2026-03-01")

    @Test(arguments: 0..<(Long.isOn ? 100 : 8))
    func erasingIdsChangesNoFigure(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let window = random.pick([0, 0, 1, 1, 2, 3, 7, 30])
        let sources = random.pick(PublishingTests.sourceOrders)
        let zone = random.pick(["UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata"])
        let (keeping, erasing) = (try Scene(), try Scene())
        let settings = keeping.settings(zone: zone, window: window, sources: sources)
        var history = RandomHistory(window: window, random: random)
        var erased = 0
        for step in 0..<Int.random(in: 3...12, using: &history.random) {
            let loads = history.nextLoads()
            for load in loads {
                for scene in [keeping, erasing] {
                    try scene.load(load, sourceOrder: ["zeta", "adobe", "momo", "braze", "alpha"], blockSize: 4)
                }
            }
            try keeping.publish(settings)
            let closing = history.nextClosing()
            if history.random.chance(25) { try? FileManager.default.removeItem(atPath: erasing.folder.cachePath) }
            if history.random.chance(40) {
                // Stopped somewhere; the next publishing goes on.
                let left = Atomic<Int>(Int.random(in: 0...60, using: &history.random))
                var resources = PublishingResources(isStopped: { left.subtract(1, ordering: .relaxed).newValue < 0 })
                resources.justLoaded = Set(loads.map(\.logDate))
                _ = try? erasing.output.publish(settings, resources: resources, closing: closing)
            }
            var resources = PublishingResources(memory: history.random.pick([1, 1 << 20]))
            resources.leastPiece = history.random.pick([1, 5, 65_536])
            let publication = try erasing.output.publish(settings, resources: resources, closing: closing)
            erased += publication.closing?.erased.count ?? 0
            try #require(try erasing.dump() == keeping.dump(), "step \(step)")
            #expect(try erasing.output.isCurrent(settings, closing: closing))
            #expect(try erasing.output.publish(settings, closing: closing).changed == false)
            let bound = closing.through.map { Int($0) - 2 * window } ?? .min
            let partitions = try erasing.folder.partitionDates()
            #expect(partitions.allSatisfy { Int($0) > bound || !history.isClosed($0) }, "step \(step)")
        }
        let expected = ExpectedTables(history.loaded, window: window, zone: zone, sources: sources)
        for (table, rows) in expected.tables {
            let sql = "SELECT * FROM \(table)" + (table == "about" ? " WHERE key NOT IN ('pipeline', 'version')" : "")
            #expect(try sortedTexts(erasing.rows(sql)) == rows, "\(table)")
        }
        let audit = try erasing.output.audit(settings, resources: PublishingResources())
        #expect(
            audit.damaged.isEmpty && audit.leftIDs.isEmpty && audit.differences.isEmpty && audit.unpublished.isEmpty)
        Counter.erased.add(erased, ordering: .relaxed)
    }

    private enum Counter { static let erased = Atomic<Int>(0) }
}

/// Loads in any order, of log dates that are not closed, with ids that meet just within and just out of reach.
private struct RandomHistory {
    let window: Int
    var random: SplitMix64
    private var through: Int32?
    private var dates: [Int32: Load] = [:]

    init(window: Int, random: SplitMix64) {
        self.window = window
        self.random = random
    }

    var loaded: [Load] { dates.values.sorted { $0.logDate < $1.logDate } }

    func isClosed(_ logDate: Int32) -> Bool {
        guard let through, let first = dates.keys.min() else { return false }
        return logDate <= through && Int(logDate) >= Int(first) - window
    }

    mutating func nextLoads() -> [Load] {
        let span = Int32(5 * window + 12)
        let start = day("2026-03-01") + (through.map { $0 - day("2026-03-01") } ?? 0)
        var loads: [Load] = []
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            // Now and then long before all others.
            let far = random.chance(4) ? -Int32(6 * window + 30) : 0
            let date = start + far + Int32.random(in: -3...span, using: &random)
            if isClosed(date) || loads.contains(where: { $0.logDate == date }) { continue }
            loads.append(load(on: date))
        }
        for load in loads { dates[load.logDate] = load }
        return loads
    }

    /// As far as all is loaded that is to be.
    mutating func nextClosing() -> Closing {
        if let first = dates.keys.min(), let last = dates.keys.max(), random.chance(70) {
            let target = Int32.random(in: first...max(first, last), using: &random)
            through = max(through ?? target, target)
        }
        return Closing(through: through, first: dates.keys.min())
    }

    private mutating func load(on date: Int32) -> Load {
        var hits: [String: Hit] = [:]
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            // An id of a chain that reaches from date to date, by as many days as the window has, or by one more.
            let reach = Int64(window) + (random.chance(50) ? 0 : 1)
            let chain = reach == 0 ? Int64(date) : Int64(date) % max(1, reach)
            let id = random.chance(60) ? UInt64(100 + chain) : UInt64.random(in: 1...9, using: &random)
            let second = random.chance(50) ? 43_200 : Int64.random(in: 0..<86_400, using: &random)
            let late = random.chance(40) ? Int64.random(in: 0...Int64(window + 1), using: &random) : 0
            let hit = Hit(
                idSpace: random.chance(85) ? "push" : "other", kind: random.pick([.hex, .hex, .hex, .uuid, .opaque]),
                id: id, time: (Int64(date) - late) * 86_400_000 + second * 1000,
                source: random.pick(["adobe", "momo", "braze", "zeta", "alpha"]),
                delivery: random.pick(["d1", "d2", "e", "\u{e9}"]),
                action: random.pick(["impression", "click", "open", "arrival", "button_1"]),
                platform: random.pick(Platform.allCases), records: random.chance(20) ? 3 : 1)
            hits["\(hit.idSpace) \(hit.kind) \(hit.id) \(hit.action)"] = hit
        }
        let sorted = hits.sorted { $0.key < $1.key }.map(\.value)
        return Load(
            logDate: date, hits: sorted, version: String(random.next(), radix: 16))
    }
}
