/// One or two log dates with about a thousand events of a source, which are loaded again and again: with other files, and under
/// pipelines that read fewer of them.
package struct GeneratedLosses {
    package private(set) var steps: [GeneratedCase.Step] = []

    package init(seed: UInt64) {
        var random = SplitMix64(seed: seed ^ 0x1055)
        var pipeline = Pipeline()
        pipeline.rejectRatio = "1"
        pipeline.windowDays = random.pick([0, 1, 30])
        for name in ["app", "web"] {
            var source = Pipeline.Source(name: name, format: .collector, files: "logs/\(name)/%Y-%m-%d-*")
            source.isRequired = random.chance(20)
            pipeline.sources.append(source)
        }
        let dates = (0..<random.number(1...2)).map { Day(number: 20_775 + $0) }
        for date in dates {
            let day = LossDay(date: date, &random)
            var (files, held) = (day.files, pipeline)
            steps.append(step(date, files, pipeline, &random))
            for _ in 0..<random.number(2...4) {
                switch random.below(3) {
                case 0: files = day.changed(files, &random)
                case 1: held = LossDay.changed(pipeline, &random)
                default:
                    files = day.files
                    held = random.chance(50) ? pipeline : LossDay.changed(pipeline, &random)
                }
                steps.append(step(date, files, held, &random))
            }
        }
    }

    /// A load of the files that the pipeline's sources match.
    private func step(
        _ date: Day, _ files: [InputFile], _ pipeline: Pipeline, _ random: inout SplitMix64
    ) -> GeneratedCase.Step {
        var step = GeneratedCase.Step(
            logDate: date, pipeline: pipeline, writesDefaults: false, force: random.chance(15), inputs: [], decoys: [])
        for var file in files {
            let source = pipeline.sources.first { file.path.hasPrefix(String($0.files[0].prefix(9))) }
            if let source {
                file.source = source.name
                step.inputs.append(file)
            } else {
                step.decoys.append(file.path)
            }
        }
        let order = pipeline.sources.map(\.name)
        func place(_ file: InputFile) -> (Int, String) { (order.firstIndex(of: file.source) ?? 0, file.path) }
        step.inputs.sort { place($0) < place($1) }
        return step
    }
}

/// The files of a log date. Its source `app` has about 1,000 clicks and impressions. Some of them have a mcId.
private struct LossDay {
    let date: Day
    private(set) var files: [InputFile] = []

    init(date: Day, _ random: inout SplitMix64) {
        self.date = date
        let (opens, others) = (random.pick([300, 999, 1000, 1001]), random.pick([0, 20, 1200, 1200]))
        let all = opens + others
        let withMcid = random.pick([0, 100, all / 2 - 1, all / 2, all / 2 + 1, all])
        let lines = (0..<all).map { number in
            line(number, number < opens ? "1" : "7", hour: 10, hasMcid: number * 7919 % all < withMcid)
        }
        let parts = random.number(1...3)
        for part in 0..<parts {
            let own = lines.enumerated().filter { $0.offset % parts == part }.map(\.element)
            files.append(file("app", "\(part)", own))
        }
        // The same messages, or others, earlier or later. Sometimes the files come after those of `app`.
        let first = random.pick([0, 700, 5000])
        let hour = random.pick([9, 11])
        let count = random.pick([0, 30, 900])
        let web = (0..<count).map { line(first + $0, random.pick(["1", "7"]), hour: hour, hasMcid: true) }
        if count > 0 { files.append(file("web", "0", web)) }
    }

    private func line(_ id: Int, _ action: String, hour: Int, hasMcid: Bool) -> String {
        "192.0.2.1 - - [\(padded(date.parts.day, 2))/Nov/2026:\(padded(hour, 2)):00:00 +0000] "
            + "\"GET /r/?id=h\(String(id + 1, radix: 16)),d,\(action)\(hasMcid ? "&mcId=7" : "") HTTP/1.1\" 200 0 \"-\" \"-\"\n"
    }

    private func file(_ source: String, _ name: String, _ lines: [String]) -> InputFile {
        InputFile(source: source, path: "logs/\(source)/\(date)-\(name).log", bytes: Bytes(lines.joined()))
    }

    /// What logrotate, a log shipper and an operator do to files.
    func changed(_ files: [InputFile], _ random: inout SplitMix64) -> [InputFile] {
        var files = files
        guard !files.isEmpty else { return files }
        let index = random.below(files.count)
        let lines = files[index].bytes.split(separator: UInt8(ascii: "\n")).map { Bytes($0) + Bytes("\n") }
        let isPlain = files[index].path.hasSuffix(".log")
        switch random.below(6) {
        case 0: files.remove(at: index)
        case 1 where isPlain:
            files[index].bytes = GzipRecipe().member(files[index].bytes)
            files[index].path += ".gz"
        case 2: files[index].path += random.pick([".1", ".old"])
        case 3 where isPlain:
            let count = lines.count / random.pick([2, 2, 3]) - random.below(2)
            files[index].bytes = lines.prefix(max(0, count)).reduce([], +)
        case 4 where isPlain:
            files[index].bytes += Bytes(line(9000, "1", hour: 12, hasMcid: true))
            files[index].path += random.pick(["", ".1"])
        default:
            let other = (0..<random.pick([3, 1200])).map { line(20_000 + $0, "1", hour: 12, hasMcid: true) }
            files.append(file(random.pick(["app", "web"]), "new", other))
        }
        var seen: Set<String> = []
        return files.filter { seen.insert($0.path).inserted }
    }

    /// What slips into a pipeline file.
    static func changed(_ pipeline: Pipeline, _ random: inout SplitMix64) -> Pipeline {
        var pipeline = pipeline
        switch random.below(14) {
        case 9...12: pipeline.sources[0].requiresMcid = true
        case 2, 13: pipeline.sources[0].actions["1"] = nil
        case 3: pipeline.sources[0].actions["7"] = nil
        case 4: pipeline.sources[0].actions["1"] = "opened"
        case 5: pipeline.sources[0].actions = Pipeline.Source.campaignClassic
        case 6: pipeline.sources[0].name = "application"
        case 7: pipeline.sources.remove(at: random.below(2))
        case 8: pipeline.sources.reverse()
        default: pipeline.sources[0].idSpace = "app"
        }
        return pipeline
    }
}
