import Reference
import Testing

/// The counting rules on examples small enough to be counted by hand.
@Suite struct CountingTests {
    private var pipeline: Pipeline {
        var pipeline = Pipeline()
        pipeline.rejectRatio = "1"
        pipeline.windowDays = 2
        pipeline.sources = ["b", "a"].map { Pipeline.Source(name: $0, format: .collector, files: "") }
        for index in pipeline.sources.indices { pipeline.sources[index].isRequired = false }
        return pipeline
    }

    private func hit(_ id: String, _ delivery: String, _ action: Int, _ time: String) -> String {
        "1.2.3.4 - - [\(time) +0000] \"GET /r/?id=h\(id),\(delivery),\(action) HTTP/1.1\" 200 43\n"
    }

    private func row(_ cells: Any?...) -> OutputRow {
        cells.map { cell in
            switch cell {
            case let number as Int: .integer(number)
            case let number as Double: .real(number)
            case let text as String: .text(text)
            default: .null
            }
        }
    }

    private func load(_ warehouse: inout ReferenceWarehouse, _ date: String, _ text: String, source: String = "a")
        throws
    {
        let day = try #require(Day(date))
        let file = InputFile(source: source, path: "f", bytes: Bytes(text))
        let (verdict, code) = warehouse.load(day, files: [file], pipeline: pipeline, force: false)
        #expect(verdict == .loaded)
        #expect(code == 0)
    }

    private func rows(_ warehouse: ReferenceWarehouse, _ name: String) -> [OutputRow] {
        warehouse.tables.first { $0.name == name }?.rows ?? []
    }

    @Test func theFirstRecordIsTheEventAndTheOthersAreItsDuplicates() throws {
        var warehouse = ReferenceWarehouse()
        try load(
            &warehouse, "2026-11-19",
            hit("5", "e", 2, "19/Nov/2026:10:00:05") + hit("05", "d", 2, "19/Nov/2026:10:00:00")
                + hit("5", "d", 1, "19/Nov/2026:10:00:06") + hit("6", "d", 2, "20/Nov/2026:00:00:01") + "x\n")
        #expect(
            rows(warehouse, "daily_actions") == [
                row(
                    "2026-11-19", "2026-11-19 00:00:00", 1_795_046_400, "2026-11-19", "a", "unknown", "d", "click", 1, 1
                ),
                row(
                    "2026-11-19", "2026-11-19 00:00:00", 1_795_046_400, "2026-11-19", "a", "unknown", "d", "open", 1, 0),
                row(
                    "2026-11-20", "2026-11-20 00:00:00", 1_795_132_800, "2026-11-19", "a", "unknown", "d", "click", 1, 0
                ),
            ])
        #expect(
            rows(warehouse, "daily_funnel") == [
                row(
                    "2026-11-19", "2026-11-19 00:00:00", 1_795_046_400, "2026-11-19", "unknown", "d", 1, 0, 0, 0,
                    0, 1, 1, 0, 0, 1, 0, 0, 0,
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                row(
                    "2026-11-20", "2026-11-20 00:00:00", 1_795_132_800, "2026-11-19", "unknown", "d", 1, 0, 0, 0,
                    0, 1, 0, 1, 0, 0, 0, 0, 0,
                    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            ])
        #expect(
            rows(warehouse, "days") == [
                row("2026-11-19", "2026-11-19 00:00:00", 1_795_046_400, "complete", 2, 1, 0, 0),
                row("2026-11-20", "2026-11-20 00:00:00", 1_795_132_800, nil, 1, 1, 0, 0),
            ])
        #expect(rows(warehouse, "partitions") == [row("2026-11-19", "complete", 1, 5, 4, 0, 1, 3, 1, 0)])
        #expect(
            rows(warehouse, "outcomes") == [
                row("2026-11-19", "a", "accepted", "", 4), row("2026-11-19", "a", "rejected", "malformed_line", 1),
            ])
    }

    @Test func anEventOfALaterDateIsADuplicateWithinTheWindowAndCountsBeyondIt() throws {
        var warehouse = ReferenceWarehouse()
        // The window has two days: the 21st is within reach of the 19th and of the 22nd, which do not reach each other.
        let text = { (day: Int) in hit("5", "d", 7, "\(day)/Nov/2026:10:00:00") }
        try load(&warehouse, "2026-11-22", text(22))
        try load(&warehouse, "2026-11-19", text(19))
        #expect(
            rows(warehouse, "daily_actions").map { $0[8...9] } == [
                [.integer(1), .integer(0)], [.integer(1), .integer(0)],
            ])
        try load(&warehouse, "2026-11-21", text(21))
        // The event of the 21st is a duplicate, and that of the 22nd is one because of it.
        #expect(
            rows(warehouse, "daily_actions").map { $0[8...9] } == [
                [.integer(1), .integer(0)], [.integer(0), .integer(1)], [.integer(0), .integer(1)],
            ])
        #expect(
            rows(warehouse, "days").map { $0[4...7] }
                == [
                    [.integer(1), .integer(1), .integer(1), .integer(1)],
                    [.integer(0), .integer(0), .integer(1), .integer(0)],
                    [.integer(0), .integer(0), .integer(0), .integer(0)],
                ])
    }

    @Test func equalTimesAreOrderedBySourceDeliveryPlatformActionAndLogDate() throws {
        var warehouse = ReferenceWarehouse()
        let time = "19/Nov/2026:10:00:00"
        try load(&warehouse, "2026-11-19", hit("5", "a", 7, time) + hit("5", "b", 2, time), source: "a")
        try load(&warehouse, "2026-11-20", hit("5", "z", 7, time), source: "b")
        // Source b stands before a in the pipeline.
        #expect(
            rows(warehouse, "daily_actions").map { [$0[4], $0[6], $0[7], $0[8]] } == [
                [.text("a"), .text("a"), .text("impression"), .integer(0)],
                [.text("a"), .text("b"), .text("click"), .integer(1)],
                [.text("b"), .text("z"), .text("impression"), .integer(1)],
            ])
        #expect(
            rows(warehouse, "daily_funnel").map { [$0[5], $0[6], $0[10], $0[11]] } == [
                [.text("z"), .integer(1), .integer(1), .integer(1)]
            ])
    }

    @Test func equalIDsInDifferentSpacesAreDifferentMessages() throws {
        var pipeline = pipeline
        pipeline.sources[0].idSpace = "other"
        var warehouse = ReferenceWarehouse()
        let text = Bytes(hit("5", "d", 7, "19/Nov/2026:10:00:00"))
        let files = ["a", "b"].map { InputFile(source: $0, path: "f", bytes: text) }
        _ = warehouse.load(Day(number: 20_776), files: files, pipeline: pipeline, force: false)
        #expect(
            rows(warehouse, "days") == [row("2026-11-19", "2026-11-19 00:00:00", 1_795_046_400, "complete", 2, 2, 0, 0)]
        )
    }

    @Test func aLoadIsPublishedOrHeldBackWithItsExitCode() throws {
        var pipeline = pipeline
        pipeline.sources[1].isRequired = true
        pipeline.rejectRatio = "0.5"
        let day = try #require(Day("2026-11-19"))
        let good = Bytes(hit("5", "d", 7, "19/Nov/2026:10:00:00"))
        func file(_ source: String, _ bytes: Bytes) -> InputFile { InputFile(source: source, path: "f", bytes: bytes) }
        var warehouse = ReferenceWarehouse()
        func load(_ files: [InputFile], force: Bool = false) -> String {
            let (verdict, code) = warehouse.load(day, files: files, pipeline: pipeline, force: force)
            return "\(verdict) \(code)"
        }
        #expect(load([]) == "noFiles 66")
        #expect(load([file("b", good)]) == "loaded 65")
        #expect(load([file("a", good + Bytes("x\n"))]) == "loaded 0")
        #expect(load([file("a", good + Bytes("x\ny\n"))]) == "heldBack 65")
        #expect(load([file("b", good)]) == "heldBack 65")
        #expect(load([file("a", Bytes(GzipRecipe().member(good).dropLast()))]) == "heldBack 65")
        #expect(load([file("a", Bytes(GzipRecipe().member(good).dropLast()))], force: true) == "loaded 0")
        #expect(
            rows(warehouse, "files") == [
                row("2026-11-19", "a", "f", GzipRecipe().member(good).count - 1, "truncated", 1, 1, 0, 0)
            ])
        pipeline.failsOnDamagedFiles = true
        // What stands already is not held back.
        #expect(load([file("a", Bytes(GzipRecipe().member(good).dropLast()))], force: true) == "loaded 0")
        let other = GzipRecipe().member(good + Bytes("x\n"))
        #expect(load([file("a", Bytes(other.dropLast()))], force: true) == "heldBack 65")
    }

    /// `ReasonTests` asks for every reason.
    @Test func theGeneratedCasesHaveEveryVerdict() {
        let expected: Set = ["loaded 0", "loaded 65", "heldBack 65", "noFiles 66", "ok", "truncated", "damaged"]
        var statuses: Set<String> = []
        for seed in 0..<60 as Range<UInt64> where !statuses.isSuperset(of: expected) {
            var warehouse = ReferenceWarehouse()
            for step in GeneratedCase(seed: seed).steps {
                let (verdict, code) = warehouse.load(
                    step.logDate, files: step.inputs, pipeline: step.pipeline, force: step.force)
                statuses.insert("\(verdict) \(code)")
            }
            for partition in warehouse.partitions.values {
                statuses.formUnion(partition.files.map(\.status.rawValue))
                #expect(
                    partition.events.map(\.records).reduce(0, +) == partition.count("accepted", in: partition.records))
            }
        }
        #expect(expected.subtracting(statuses) == [])
    }

    @Test func theGeneratedRecordsHaveEveryLayoutWithGoodAndBadLines() {
        let named = Pipeline.Layout.named.filter { ![.body, .csv].contains($0) }
        let layouts = ["nginx", "apache", "json mapped"] + named.map { "\($0)" }
        var expected: [(title: String, reason: String, least: Int)] = []
        for layout in layouts {
            for (reason, least) in [("", 20), ("malformed_line", 1), ("bad_time", 1), ("not_tracking", 1)] {
                expected.append(("collector \(layout)", reason, least))
            }
        }
        let ofJSON = ["json mapped"] + named.filter(\.isJSON).map { "\($0)" }
        for layout in ofJSON { expected.append(("mzip \(layout)", "", 1)) }
        var outcomes: [String: [String: Int]] = [:]
        func missing() -> [String] {
            expected.filter { outcomes[$0.title]?[$0.reason] ?? 0 < $0.least }.map { "\($0.title) \($0.reason)" }
        }
        for seed in 0..<1000 as Range<UInt64> where !missing().isEmpty {
            let set = GeneratedRecordSet(seed: seed)
            for date in set.dates.prefix(1) {
                for (source, file) in zip(set.pipeline.sources, set.plainFiles(date)) where source.layout != .body {
                    let name = "\(source.layout)".prefix { $0.isLetter || $0.isNumber }
                    let title = "\(source.format) \(name)" + (source.layoutFields.isEmpty ? "" : " mapped")
                    let reading = Reading(source: source, pipeline: set.pipeline, logDate: date.day)
                    for record in reading.records(Unpacked(file.bytes)) {
                        outcomes[title, default: [:]][record.outcome.reason, default: 0] += 1
                    }
                }
            }
        }
        #expect(missing() == [])
    }
}
