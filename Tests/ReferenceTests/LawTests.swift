import Foundation
import Reference
import Support
import Testing

/// What must not change the figures. Only the program is run here, without the reference.
@Suite(.needsPushetl)
struct LawTests {
    /// What does not depend on how the records are cut into files.
    private func figures(_ folder: ScratchFolder, _ output: String, besides: Set<String> = []) throws -> [OutputTable] {
        let others = besides.union(["about", "partitions", "files"])
        return try folder.dump("\(output)/push.db").filter { !others.contains($0.name) }
    }

    @Test func filesMayBeShuffledRenamedSplitMergedAndRepacked() throws {
        try Seeds(4, long: 25).expectSame { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            try folder.write(set.pipeline)
            var dumps: [[OutputTable]] = []
            for variant in 0..<3 as Range<UInt64> {
                if folder.exists("logs") { try folder.remove("logs") }
                for date in set.dates {
                    let files = variant == 0 ? set.plainFiles(date) : set.otherFiles(date, seed: seed * 7 + variant)
                    for file in files { try folder.write(file.bytes, to: file.path) }
                    let outcome = try folder.load(program, date.day, output: "out\(variant)")
                    if outcome.exit != 0 { return .different("variant \(variant): \(outcome.summary)") }
                }
                dumps.append(try figures(folder, "out\(variant)"))
                if let fault = difference(dumps[Int(variant)], dumps[0]) {
                    return .different("variant \(variant): \(fault)")
                }
            }
            return .same()
        }
    }

    @Test func aCollectorsTrafficIsTheSameAsAnotherVendorsEvents() throws {
        try Seeds(4, long: 25).expectSame { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            var pipeline = set.pipeline
            pipeline.sources = pipeline.sources.filter { $0.format == .collector }
            if pipeline.sources.isEmpty { return .skipped("no collector") }
            var files: [(path: String, hits: [Hit])] = []
            var isPlausible = true
            for date in set.dates {
                for file in set.plainFiles(date) {
                    guard let source = pipeline.sources.first(where: { $0.name == file.source }) else { continue }
                    let reading = Reading(source: source, pipeline: pipeline, logDate: date.day)
                    let hits = reading.records(Unpacked(file.bytes)).compactMap { record in
                        if case .accepted(let hit, _) = record.outcome { hit } else { nil }
                    }
                    isPlausible = isPlausible && hits.allSatisfy { reading.believed.contains($0.time) }
                    files.append(("events/" + file.path, hits))
                    try folder.write(file.bytes, to: file.path)
                }
            }
            // An implausible time counts as the time of receipt alone.
            let layout = isPlausible ? Pipeline.Layout.body : .json
            var vendors = pipeline
            vendors.sources = pipeline.sources.map { Self.vendor($0, layout) }
            for (path, hits) in files {
                let events = try hits.map { try Self.event($0, layout) }
                try folder.write(Bytes(events.joined(separator: [10])) + [10], to: path)
            }
            for (output, pipeline) in [("hits", pipeline), ("events", vendors)] {
                try folder.write(pipeline)
                for date in set.dates { _ = try folder.load(program, date.day, output: output, ["--force"]) }
            }
            let dumps = try ["hits", "events"].map { try figures(folder, $0, besides: ["outcomes", "days"]) }
            return difference(dumps[1], dumps[0]).map { .different($0) } ?? .same(["\(layout)": 1])
        }
    }

    /// A source of the same name whose files are another vendor's events.
    private static func vendor(_ collector: Pipeline.Source, _ layout: Pipeline.Layout) -> Pipeline.Source {
        var source = Pipeline.Source(name: collector.name, format: .events, files: "events/" + collector.files[0])
        (source.layout, source.path, source.idSpace) = (layout, "/hooks", collector.idSpace)
        source.fields = [
            "broadlog_id": "message.id", "delivery_id": "message.delivery", "action": "kind", "time": "at",
            "platform": "device",
        ]
        source.actions = Dictionary(uniqueKeysWithValues: Set(collector.actions.values).map { ($0, $0) })
        return source
    }

    /// A collector's hit as another vendor tells of it.
    private static func event(_ hit: Hit, _ layout: Pipeline.Layout) throws -> Bytes {
        let message = ["id": "h" + hit.broadlogID.pieces(":")[1].text, "delivery": hit.deliveryID.text]
        var event: [String: Any] = ["kind": hit.action, "device": hit.platform.uppercased(), "message": message]
        if layout == .body { event["at"] = hit.time }
        let body = Bytes(try JSONSerialization.data(withJSONObject: event))
        if layout == .body { return body }
        let line = [
            "time": "\(hit.time / 1000).\(String(hit.time % 1000 + 1000).dropFirst())", "request_body": body.text,
        ]
        return Bytes(try JSONSerialization.data(withJSONObject: line))
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

    /// Loads each date once, in order, into `out0`. Returns the exit codes.
    private func loadAlone(_ dates: [Day], _ program: Program, _ folder: ScratchFolder) throws -> [Day: Int32] {
        try dates.reduce(into: [:]) { $0[$1] = try folder.load(program, $1, output: "out0").exit }
    }

    @Test func datesMayBeLoadedInAnyOrderAndRepeatedly() throws {
        try Seeds(4, long: 25).expectSame { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = try writeDates(seed, folder)
            let exits = try loadAlone(dates, program, folder)
            let expected = try folder.dump("out0/push.db")
            if expected.isEmpty { return .skipped("nothing published") }
            for variant in 1...2 {
                for date in random.shuffle(dates + dates.shuffled(using: &random).prefix(2)) {
                    let outcome = try folder.load(program, date, output: "out\(variant)")
                    if outcome.exit != exits[date] { return .different("\(date): \(outcome.summary)") }
                }
                if let fault = difference(try folder.dump("out\(variant)/push.db"), expected) {
                    return .different(fault)
                }
            }
            return .same()
        }
    }

    @Test func datesMayBeBackfilledInAnyChunks() throws {
        try Seeds(4, long: 25).expectSame { seed, program, folder in
            var random = SplitMix64(seed: seed)
            let dates = try writeDates(seed, folder)
            let exits = try loadAlone(dates, program, folder)
            let expected = try folder.dump("out0/push.db")
            guard let first = dates.first, let last = dates.last, !expected.isEmpty else {
                return .skipped("nothing published")
            }
            var isLoaded: Set<Day> = []
            func backfill(_ ends: [Day], _ way: [String], only: String?) throws -> String? {
                let chunk = dates.filter { ends[0] <= $0 && $0 <= ends[1] }
                let outcome = try folder.backfill(
                    program, ends[0], ends[1], output: "out1", way + (only.map { ["--only", $0] } ?? []))
                let read = chunk.filter { only != "missing" || !isLoaded.contains($0) }
                isLoaded.formUnion(chunk)
                var wanted = read.compactMap { exits[$0] }
                if only == "missing" {
                    // What is said of the delivery files, and of dates that stay held back, where all dates were loaded.
                    wanted.append(
                        try folder.backfill(program, ends[0], ends[1], output: "out0", ["--only", "missing"]).exit)
                }
                return outcome.exit == wanted.max() ?? 0 ? nil : "\(ends), \(only ?? ""): \(outcome.summary)"
            }
            for _ in 0..<random.number(0...4) {
                let ends = [random.pick(dates), random.pick(dates)].sorted()
                let way = ["--jobs", "\(random.number(1...8))", "--memory", random.pick(["16M", "64M", "1G"])]
                if let fault = try backfill(ends, way, only: random.pick([nil, "missing", "all"])) {
                    return .different(fault)
                }
            }
            if let fault = try backfill([first, last], [], only: nil) { return .different(fault) }
            return Comparison(difference(try folder.dump("out1/push.db"), expected))
        }
    }

    @Test func threadsAndMemoryChangeNoFigure() throws {
        try Seeds(2, long: 15).expectSame { seed, program, folder in
            let dates = try writeDates(seed, folder)
            let ways = [["--jobs", "1"], ["--jobs", "8"], ["--jobs", "2", "--memory", "64M"]]
            var expected: [OutputTable]?
            var exits: [Day: Int32] = [:]
            for (index, way) in ways.enumerated() {
                for date in dates {
                    let outcome = try folder.load(program, date, output: "out\(index)", way)
                    if outcome.exit != exits[date, default: outcome.exit] {
                        return .different("\(way): \(outcome.summary)")
                    }
                    exits[date] = outcome.exit
                }
                let dump = try folder.dump("out\(index)/push.db")
                if dump.isEmpty { return .skipped("nothing published") }
                if let fault = difference(dump, expected ?? dump) { return .different("\(way): \(fault)") }
                expected = expected ?? dump
            }
            return .same()
        }
    }
}
