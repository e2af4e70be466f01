import Reference
import Support
import Testing

/// The program and the reference on small generated inputs. `PUSHETL_SEEDS=5000` tries many.
@Suite(.needsPushetl)
struct DifferentialTests {
    @Test func theProgramGivesTheFiguresOfTheReference() throws {
        try Seeds(12, long: 100).expectSame { seed, program, folder in
            try compare(GeneratedCase(seed: seed).steps, program, folder)
        }
    }

    /// Many files for each program that is started.
    @Test func manyNightsAtOnceGiveTheFiguresOfTheReference() throws {
        try Seeds(4, long: 100).expectSame { seed, program, folder in
            // Damage is told file by file, so that all may be damaged.
            let steps = GeneratedCase(seed: seed, nights: 24, isDamaged: seed % 3 == 2).steps
            for input in steps.flatMap(\.inputs) { try folder.write(input.bytes, to: input.path) }
            try folder.write(steps[0].pipeline)
            // More is loaded then.
            let isForced = seed % 2 == 0
            var warehouse = ReferenceWarehouse()
            let codes = steps.map { step in
                warehouse.load(step.logDate, files: step.inputs, pipeline: step.pipeline, force: isForced).exitCode
            }
            let (first, last) = (steps[0].logDate, steps[steps.count - 1].logDate)
            let outcome = try folder.backfill(program, first, last, output: "out", isForced ? ["--force"] : [])
            // A log date without files is none to a backfill of others.
            let expected = codes.allSatisfy { $0 == 66 } ? 66 : codes.filter { $0 != 66 }.max() ?? 0
            if outcome.exit != expected {
                return .different("expected exit code \(expected), found \(outcome.summary)")
            }
            if warehouse.partitions.isEmpty { return .skipped("nothing published") }
            for (date, partition) in warehouse.partitions.sorted(by: { $0.key < $1.key }) {
                let found = try folder.tables("out/partitions/\(date).sqlite", like: [partition.rejects])
                if let fault = difference(found, [partition.rejects]) { return .different("\(date): \(fault)") }
            }
            let tables = warehouse.tables
            let fault = difference(try folder.tables("out/push.db", like: tables), tables)
            return fault.map { .different($0) } ?? .same(["log dates": warehouse.partitions.count])
        }
    }

    /// Many records for each program that is started, in files of more than a block, so that rare ones meet.
    @Test func manyRecordsGiveTheFiguresOfTheReference() throws {
        try Seeds(3, long: 100).expectSame { seed, program, folder in
            let made = GeneratedCase(seed: seed, nights: 2, isDamaged: seed % 3 == 2, recordsPerFile: 1000)
            return try compare(made.steps, program, folder)
        }
    }

    /// Many layouts for each program that is started, with faults in many lines.
    @Test func manyLayoutsGiveTheFiguresOfTheReference() throws {
        try Seeds(4, long: 100).expectSame { seed, program, folder in
            try compare(GeneratedCase(seed: seed, nights: 1, sources: 40).steps, program, folder)
        }
    }

    @Test func aLoadThatLosesEventsIsHeldBack() throws {
        try Seeds(6, long: 60).expectSame { seed, program, folder in
            try compare(GeneratedLosses(seed: seed).steps, program, folder)
        }
    }

    private let hit = "1.2.3.4 - - [19/Nov/2026:10:00:00 +0100] \"GET /r/?id=h5,a,7 HTTP/1.1\" 200 43"

    /// Loads one file, which is at a limit of what is read.
    private func expectSame(
        _ format: Pipeline.Format, _ text: Bytes, layouts: [Pipeline.Layout] = []
    ) throws {
        let program = try #require(Program.built)
        var pipeline = Pipeline()
        pipeline.rejectRatio = "1"
        pipeline.sources = [Pipeline.Source(name: "a", format: format, files: "logs/*")]
        if let layout = layouts.first { pipeline.sources[0].layout = layout }
        pipeline.sources[0].otherLayouts = Array(layouts.dropFirst())
        pipeline.sources[0].actions["push_open"] = [.usersTrack, .events].contains(format) ? "open" : nil
        if format == .events {
            pipeline.sources[0].fields = ["broadlog_id": "id", "delivery_id": "d", "action": "k", "time": "t"]
            pipeline.sources[0].elements = "batch"
        }
        let input = InputFile(source: "a", path: "logs/a.gz", bytes: GzipRecipe().member(text))
        let step = GeneratedCase.Step(
            logDate: Day(number: 20_776), pipeline: pipeline, writesDefaults: true, force: false, inputs: [input],
            decoys: [])
        #expect(try compare([step], program, ScratchFolder()) == .same(["publications": 1, "holds": 0]))
    }

    @Test func aLineMayHave1MiB() throws {
        for (length, end) in [
            (longestLine, "\n"), (longestLine, "\r\n"), (longestLine + 1, "\n"), (longestLine + 1, ""),
        ] {
            let line = Bytes(hit + " \"-\" \"")
            let long = line + Bytes(repeating: UInt8(ascii: "x"), count: length - line.count - 1) + Bytes("\"")
            try expectSame(.collector, Bytes(hit + "\n") + long + Bytes(end) + Bytes(end.isEmpty ? "" : hit))
        }
    }

    @Test func aBodyMayHave8MiB() throws {
        let begin = Bytes(
            "{\"events\":[{\"name\":\"push_open\",\"time\":\"2026-11-19T10:00:00Z\",\"properties\":"
                + "{\"broadlogId\":\"h5\",\"deliveryId\":9}}]")
        for length in [longestBody, longestBody + 1] {
            let body = begin + Bytes(repeating: 0x20, count: length - begin.count - 1) + Bytes("}")
            try expectSame(.usersTrack, Bytes("\n") + body + begin + Bytes("}\n") + begin + Bytes("}\n"))
        }
    }

    /// A line beside it has 1 MiB at most.
    @Test func anObjectBesideLinesMayHave8MiB() throws {
        let begin = Bytes("{\"time\":1795078800,\"request\":\"GET /r/?id=h7,a,7 HTTP/1.1\",\"x\":\"")
        let small = begin + Bytes("\"}")
        for length in [longestLine + 1, longestBody, longestBody + 1] {
            let long = begin + Bytes(repeating: UInt8(ascii: "x"), count: length - begin.count - 2) + Bytes("\"}")
            for end in ["\n", "\r\n"] {
                let overlong = Bytes(repeating: UInt8(ascii: "y"), count: longestLine + 1)
                let lines = [
                    Bytes(hit), long + small, Bytes(hit), overlong, overlong + overlong, small, Bytes(hit), long,
                ]
                let text = Bytes(lines.joined(separator: Bytes(end)))
                try expectSame(.collector, text, layouts: [.combined, .json])
            }
        }
    }

    /// What follows is read.
    @Test func anObjectWithoutAnEndLosesItsFirst8MiB() throws {
        let body =
            "{\"events\":[{\"name\":\"push_open\",\"time\":\"2026-11-19T10:00:00Z\",\"properties\":"
            + "{\"broadlogId\":\"h5\",\"deliveryId\":9}}],\"x\":\""
        let long = Bytes(body) + Bytes(repeating: UInt8(ascii: "x"), count: longestBody / 2) + Bytes("\"},\n")
        let open = Bytes("{\"events\":[\n")
        try expectSame(.usersTrack, open + long + long + long)
        try expectSame(.usersTrack, long + open + long + long + Bytes("x\n") + open + long + long + long)
        try expectSame(.usersTrack, open + open + open + long + long + long + Bytes("tru,\n") + open + long)
    }

    /// Of an object over 8 MiB with `elements` the events are read one by one, up to a fault.
    @Test func anObjectOfEventsMayHaveAnyLength() throws {
        let event = "{\"k\":\"push_open\",\"t\":\"2026-11-19T10:00:00Z\",\"id\":\"h5\",\"d\":9}"
        let bad = "{\"k\":\"push_open\",\"t\":\"2026-11-19T10:00:00Z\",\"id\":[],\"d\":9}"
        let long = Bytes("\"") + Bytes(repeating: UInt8(ascii: "x"), count: longestBody) + Bytes("\"")
        let begin = Bytes("{\"x\":") + long + Bytes(",\n\"batch\":[\(event),\n\(bad),\(event),")
        let end = Bytes("\(event)],\"y\":\n") + long + Bytes("}\n")
        for middle in [Bytes("\n"), long + Bytes(","), Bytes("\n{\"x\":tru},\n\(event),\n")] {
            try expectSame(.events, begin + middle + end + Bytes("{\"batch\":[\(bad)]}\n{}"))
        }
        try expectSame(.events, begin)
    }

    @Test func atMost1000RejectsOfAReasonAreKeptPerFile() throws {
        let lines = [String](repeating: "x", count: 1002) + [hit] + [String](repeating: hit + " 1", count: 1001)
        try expectSame(.collector, Bytes(lines.joined(separator: "\n")))
        try expectSame(.mzip, Bytes([String](repeating: "mzip=x\na=b", count: 1001).joined(separator: "\n")))
    }

    /// Loads step by step. After each step the exit code, the output DB and the partition must be as expected.
    private func compare(
        _ steps: [GeneratedCase.Step], _ program: Program, _ folder: ScratchFolder
    ) throws -> Comparison {
        var (publications, holds) = (0, 0)
        var warehouse = ReferenceWarehouse()
        var written: [Day: [String]] = [:]
        var mayHavePublishedMore = false
        for (index, step) in steps.enumerated() {
            let title = "step \(index), run --date \(step.logDate)"
            try folder.write(step, inPlaceOf: &written)

            let expected = warehouse.load(
                step.logDate, files: step.inputs, pipeline: step.pipeline, force: step.force,
                deliveryFiles: step.deliveryFiles)
            let outcome = try folder.load(program, step.logDate, step.options)
            if outcome.exit != expected.exitCode {
                let partition = Partition(logDate: step.logDate, files: step.inputs, pipeline: step.pipeline)
                return .different(
                    "\(title): expected exit code \(expected.exitCode), found \(outcome.summary)\n"
                        + "expected rejects: \(partition.rejects.rows)")
            }
            holds += expected.verdict == .heldBack ? 1 : 0
            if warehouse.partitions.isEmpty { continue }
            // A run that loads nothing may publish under a changed pipeline or not.
            if expected.verdict != .loaded, warehouse.pipeline != step.pipeline {
                mayHavePublishedMore = true
                continue
            }
            let file = "out/partitions/\(step.logDate).sqlite"
            let partition = warehouse.partitions[step.logDate]
            // The rejects first, because they have the line of a fault.
            if let rejects = partition?.rejects {
                let found = try folder.tables(file, like: [rejects])
                if let fault = difference(found, [rejects]) {
                    return .different("\(title): \(fault)")
                }
            }
            let tables = warehouse.tables
            if let fault = difference(try folder.tables("out/push.db", like: tables), tables) {
                return .different("\(title): \(fault)")
            }
            let changes = mayHavePublishedMore ? [] : [warehouse.changes]
            if let fault = difference(try folder.tables("out/push.db", like: changes), changes) {
                return .different("\(title): \(fault)")
            }
            publications += 1
            if let own = partition?.ownRows {
                let found = try folder.tables(file, like: own)
                if let fault = difference(found, own) { return .different("\(title): partition: \(fault)") }
            }
        }
        if publications == 0 { return .skipped("nothing published") }
        return .same(["publications": publications, "holds": holds])
    }
}
