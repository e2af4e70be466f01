/// A pipeline, logs, and the order in which they are loaded.
package struct GeneratedCase {
    /// One `run --date`. Its files replace the earlier files of the log date.
    package struct Step {
        package var logDate: Day
        package var pipeline: Pipeline
        package var writesDefaults: Bool
        package var force: Bool
        /// The files that the sources match.
        package var inputs: [InputFile]
        /// Files that no source matches.
        package var decoys: [String]
        /// All delivery files from this step on.
        package var deliveryFiles: [DeliveryFile] = []

        package var options: [String] { force ? ["--force"] : [] }

        package init(
            logDate: Day, pipeline: Pipeline, writesDefaults: Bool, force: Bool, inputs: [InputFile], decoys: [String]
        ) {
            self.logDate = logDate
            self.pipeline = pipeline
            self.writesDefaults = writesDefaults
            self.force = force
            self.inputs = inputs
            self.decoys = decoys
        }
    }

    package var seed: UInt64
    package var steps: [Step]

    /// - Parameters:
    ///   - nights: so many log dates after one another, each once, under one pipeline; nil for few in any order, some of them
    ///     repeatedly.
    ///   - isDamaged: whether each packed file is damaged or cut.
    ///   - recordsPerFile: so many records in each file, of as many messages; nil for few.
    ///   - sources: so many, without CSV, with a fault in many of their lines; nil for a few.
    package init(
        seed: UInt64, nights: Int? = nil, isDamaged: Bool = false, recordsPerFile: Int? = nil, sources: Int? = nil
    ) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        let someFaults = random.pick([0, 0, 5, 25])
        let faultPercent = isDamaged ? 100 : someFaults
        let fewFaults = random.pick([0, 3, 3, 8])
        let faults = sources != nil ? 25 : isDamaged ? max(3, fewFaults) : fewFaults
        var first = Day(number: 0)
        var pipeline = generatedPipeline(firstDay: &first, sources: sources, &random)
        // Their own random numbers, so that the logs of a seed stay as they are.
        var mixed = SplitMix64(seed: seed ^ 0x315)
        for index in pipeline.sources.indices {
            GeneratedLayouts.mix(&pipeline.sources[index], percent: sources == nil ? 25 : 70, &mixed)
        }
        if faultPercent == 0, random.chance(50) { pipeline.failsOnDamagedFiles = random.chance(50) }
        if faultPercent > 0, mixed.chance(20) { pipeline.failsOnDamagedFiles = !isDamaged }
        var world = GeneratedWorld(pipeline: pipeline, &random)
        if let recordsPerFile {
            world.fill(recordsPerFile: recordsPerFile)
        }
        if recordsPerFile != nil || sources != nil { pipeline.rejectRatio = "1" }
        if sources != nil { pipeline.failsOnDamagedFiles = false }
        var dates = [first]
        for _ in 0..<random.number(0...4) {
            let window = pipeline.windowDays
            let gap = random.pick([1, 1, 1, 2, 3, window, window + 1, window + 2])
            dates.append(Day(number: (dates.last?.number ?? 0) + max(1, gap)))
        }
        let sourcePaths = pipeline.sources.map { GeneratedPaths(source: $0.name, &random) }
        for (index, paths) in sourcePaths.enumerated() { pipeline.sources[index].files = paths.patterns }

        func step(_ date: Day, _ pipeline: Pipeline) -> Step {
            var step = Step(
                logDate: date, pipeline: pipeline, writesDefaults: random.chance(30), force: random.chance(10),
                inputs: [], decoys: [])
            for (source, generated) in zip(pipeline.sources, sourcePaths) {
                if random.chance(random.pick([1, 1, 30])) { continue }
                let paths = generated.paths(date, count: random.pick([1, 1, 2, 3]), &random)
                for path in paths {
                    var text = generatedText(source, world, date, faults: faults, &random)
                    // There a block of the program ends, or the longest body.
                    text = padded(text, percent: isDamaged ? 25 : 3, length: blockSize)
                    if source.hasBodies { text = padded(text, percent: isDamaged ? 3 : 1, length: longestBody) }
                    // One foreign file keeps all of the log date back.
                    if random.chance(3), sources == nil { text = foreignOrNearly(text, &random) }
                    let bytes = packed(text, faultPercent: faultPercent, &random)
                    step.inputs.append(InputFile(source: source.name, path: path, bytes: bytes))
                }
                if let path = paths.first, random.chance(20) { step.decoys.append(generated.decoy(beside: path)) }
            }
            return step
        }

        // Its own random numbers, so that the logs of a seed stay as they are.
        var more = SplitMix64(seed: seed ^ 0xDE11)
        if more.chance(60) { pipeline.deliveries = generatedDeliveryEntries(&more) }

        if let nights {
            steps = (0..<nights).map { step(Day(number: first.number + $0), pipeline) }
            return
        }
        var steps: [Step] = []
        for date in random.shuffle(dates) {
            // Sometimes other files are loaded first.
            if random.chance(15) { steps.append(step(date, pipeline)) }
            steps.append(step(date, pipeline))
        }
        // Some steps are repeated, some of them with a changed pipeline.
        for _ in 0..<random.pick([0, 0, 1, 2]) {
            var again = random.pick(steps)
            again.force = random.chance(20)
            steps.append(again)
        }
        if random.chance(25) {
            pipeline = changed(pipeline, &random)
            var again = random.pick(steps)
            again.pipeline = pipeline
            again.inputs.removeAll { input in !pipeline.sources.contains { $0.name == input.source } }
            steps.append(again)
        }
        for index in steps.indices {
            let isNew = index == 0 || more.chance(40)
            steps[index].deliveryFiles =
                isNew
                ? generatedDeliveryFiles(steps[index].pipeline, world, &more) : steps[index - 1].deliveryFiles
        }
        self.steps = steps
    }
}

/// The paths of a source's files.
private struct GeneratedPaths {
    var source: String
    var style: Int
    private(set) var patterns: [String] = []

    init(source: String, _ random: inout SplitMix64) {
        self.source = source
        style = random.below(5)
        patterns = [pattern]
        guard random.chance(25) else { return }
        // Several patterns, which may match the same files, and together match all. One matches none.
        patterns += random.shuffle(otherPatterns).prefix(random.number(1...3))
        if random.chance(30), let parts { patterns = parts + patterns.dropFirst() }
        patterns = random.shuffle(patterns)
    }

    private var pattern: String {
        switch style {
        case 0: "logs/\(source)/%Y-%m-%d/*"
        case 1: "logs/\(source)/%Y/%m/%d/**/*.gz"
        case 2: "logs/\(source)/%Y%j-[a-c]*.log*"
        case 3: "logs/%Y-%m-%d/\(source)-?.gz"
        default: "logs/../logs/\(source)/d%d.%m.%Y/*.gz"
        }
    }

    /// Patterns that match some of the files.
    private var otherPatterns: [String] {
        let some =
            switch style {
            case 0: ["logs/\(source)/%Y-%m-%d/*.gz", "logs/\(source)/%Y-%m-%d/[!b]*"]
            case 1: ["logs/\(source)/%Y/%m/%d/*.gz", "logs/\(source)/%Y/%m/%d/x/**/?.gz"]
            case 2: ["logs/\(source)/%Y%j-a1.log*", "logs/\(source)/%Y%j-*.gz"]
            case 3: ["logs/%Y-%m-%d/\(source)-[bc].gz", "logs/%Y-%m-%d/\(source)-*"]
            default: ["logs/../logs/\(source)/d%d.%m.%Y/?.gz", "logs/../logs/\(source)/d%d.%m.%Y/[a-b].gz"]
            }
        return some + [pattern, "logs/\(source)/none/%Y%m%d/*"]
    }

    /// Patterns that together match the same files. Nil for some styles.
    private var parts: [String]? {
        switch style {
        case 0: ["logs/\(source)/%Y-%m-%d/[!a]*", "logs/\(source)/%Y-%m-%d/[ab]*"]
        case 2: ["logs/\(source)/%Y%j-[ab]*.log*", "logs/\(source)/%Y%j-[b-c]*.log*"]
        case 3: ["logs/%Y-%m-%d/\(source)-[a].gz", "logs/%Y-%m-%d/\(source)-[!a].gz"]
        default: nil
        }
    }

    func paths(_ date: Day, count: Int, _ random: inout SplitMix64) -> [String] {
        let (year, month, day) = date.parts
        let (y, m, d) = (padded(year, 4), padded(month, 2), padded(day, 2))
        let dayOfYear = date.number - (Day(year: year, month: 1, day: 1)?.number ?? 0) + 1
        // Some differ in their bytes alone.
        let names = (style == 0 && date.number % 2 == 0 ? ["\u{E9}", "e\u{301}", "c"] : ["a", "b", "c"]).prefix(count)
        switch style {
        case 0: return names.map { "logs/\(source)/\(date)/\($0)" + random.pick(["", ".gz", ".log.gz"]) }
        case 1:
            return names.map { "logs/\(source)/\(y)/\(m)/\(d)/" + random.pick(["", "x/", "x/y/"]) + "\($0).gz" }
        case 2: return names.map { "logs/\(source)/\(y)\(padded(dayOfYear, 3))-\($0)1.log" + random.pick(["", ".gz"]) }
        case 3: return names.map { "logs/\(date)/\(source)-\($0).gz" }
        default: return names.map { "logs/../logs/\(source)/d\(d).\(m).\(y)/\($0).gz" }
        }
    }

    /// The path of a hidden file beside the others.
    func decoy(beside path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        let name = parts.removeLast()
        return (parts + ["." + name]).joined(separator: "/")
    }
}

private func generatedText(
    _ source: Pipeline.Source, _ world: GeneratedWorld, _ date: Day, faults: Int, _ random: inout SplitMix64
) -> Bytes {
    if source.layout == .csv { return generatedTable(source, world, date, faults: faults, &random) }
    if source.layout.hasFieldsLines { return generatedSections(source, world, date, faults: faults, &random) }
    let all = source.singles.map { source in
        let writer = GeneratedLineWriter(source: source, zone: world.zone, &random)
        return GeneratedRecords(world: world, source: source, logDate: date, faults: faults, writer: writer)
    }
    let count = random.pick(world.recordCounts)
    if source.hasBodies {
        let breaksLines = random.chance(30)
        let bodies = (0..<count / 2).map { _ in
            source.format == .events
                ? all[0].eventsBody(breaksLines: breaksLines, &random)
                : all[0].usersTrackBody(breaksLines: breaksLines, &random)
        }
        return GeneratedText(bodies: bodies, faults: faults, &random).bytes
    }
    var lines = (0..<count).map { _ in
        let records = all.count == 1 ? all[0] : random.pick(all)
        return switch source.format {
        case .collector: records.collectorLine(&random)
        case .mzip: records.mzipLine(&random)
        case .usersTrack: records.usersTrackLine(&random)
        case .events: records.eventsLine(&random)
        }
    }
    if !source.skip.isEmpty { lines += (0..<count / 4).map { _ in GeneratedLayouts.errorLine(&random) } }
    lines = joined(
        lines, percent: source.unwrap == nil ? faults : 20, source.unwrap == nil ? joints : ["\n", "\r\n", "\n\n"],
        &random)
    lines = lines.map { wrapped($0, source, &random) }
    if source.unwrap != nil || source.layouts.contains(where: \.isJSON) {
        lines = joined(lines, percent: 15, objectJoints, &random)
    }
    for index in lines.indices where random.chance(faults) { lines[index] = mutated(lines[index], &random) }
    // Some lines twice.
    for _ in 0..<count / 8 { lines.append(random.pick(lines)) }
    lines += longLine(&random)
    return GeneratedText(lines: random.shuffle(lines), faults: faults, &random).bytes
}

private let joints = ["", "", "\r", " ", "\u{0}"]
private let objectJoints = ["", "", " ", ",", ", ", "\r", "\u{0}\u{0}", " \t,", "\u{B}", "x", "]"]

/// Lines of which some are joined to the line before.
private func joined(
    _ lines: [Bytes], percent: Int, _ joints: [String], _ random: inout SplitMix64
) -> [Bytes] {
    var joined: [Bytes] = []
    for line in lines {
        if !joined.isEmpty, random.chance(percent) {
            joined[joined.count - 1] += Bytes(random.pick(joints)) + line
        } else {
            joined.append(line)
        }
    }
    return joined
}

/// A line in a JSON object, if the source's lines are in one.
func wrapped(_ line: Bytes, _ source: Pipeline.Source, _ random: inout SplitMix64) -> Bytes {
    guard let key = source.unwrap else { return line }
    var text: Bytes = []
    for byte in line + Bytes(random.pick(["", "\n", "\n", "\r\n"])) {
        if byte < 0x20 || byte == UInt8(ascii: "&") && random.chance(50) {
            text += Bytes("\\u00" + hexDigits(byte))
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            text += [UInt8(ascii: "\\"), byte]
        } else {
            text.append(byte)
        }
    }
    let end = random.pick(["\"}", "\",\"stream\":\"stdout\",\"time\":\"2026-11-19T10:00:00.1Z\"}"])
    return Bytes("{\"\(key)\":\"") + text + Bytes(end)
}

/// A file in which `#Fields:` lines say what the columns of the lines after them are.
private func generatedSections(
    _ source: Pipeline.Source, _ world: GeneratedWorld, _ date: Day, faults: Int, _ random: inout SplitMix64
) -> Bytes {
    var lines: [Bytes] = []
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) {
        var writer = GeneratedLineWriter(source: source, zone: world.zone, &random)
        if random.chance(faults) { writer.columns.spoil(&random) }
        if !random.chance(faults) { lines += writer.columns.directives(&random) }
        let records = GeneratedRecords(world: world, source: source, logDate: date, faults: faults, writer: writer)
        // A file has up to three sections, so these are shorter.
        var own = (0..<random.pick(world.recordCounts.filter { $0 != 40 })).map { _ in records.collectorLine(&random) }
        own = joined(own, percent: faults, objectJoints, &random)
        for index in own.indices where random.chance(faults) { own[index] = mutated(own[index], &random) }
        for _ in 0..<own.count / 8 { own.append(random.pick(own)) }
        if random.chance(15) { own.append(Bytes(random.pick(["#Remark: x", "#", "# Fields: date", "#Fields date"]))) }
        lines += random.shuffle(own + longLine(&random))
    }
    lines = lines.map { wrapped($0, source, &random) }
    return GeneratedText(lines: lines, faults: faults, &random).bytes
}

/// Rarely a line that is as long as a line may be, or longer.
private func longLine(_ random: inout SplitMix64) -> [Bytes] {
    guard random.chance(1), random.chance(60) else { return [] }
    return [Bytes(repeating: UInt8(ascii: "x"), count: longestLine + random.pick([0, 1, 2000]))]
}
