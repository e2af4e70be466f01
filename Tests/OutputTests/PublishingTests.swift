import Calendar
import Dispatch
import Events
import Foundation
import Messages
import Partitions
import Support
import Synchronization
import Testing

import struct Reference.SplitMix64

@Suite struct PublishingTests {
    static let sourceOrders = [["adobe", "momo", "braze"], ["braze", "adobe"], []]

    @Test(arguments: 0..<(Long.isOn ? 80 : 24))
    func agreesWithTheSlowRecomputation(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let loads = random.loads()
        let window = random.pick([0, 1, 3, 30])
        let zone = random.pick(["UTC", "Europe/Madrid", "America/New_York", "Asia/Kolkata"])
        let sources = random.pick(PublishingTests.sourceOrders)
        let scene = try Scene()
        for load in loads {
            try scene.load(
                load, sourceOrder: ["zeta", "adobe", "momo", "braze", "alpha"],
                blockSize: Int.random(in: 1...8, using: &random))
        }
        let settings = scene.settings(zone: zone, window: window, sources: sources)
        var resources = PublishingResources(memory: random.pick([1, 1 << 20]))
        resources.leastPiece = random.pick([1, 5, 65_536])
        try scene.publish(settings, resources: resources)

        let expected = ExpectedTables(loads, window: window, zone: zone, sources: sources)
        #expect(expected.tables.count == 11)
        for (table, rows) in expected.tables {
            let sql =
                "SELECT * FROM \(table)"
                + (table == "about" ? " WHERE key NOT IN ('pipeline', 'version', 'history_since')" : "")
            #expect(try sortedTexts(scene.rows(sql)) == rows, "\(table)")
        }
        #expect(try scene.output.isCurrent(settings))
    }

    @Test(
        arguments: 0..<3)
    func manyWorkersAndLittleMemoryGiveTheSameDumpAsOneWithMuch(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 1000))
        let loads = LogDate.dates(from: day("2026-11-01"), through: day("2026-11-04")).map { date in
            var hits: [Hit] = []
            for id in 1...1000 {
                let at = Int64(date.dayNumber) * 86_400_000 + Int64.random(in: 0..<86_400_000, using: &random)
                if random.chance(60) { hits.append(Hit(id: UInt64(id), time: at)) }
                if random.chance(30) { hits.append(Hit(id: UInt64(id), time: at, action: "click")) }
            }
            return Load(logDate: date, hits: hits)
        }
        let whole = try Scene()
        for load in loads { try whole.load(load, blockSize: 4) }
        try whole.publish()

        var resources = PublishingResources(memory: 1, workers: EightThreads())
        resources.leastPiece = 100
        let (atOnce, oneByOne) = (try Scene(), try Scene())
        for load in loads {
            try atOnce.load(load, blockSize: 4)
            try oneByOne.load(load, blockSize: 4)
            try oneByOne.publish(resources: resources)
        }
        try atOnce.publish(resources: resources)
        for scene in [atOnce, oneByOne] {
            #expect(try scene.dump() == whole.dump())
        }
    }

    /// One after another, each log date adds to the rows of the others; all at once, those are computed as a whole. What files
    /// said before, in another zone and with other delivery files, leaves no trace either.
    @Test(arguments: 0..<(Long.isOn ? 600 : 8))
    func theOrderOfLoadsAndOfPublishingsLeavesNoTrace(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed + 2000))
        let loads = random.loads()
        let list = random.deliveries()
        let forward = try Scene()
        for load in loads { try forward.load(load) }
        var settings = forward.settings()
        settings.deliveries = (list, "last")
        try forward.publish(settings)

        let back = try Scene()
        try back.load(Load(logDate: loads[0].logDate, hits: [Hit(id: 77, time: time("2020-01-01 00:00:00"))]))
        try back.publish(back.settings(zone: "Asia/Tokyo", window: 0))
        for load in loads.reversed() {
            let others = random.chance(60) ? [random.load(of: random.pick(loads).logDate)] : []
            for load in others + [load] {
                try back.load(load, blockSize: 5)
                var settings = back.settings(zone: random.pick(["UTC", "UTC", "UTC", "Europe/Madrid"]))
                if random.chance(50) {
                    settings.deliveries = (random.pick([list, random.deliveries()]), UUID().uuidString)
                }
                try back.publish(settings)
            }
        }
        for load in loads { try back.load(load) }
        try back.publish(settings)
        #expect(try back.dump() == forward.dump())
    }

    @Test func timesWithoutADateOfTenCharactersMoveToTheNearestThatHasOne() throws {
        let scene = try Scene()
        let hits = [Hit(id: 1, time: .max), Hit(id: 2, time: .min, action: "click")]
        try scene.load(Load(logDate: day("2026-11-19"), hits: hits))
        try scene.publish(scene.settings(zone: "America/New_York"))
        let rows = try scene.rows("SELECT day FROM daily_actions ORDER BY day")
        #expect(rows == ["0000-01-01", "9999-12-31"])
    }

    @Test func stoppingEndsItBeforeAnythingIsWritten() throws {
        let scene = try Scene()
        try scene.load(Load(logDate: day("2026-11-19"), hits: [Hit(id: 1, time: 0)]))
        #expect(throws: Stopped()) {
            try scene.publish(resources: PublishingResources(isStopped: { true }))
        }
        #expect(try scene.names(in: scene.folder.path) == ["partitions"])
    }
}

/// All pieces at the same time, as far as the machine has cores.
private struct EightThreads: Workers {
    let count = 8

    func map<Value: Sendable, Failure: Error>(
        _ pieces: Int, body: @Sendable (Int) throws(Failure) -> Value
    ) throws(Failure) -> [Value] {
        let results = Mutex<[Int: Result<Value, Failure>]>([:])
        DispatchQueue.concurrentPerform(iterations: pieces) { piece in
            let result = Result { () throws(Failure) in try body(piece) }
            results.withLock { $0[piece] = result }
        }
        var values: [Value] = []
        for (_, result) in results.withLock({ $0 }).sorted(by: { $0.key < $1.key }) { values.append(try result.get()) }
        return values
    }
}
