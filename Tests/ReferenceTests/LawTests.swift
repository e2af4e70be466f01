import Foundation
import Reference
import Support
import Testing

/// What must not change the figures. Only the program is run here, without the reference.
@Suite(.enabled(if: Program.built != nil, "pushetl is not built beside the tests"))
struct LawTests {
    private let dailyTables = [
        OutputTable("daily_actions", Columns.dailyActions, []), OutputTable("daily_funnel", Columns.dailyFunnel, []),
        OutputTable("daily_totals", Columns.dailyTotals, []), OutputTable("hourly_actions", Columns.hourlyActions, []),
        OutputTable("daily_lateness", Columns.dailyLateness, []), OutputTable("daily_paths", Columns.dailyPaths, []),
        OutputTable("days", Columns.days, []), OutputTable("calendar", Columns.calendar, []),
        OutputTable("outcomes", Columns.outcomes, []), OutputTable("deliveries", Columns.deliveries, []),
        OutputTable("delivery_results", Columns.deliveryResults, []),
        OutputTable("delivery_platforms", Columns.deliveryPlatforms, []),
    ]

    @Test func filesMayBeShuffledRenamedSplitMergedAndRepacked() throws {
        try tryOtherFiles(.quick(4))
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func filesMayBeShuffledRenamedSplitMergedAndRepackedForManySeeds() throws {
        try tryOtherFiles(.long(4..<25))
    }

    private func tryOtherFiles(_ seeds: Seeds) throws {
        try seeds.expectNoFault { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            try folder.write(set.pipeline)
            var dumps: [[OutputTable]] = []
            for variant in 0..<3 as Range<UInt64> {
                if folder.exists("logs") { try folder.remove("logs") }
                for date in set.dates {
                    let files = variant == 0 ? set.plainFiles(date) : set.otherFiles(date, seed: seed * 7 + variant)
                    for file in files { try folder.write(file.bytes, to: file.path) }
                    let outcome = try folder.load(program, date.day, output: "out\(variant)")
                    if outcome.exit != 0 { return "variant \(variant): \(outcome.summary)" }
                }
                dumps.append(try folder.tables("out\(variant)/push.db", like: dailyTables))
                if let fault = difference(dumps[Int(variant)], dumps[0]) { return "variant \(variant): \(fault)" }
            }
            return nil
        }
    }

    /// Writes the last files of each log date of a generated case, and returns the dates in order.
    private func writeDates(_ seed: UInt64, _ folder: ScratchFolder) throws -> [Day] {
        let generated = GeneratedCase(seed: seed)
        var steps: [Day: GeneratedCase.Step] = [:]
        for step in generated.steps where step.pipeline == generated.steps[0].pipeline { steps[step.logDate] = step }
        var pipeline = generated.steps[0].pipeline
        pipeline.rejectRatio = "1"
        try folder.write(pipeline)
        for step in steps.values {
            for input in step.inputs { try folder.write(input.bytes, to: input.path) }
        }
        return steps.values.filter { !$0.inputs.isEmpty && !pipeline.failsOnDamagedFiles }.map(\.logDate).sorted()
    }

    @Test func datesMayBeLoadedInAnyOrderAndRepeatedly() throws {
        try tryOtherOrders(.quick(4))
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func datesMayBeLoadedInAnyOrderAndRepeatedlyForManySeeds() throws {
        try tryOtherOrders(.long(4..<25))
    }

    private func tryOtherOrders(_ seeds: Seeds) throws {
        try seeds.expectNoFault { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = try writeDates(seed, folder)
            if dates.isEmpty { return nil }
            for date in dates { _ = try folder.load(program, date, output: "out0") }
            let expected = try folder.dump("out0/push.db")
            for variant in 1...2 {
                for date in random.shuffle(dates + dates.shuffled(using: &random).prefix(2)) {
                    let outcome = try folder.load(program, date, output: "out\(variant)")
                    if !outcome.hasRead { return outcome.summary }
                }
                if let fault = difference(try folder.dump("out\(variant)/push.db"), expected) { return fault }
            }
            return nil
        }
    }

    @Test func datesMayBeBackfilledInAnyChunks() throws {
        try tryChunks(.quick(4))
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func datesMayBeBackfilledInAnyChunksForManySeeds() throws {
        try tryChunks(.long(4..<25))
    }

    private func tryChunks(_ seeds: Seeds) throws {
        try seeds.expectNoFault { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = try writeDates(seed, folder)
            guard let first = dates.first, let last = dates.last else { return nil }
            for date in dates { _ = try folder.load(program, date, output: "out0") }
            let expected = try folder.dump("out0/push.db")
            for _ in 0..<random.number(0...4) {
                let ends = [random.pick(dates), random.pick(dates)].sorted()
                let way =
                    ["--jobs", "\(random.number(1...8))", "--memory", random.pick(["16M", "64M", "1G"])]
                    + random.pick([[], ["--only", "missing"], ["--only", "all"]])
                let outcome = try folder.backfill(program, ends[0], ends[1], output: "out1", way)
                if !outcome.hasRead { return "\(way): \(outcome.summary)" }
            }
            let outcome = try folder.backfill(program, first, last, output: "out1")
            if !outcome.hasRead { return outcome.summary }
            return difference(try folder.dump("out1/push.db"), expected)
        }
    }

    @Test func threadsAndMemoryChangeNoFigure() throws {
        try tryThreadsAndMemory(.quick(2))
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func threadsAndMemoryChangeNoFigureForManySeeds() throws {
        try tryThreadsAndMemory(.long(2..<15))
    }

    private func tryThreadsAndMemory(_ seeds: Seeds) throws {
        try seeds.expectNoFault { seed, program, folder in
            let dates = try writeDates(seed, folder)
            if dates.isEmpty { return nil }
            let ways = [
                ["--jobs", "1"], ["--jobs", "2"], ["--jobs", "8"], ["--memory", "64M"],
                ["--memory", "64M", "--jobs", "8"],
            ]
            var expected: [OutputTable]?
            for (index, way) in ways.enumerated() {
                for date in dates {
                    let outcome = try folder.load(program, date, output: "out\(index)", way)
                    if !outcome.hasRead { return "\(way): \(outcome.summary)" }
                }
                let dump = try folder.dump("out\(index)/push.db")
                if let fault = difference(dump, expected ?? dump) { return "\(way): \(fault)" }
                expected = expected ?? dump
            }
            return nil
        }
    }

    /// No address, mcId, secret, token or user of the generated logs is printed or stored.
    @Test func nothingPersonalIsStored() throws {
        try searchForSecrets(.quick(6))
    }

    @Test(.enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"))
    func nothingPersonalIsStoredForManySeeds() throws {
        try searchForSecrets(.long(6..<25))
    }

    private func searchForSecrets(_ seeds: Seeds) throws {
        let secrets = ["203.0.113.7", "00000001234567890", "user-7", "aGVsbG8", "SECRET"]
        try seeds.expectNoFault { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            try folder.write(set.pipeline)
            for date in set.dates {
                for file in set.plainFiles(date) { try folder.write(file.bytes, to: file.path) }
                let outcome = try folder.load(program, date.day)
                for secret in secrets where (outcome.stdout + outcome.stderr).contains(secret) {
                    return "\(secret) was printed"
                }
                let names = FileManager.default.enumerator(atPath: folder.path("out"))?.compactMap { $0 as? String }
                for name in names ?? [] {
                    guard let data = try? Data(contentsOf: URL(fileURLWithPath: folder.path("out/" + name))) else {
                        continue
                    }
                    for secret in secrets where data.range(of: Data(secret.utf8)) != nil {
                        return "\(secret) is in \(name)"
                    }
                }
            }
            return nil
        }
    }
}
