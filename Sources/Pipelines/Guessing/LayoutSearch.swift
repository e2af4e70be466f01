import Calendar
import Configuration
import Records

/// Finds the best way to read some lines.
struct LayoutSearch {
    let lines: SampleLines
    /// The date in the file's path.
    let day: LogDate?

    /// The best way to read these lines; the first of equal ones.
    func best(of drafts: [SourceDraft]) -> Trial? {
        var best: Trial?
        for draft in drafts {
            guard let trial = Trial(draft, lines) else { continue }
            if let known = best, !trial.isBetter(than: known) { continue }
            best = trial
        }
        return best
    }

    // MARK: Drafts

    static let namedCollectors = [
        "combined", "w3c", "cloudfront", "alb", "json", "gcp_lb", "caddy",
    ].map { SourceDraft(.collector, $0) }

    /// The most lines after which formats are made.
    private static let exampleLines = 16

    /// The ways in which lines could be read.
    /// - Parameter hinted: the indexes of the lines that seem to hold a record of this format.
    func drafts(_ format: RecordFormat, _ hinted: [Int]) -> [SourceDraft] {
        let json = hinted.filter { lines.bytes[lines.ranges[$0]].first == UInt8(ascii: "{") }
        var names: [String] = []
        if format != .collector { names.append("body") }
        if json.count < hinted.count, format == .collector { names += ["combined", "w3c", "alb"] }
        if !json.isEmpty { names += format == .collector ? ["json", "gcp_lb", "caddy"] : ["json"] }
        if format == .collector { names.insert("cloudfront", at: isCloudFront ? 0 : names.count) }
        var drafts = names.map { SourceDraft(format, $0) }
        if let paths = lines.fields(of: json).paths(format, on: day), !paths.isEmpty {
            drafts.append(SourceDraft(format, "json", fields: paths))
        }
        let others = json.isEmpty ? hinted : hinted.filter { lines.bytes[lines.ranges[$0]].first != UInt8(ascii: "{") }
        drafts += lineFormats(format, others)
        return format == .collector ? drafts : drafts.map { withPath($0, hinted) }
    }

    /// The best way to read the lines. A hand-written format can look like JSON without its escapes. Then many lines are
    /// invalid JSON, and a format fits better.
    func best(_ format: RecordFormat, _ hinted: [Int]) -> Trial? {
        let best = best(of: drafts(format, hinted))
        guard let best, best.draft.isJSON, best.fitting * 50 < best.tally.records * 49 else { return best }
        var formats = lineFormats(format, hinted)
        if format != .collector { formats = formats.map { withPath($0, hinted) } }
        guard let other = self.best(of: formats), other.isBetter(than: best) else { return best }
        return other
    }

    /// How far the layouts come with the first of the lines, of which none is a hit in any.
    func nearMiss(_ format: RecordFormat, _ hinted: [Int]) -> NearMiss? {
        guard let index = hinted.first else { return nil }
        let line = lines.bytes.span.extracting(lines.ranges[index])
        let isJSON = line[0] == UInt8(ascii: "{")
        let lack = isJSON ? lines.fields(of: hinted).lack(format, on: day) : LineFormatGuess.lack(line, format)
        if let lack { return NearMiss(line: index + 1, lack: lack, isJSON: isJSON) }
        var best: (offset: Int, reason: String)?
        for draft in drafts(format, hinted) where draft.layoutText != "body" {
            guard let rules = draft.rules(zone: .utc) else { continue }
            var parser = LineParser(rules)
            parser.beginFile()
            let offset = parser.offsetOfMisfit(in: line) ?? line.count
            if let best, best.offset >= offset { continue }
            let trial = Trial(draft, SampleLines(Array(lines.bytes[lines.ranges[index]]), isAtEnd: true))
            guard let reason = trial?.firstReject else {
                let lack = "no request by GET or POST for the path /r/"
                return NearMiss(line: index + 1, lack: lack, isJSON: isJSON)
            }
            best = (offset, reason.contains(":") ? reason : "\(rules.layout.name): \(reason)")
        }
        return best.map { NearMiss(line: index + 1, reason: $0.reason, isJSON: isJSON) }
    }

    /// Formats after some of the lines: those that read most first, then those whose time is the likeliest, then those
    /// that most lines suggest.
    private func lineFormats(_ format: RecordFormat, _ hinted: [Int]) -> [SourceDraft] {
        // By which of the times in a line it is: formats that read the same one are equally likely to be right about it.
        var instants: [Int: [Int64]] = [:]
        var counts: [LineFormatGuess: Int] = [:]
        for index in spread(hinted, LayoutSearch.exampleLines) {
            let line = lines.bytes.span.extracting(lines.ranges[index])
            var times: [Int: Int64] = [:]
            for (guess, instant) in LineFormatGuess.formats(of: line, format) {
                counts[guess, default: 0] += 1
                times[guess.time] = instant ?? times[guess.time]
            }
            for (time, instant) in times { instants[time, default: []].append(instant) }
        }
        let ranked = counts.map { guess, count in
            (guess: guess, count: count, time: guess.rank(ofTimes: instants[guess.time] ?? [], on: day))
        }
        let likeliest = ranked.map(\.time).min() ?? 0
        let sorted = ranked.filter { $0.time <= max(1, likeliest) }.sorted { a, b in
            (b.guess.values, a.time, b.count, a.guess.time, a.guess.text)
                < (a.guess.values, b.time, a.count, b.guess.time, b.guess.text)
        }
        return sorted.map { SourceDraft(format, $0.guess.text, values: $0.guess.values, length: $0.guess.length) }
    }

    /// Some of the indexes, evenly spread.
    private func spread(_ indexes: [Int], _ count: Int) -> [Int] {
        guard indexes.count > count else { return indexes }
        return (0..<count).map { indexes[$0 * indexes.count / count] }
    }

    /// Whether the columns are CloudFront's, and not only W3C's.
    private var isCloudFront: Bool {
        lines.ranges.prefix(10).contains { String(decoding: lines.bytes[$0], as: UTF8.self).contains("x-edge-") }
    }

    /// The draft with the path to which most payloads were posted.
    private func withPath(_ draft: SourceDraft, _ hinted: [Int]) -> SourceDraft {
        guard draft.layoutText != "body", let rules = draft.rules(zone: .utc) else { return draft }
        var parser = LineParser(rules)
        parser.beginFile()
        var paths: [String: Int] = [:]
        for index in hinted {
            if let path = parser.payloadPath(of: lines.bytes.span.extracting(lines.ranges[index])) {
                paths[path, default: 0] += 1
            }
        }
        var draft = draft
        let path = paths.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
        if path != draft.format.defaultPath, path.hasPrefix("/") { draft.path = path }
        return draft
    }

    // MARK: Mixed layouts

    /// Another layout, if one in fifty lines or more does not fit this one, and most of them fit the other one.
    func otherLayout(beside trial: Trial) -> OtherLayout? {
        guard trial.draft.layoutText != "body", trial.misfits.count >= 2, trial.misfits.count * 50 >= lines.count else {
            return nil
        }
        var bytes: [UInt8] = []
        for number in trial.misfits where number <= lines.count {
            bytes += lines.bytes[lines.ranges[number - 1]] + [0x0A]
        }
        let rest = LayoutSearch(lines: SampleLines(bytes, isAtEnd: true), day: day)
        let format = trial.draft.format
        let hinted = rest.lines.lines(of: format)
        let best = hinted.isEmpty ? rest.best(of: LayoutSearch.namedCollectors) : rest.best(format, hinted)
        guard let other = best, other.fitting * 2 >= other.tally.records, other.fitting > 0 else { return nil }
        return OtherLayout(draft: other.draft, lines: other.fitting, hits: other.hits)
    }
}
