import Calendar
import Messages
import Records

/// Finds the best way to read some lines.
struct LayoutSearch {
    let lines: SampleLines
    /// The date in the file's path.
    let day: LogDate?

    /// The named layouts of lines with requests.
    private static let ofRequests = Layout.named.filter { !$0.isOfPayloads }
    private static let ofJSON = ofRequests.filter(\.isJSON)
    static let namedCollectors = ofRequests.map { SourceDraft(.collector, layout: $0.name) }

    /// The most lines from which formats are derived.
    private static let exampleLines = 32

    /// The best trial of some drafts; the first if several are equal.
    func best(of drafts: [SourceDraft]) -> Trial? {
        drafts.lazy.compactMap { Trial(of: $0, on: lines) }.max { $1.isBetter(than: $0) }
    }

    /// The best way to read the lines. A hand-written log format may look like JSON but lack the escapes. Many lines
    /// are then invalid JSON, and a line format fits better.
    /// - Parameter hinted: the indexes of the lines that seem to hold a record of this format.
    func best(as format: RecordFormat, hinted: [Int]) -> Trial? {
        let best = best(of: drafts(as: format, hinted: hinted))
        guard let best, best.draft.isJSON, best.fitting * 50 < best.tally.records * 49 else { return best }
        guard let other = self.best(of: lineFormats(as: format, hinted: hinted)), other.isBetter(than: best) else {
            return best
        }
        return other
    }

    /// The drafts to try, with named layouts first.
    func drafts(as format: RecordFormat, hinted: [Int]) -> [SourceDraft] {
        let json = hinted.filter(lines.isJSON)
        var layouts: [Layout] = format == .collector ? [] : [.body]
        if format == .collector, json.count < hinted.count {
            layouts += Self.ofRequests.filter { !$0.isJSON && $0 != .cloudFront }
        }
        if !json.isEmpty { layouts += Self.ofJSON.prefix(format == .collector ? .max : 1) }
        if format == .collector {
            // CloudFront's files are W3C files with columns of their own.
            let isCloudFront = lines.lines.prefix(10).contains {
                String(decoding: $0, as: UTF8.self).contains("x-edge-")
            }
            layouts.insert(.cloudFront, at: isCloudFront ? 0 : layouts.count)
        }
        var drafts = layouts.map { SourceDraft(format, layout: $0.name) }
        if let fields = lines.fields(of: json).fields(format, on: day), !fields.isEmpty {
            drafts.append(SourceDraft(format, layout: "json", fields: fields))
        }
        return drafts.map { withPath($0, hinted: hinted) }
            + lineFormats(as: format, hinted: hinted.filter { !lines.isJSON($0) })
    }

    /// Drafts with line formats that are derived from some of the lines, evenly spread.
    private func lineFormats(as format: RecordFormat, hinted: [Int]) -> [SourceDraft] {
        let count = min(hinted.count, Self.exampleLines)
        let examples = (0..<count).map { lines.lines[hinted[$0 * hinted.count / count]] }
        return LineFormatGuess.formats(of: examples, as: format, on: day)
            .map { withPath(SourceDraft(format, layout: $0), hinted: hinted) }
    }

    /// The draft with the path to which most payloads were posted.
    private func withPath(_ draft: SourceDraft, hinted: [Int]) -> SourceDraft {
        guard draft.format != .collector, draft.layoutText != "body", let rules = draft.rules() else { return draft }
        var parser = LineParser(rules)
        parser.beginFile()
        var paths: [String: Int] = [:]
        for line in hinted.map({ lines.lines[$0] }) {
            if let path = parser.foundFields(in: line.span)?.payloadPath { paths[path, default: 0] += 1 }
        }
        var draft = draft
        let path = paths.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? (draft.format == .events ? "/" : "")
        if path != draft.format.defaultPath, path.hasPrefix("/") { draft.path = path }
        return draft
    }

    // MARK: What does not fit

    /// The trial of another layout for the lines that do not fit. Nil unless at least one line in fifty does not fit,
    /// and the other layout fits at least half of these.
    func otherLayout(beside trial: Trial) -> Trial? {
        guard trial.draft.layoutText != "body" else { return nil }
        let misfits = trial.misfits.filter { $0 <= lines.lines.count }.map { lines.lines[$0 - 1] }
            .filter { ServerMessage.level(in: $0.span) == nil }
        guard misfits.count >= 2, misfits.count * 50 >= lines.lines.count else { return nil }
        let rest = LayoutSearch(lines: SampleLines(misfits), day: day)
        let hinted = rest.lines.hinted(trial.draft.format)
        let best =
            hinted.isEmpty ? rest.best(of: Self.namedCollectors) : rest.best(as: trial.draft.format, hinted: hinted)
        guard let other = best, other.fitting * 2 >= other.tally.records, other.fitting > 0 else { return nil }
        return other
    }

    /// The best trial with both layouts, of which each line fits one. Nil if one source cannot have both, or if both
    /// together fit no more lines than the first alone.
    func both(_ first: Trial, and second: Trial) -> Trial? {
        let drafts = [first.draft.joined(to: second.draft), second.draft.joined(to: first.draft)].compactMap(\.self)
        guard let both = best(of: drafts), both.fitting > first.fitting, both.hits >= first.hits else { return nil }
        return both
    }

    /// Why no layout reads these lines, shown by the first of them: the missing field, or where the best layout stops.
    func nearMiss(as format: RecordFormat, hinted: [Int]) -> MessageText {
        guard let index = hinted.first else { return "but no layout fits them" }
        let line = lines.lines[index]
        let isJSON = lines.isJSON(index)
        func lacking(_ lack: String) -> MessageText { "but \(lack) was found in them (line \(index + 1))" }
        let lack =
            isJSON ? lines.fields(of: hinted).lack(format, on: day) : LineFormatGuess.lack(of: line, as: format)
        if let lack { return lacking(lack) }
        // The layout 'body' reads a line that consists of a form alone.
        if format == .mzip, !line.contains(0x20),
            let trial = Trial(of: SourceDraft(format, layout: "body"), on: SampleLines([line])),
            let reason = trial.firstReject
        {
            return "but they are rejected (line \(index + 1): \(reason))"
        }
        var best = (offset: -1, reason: "" as MessageText, fits: false)
        for draft in drafts(as: format, hinted: hinted) where draft.layoutText != "body" {
            guard let rules = draft.rules(), let trial = Trial(of: draft, on: SampleLines([line])) else { continue }
            guard let reason = trial.firstReject else { return lacking("no request by GET or POST for the path /r/") }
            var parser = LineParser(rules)
            parser.beginFile()
            let offset = parser.offsetOfMisfit(in: line.span) ?? line.count
            guard offset > best.offset else { continue }
            let fits = trial.tally.count(.malformedLine) == 0 && trial.tally.count(.badTime) == 0
            best = (offset, ", \(reason.contains(":") ? reason : "\(rules.layout.name): \(reason)")", fits)
        }
        if best.fits { return "but they are rejected (line \(index + 1)\(best.reason))" }
        let page: MessageText =
            isJSON
            ? "'layout_fields' for them (the documentation's page Pipeline file, json)" : "a 'log_format' for them"
        let miss: MessageText = best.offset < 0 ? "" : " (line \(index + 1)\(best.reason))"
        return "but no layout fits them\(miss); write \(page)"
    }
}
