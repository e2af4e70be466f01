import Foundation
import Reference
import Testing

/// What must not change the figures, tried with the program alone.
@Suite(.enabled(if: Program.built != nil, "the program pushetl is not built beside the tests"))
struct LawTests {
    private let dailyTables = [
        OutputTable("daily_actions", Columns.dailyActions, []), OutputTable("daily_funnel", Columns.dailyFunnel, []),
        OutputTable("days", Columns.days, []), OutputTable("outcomes", Columns.outcomes, []),
    ]

    /// Tries seeds, each in a fresh folder that is kept only where there is a fault.
    private func expectNoFault(_ usual: Int, _ fault: @Sendable (UInt64, Program, CaseFolder) throws -> String?) throws
    {
        let program = try #require(Program.built)
        let faults = Seeds.faults(Seeds.range(usual: usual)) { seed in
            let folder = CaseFolder()
            do {
                guard let message = try fault(seed, program, folder) else {
                    folder.remove()
                    return nil
                }
                return "\(message)\nin \(folder.url.path)"
            } catch {
                return "\(error)\n\(folder.messages)\nin \(folder.url.path)"
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n\n"))")
    }

    @Test func `files may be shuffled, renamed, split, merged and packed otherwise`() throws {
        try expectNoFault(40) { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            folder.write(set.pipeline)
            var dumps: [[OutputTable]] = []
            for variant in 0..<3 as Range<UInt64> {
                folder.remove("logs")
                for date in set.dates {
                    let files = variant == 0 ? set.plainFiles(date) : set.otherFiles(date, seed: seed * 7 + variant)
                    for file in files { folder.write(file.bytes, to: file.path) }
                    let code = folder.load(program, date.day, output: "out\(variant)")
                    if code != 0 { return "variant \(variant): exit code \(code)\n\(folder.messages)" }
                }
                dumps.append(try folder.tables("out\(variant)/push.db", like: dailyTables))
                if let fault = difference(dumps[Int(variant)], dumps[0]) { return "variant \(variant): \(fault)" }
            }
            return nil
        }
    }

    /// Writes the last files of each log date of a generated case, and gives the dates in their order.
    private func writeDates(_ seed: UInt64, _ folder: CaseFolder) -> [Day] {
        let generated = GeneratedCase(seed: seed)
        var steps: [Day: GeneratedCase.Step] = [:]
        for step in generated.steps where step.pipeline == generated.steps[0].pipeline { steps[step.logDate] = step }
        var pipeline = generated.steps[0].pipeline
        pipeline.rejectRatio = "1"
        folder.write(pipeline)
        for step in steps.values {
            for input in step.inputs { folder.write(input.bytes, to: input.path) }
        }
        return steps.values.filter { !$0.inputs.isEmpty && !pipeline.failsOnDamagedFiles }.map(\.logDate).sorted()
    }

    @Test func `dates may be loaded in any order and again and again`() throws {
        try expectNoFault(40) { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = writeDates(seed, folder)
            if dates.isEmpty { return nil }
            for date in dates { _ = folder.load(program, date, output: "out0") }
            let expected = try folder.dump("out0/push.db")
            for variant in 1...2 {
                for date in random.shuffle(dates + dates.shuffled(using: &random).prefix(2)) {
                    let code = folder.load(program, date, output: "out\(variant)")
                    if code != 0, code != 65 { return "exit code \(code)\n\(folder.messages)" }
                }
                if let fault = difference(try folder.dump("out\(variant)/push.db"), expected) { return fault }
            }
            return nil
        }
    }

    @Test func `dates may be backfilled in any chunks`() throws {
        try expectNoFault(40) { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = writeDates(seed, folder)
            guard let first = dates.first, let last = dates.last else { return nil }
            for date in dates { _ = folder.load(program, date, output: "out0") }
            let expected = try folder.dump("out0/push.db")
            for _ in 0..<random.number(0...4) {
                let ends = [random.pick(dates), random.pick(dates)].sorted()
                let way =
                    ["--jobs", "\(random.number(1...8))", "--memory", random.pick(["16M", "64M", "1G"])]
                    + random.pick([[], ["--only", "missing"], ["--only", "all"]])
                let code = folder.backfill(program, ends[0], ends[1], output: "out1", way)
                if code != 0, code != 65 { return "\(way): exit code \(code)\n\(folder.messages)" }
            }
            let code = folder.backfill(program, first, last, output: "out1")
            if code != 0, code != 65 { return "exit code \(code)\n\(folder.messages)" }
            return difference(try folder.dump("out1/push.db"), expected)
        }
    }

    @Test func `threads and memory change nothing`() throws {
        try expectNoFault(25) { seed, program, folder in
            let dates = writeDates(seed, folder)
            if dates.isEmpty { return nil }
            let ways = [
                ["--jobs", "1"], ["--jobs", "2"], ["--jobs", "8"], ["--memory", "64M"],
                ["--memory", "64M", "--jobs", "8"],
            ]
            var expected: [OutputTable]?
            for (index, way) in ways.enumerated() {
                for date in dates {
                    let code = folder.load(program, date, output: "out\(index)", way)
                    if code != 0, code != 65 { return "\(way): exit code \(code)\n\(folder.messages)" }
                }
                let dump = try folder.dump("out\(index)/push.db")
                if let fault = difference(dump, expected ?? dump) { return "\(way): \(fault)" }
                expected = expected ?? dump
            }
            return nil
        }
    }

    /// No address, mcId, secret, token or user of the generated logs may come to rest anywhere.
    @Test func `nothing personal is at rest`() throws {
        let secrets = ["203.0.113.7", "00000001234567890", "user-7", "aGVsbG8", "SECRET"].map { Data(Bytes($0)) }
        try expectNoFault(40) { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            folder.write(set.pipeline)
            for date in set.dates {
                for file in set.plainFiles(date) { folder.write(file.bytes, to: file.path) }
                _ = folder.load(program, date.day)
                let files = FileManager.default.enumerator(atPath: folder.url.appendingPathComponent("out").path)
                let names = ["stdout", "stderr"] + (files?.compactMap { $0 as? String } ?? []).map { "out/" + $0 }
                for name in names {
                    guard let data = try? Data(contentsOf: folder.url.appendingPathComponent(name)) else { continue }
                    for secret in secrets where data.range(of: secret) != nil {
                        return "\(name) holds \(String(decoding: secret, as: UTF8.self))"
                    }
                }
            }
            return nil
        }
    }
}
