import Calendar
import Foundation
import LogFiles
import Messages
import Posix
import Records

/// What the beginning of a file shows about its format and layout.
package struct FileGuess: Sendable {
    package let file: Preview.File
    package let packing: Packing
    /// Nil if the file can be read.
    package let foreign: ForeignFile?
    /// The number of lines that were read.
    package let lines: Int
    /// Whether the whole file was read.
    package let isWhole: Bool
    /// The state of the file as far as it was read.
    package let status: FileStatus
    /// The best trial for each format that has hits in the file.
    package private(set) var trials: [Trial] = []
    /// What looks wrong, if a pipeline can be made.
    package private(set) var warnings: [Message] = []
    /// Why no pipeline can be made; nil if one can.
    package private(set) var failure: Message?
    /// The offset of bytes after a gzip member that are ignored.
    let trailingBytesAt: Int?
    /// By format, the number of lines that seem to hold more than one hit or payload.
    private(set) var crowdedLines: [RecordFormat: Int] = [:]
    /// By format, the number of accepted collector lines or events whose time has no offset.
    package private(set) var timesWithoutOffset: [RecordFormat: Int] = [:]
    /// Collectors' hits without an mcId.
    package private(set) var hitsWithoutMcid = 0
    /// By format, the doubts about the layouts.
    private(set) var doubts: [RecordFormat: [LayoutDoubts]] = [:]

    /// Reads the sample of a file.
    /// - Parameter known: drafts that were right for other files; they are tried first.
    /// - Throws: `LogFileError`.
    package init(of file: Preview.File, known: [SourceDraft]) throws {
        self.file = file
        let sample = try Sample(ofFileAt: file.location)
        packing = sample.beginning.packing
        foreign = ForeignFile(path: file.path, beginning: sample.beginning)
        trailingBytesAt = sample.trailingBytesAt
        let fileLines = SampleLines(sample.bytes, isAtEnd: sample.isAtEnd)
        let raw = fileLines.withObjectsApart
        let unwrap = raw.fieldsOfHits.pathOfLines ?? []
        let text = unwrap.isEmpty ? raw : raw.unwrapped(unwrap)
        let day = FileNamePattern(file.location, day: nil).date
        let search = LayoutSearch(lines: text, day: day)
        lines = raw.lines.count
        isWhole = sample.isWhole
        status = sample.status

        var mixed: Message?
        for format in RecordFormat.allCases {
            crowdedLines[format] = fileLines.lines.count { format.hasSeveralSigns(in: $0.span) }
            let hinted = text.hinted(format)
            guard !hinted.isEmpty else { continue }
            let same = search.best(
                of: known.filter { $0.format == format && $0.unwrap == unwrap }.map { $0.unwrapping([]) })
            let isRight = same.map { $0.hits > 0 && $0.fitting == $0.tally.records } ?? false
            // The trial reads the lines as a load does. Only its result counts.
            guard let one = isRight ? same : search.best(as: format, hinted: hinted), one.isOfUse else { continue }
            let other = search.otherLayout(beside: one)
            let both = other.flatMap { search.both(one, and: $0) }
            let best = both ?? one
            guard let trial = unwrap.isEmpty ? best : Trial(of: best.draft.unwrapping(unwrap), on: raw) else {
                continue
            }
            if trial.hits > trials.map(\.hits).max() ?? 0 {
                mixed = both == nil ? other.map { layouts(of: one, and: $0) } : nil
            }
            trials.append(trial)
            let drafts = both == nil ? [one.draft] : [one.draft, other?.draft].compactMap(\.self)
            doubts[format] = drafts.map { LayoutDoubts(about: $0, lines: text, hinted: hinted, on: day) }
            let misfits = Set(raw.hinted(format).map { $0 + 1 }).intersection(trial.misfits).count
            if misfits > 0, misfits * 20 >= hinted.count {
                warnings.append(Preview.misfits(misfits, of: hinted.count, path: file.path))
            }
        }
        // Vendors' events have no sign in the bytes, so they are tried only if no other format fits.
        let action = EventWords.action(inPath: file.location)
        let events = trials.isEmpty ? EventSearch(lines: fileLines, day: day, action: action).best() : nil
        if let events, events.lack == nil, let trial = Self.trial(of: events, in: fileLines, known: known) {
            trials.append(trial)
            // A draft from another file brings its doubts with that file.
            doubts[trial.draft.format] = [LayoutDoubts(trial.draft == events.draft ? events.doubts : [])]
        }
        guard !trials.isEmpty else {
            failure = FileFailure(file.path, search: search, raw: raw, sample: sample, events: events).message
            return
        }
        if let mixed { warnings.insert(mixed, at: 0) }
        if status != .ok {
            warnings.append(.at(file.path, code: status.code, text: "is \(status.rawValue)"))
        }
        for trial in trials where trial.draft.format == .collector || trial.draft.format == .events {
            // Read for a zone one hour to the east, times without an offset are one hour earlier. This counts them.
            let isOfEvents = trial.draft.format == .events
            let zone = ZoneRules(name: "UTC+1", offset: 3600)
            let east = Trial(
                of: trial.draft, on: isOfEvents ? fileLines : raw, zone: zone, events: isOfEvents ? events : nil)
            timesWithoutOffset[trial.draft.format] = east.map { Int((trial.instants - $0.instants) / 3_600_000) }
            if isOfEvents { continue }
            hitsWithoutMcid = Trial(of: trial.draft, on: raw, requireMcid: true)?.tally.count(.notPush) ?? 0
        }
    }

    /// Why nothing of the file counts; nil if something does.
    package var obstacle: Message? {
        foreign.map { Message(.foreignFile, text: $0.text(), path: file.path) } ?? failure
    }

    /// The trial of a vendor's events by their own draft, or by another file's draft if it accepts as many.
    private static func trial(of events: EventGuess, in lines: SampleLines, known: [SourceDraft]) -> Trial? {
        let own = events.draft
        let same = known.filter { draft in
            draft.format == own.format && draft.elements == own.elements && draft.layoutText == own.layoutText
                && draft.times == own.times && draft.action.isEmpty == own.action.isEmpty
                // All files must make a message of the same number of ids.
                && (!draft.fields.idParts.isEmpty || own.fields.idParts.isEmpty)
        }.map { draft in
            var draft = draft
            draft.action = own.action
            return draft
        }
        let trials = (same + [own]).compactMap { Trial(of: $0, on: lines, window: events.window, events: events) }
        return trials.filter(\.isOfUse).max { $0.tally.accepted < $1.tally.accepted }
    }

    private func layouts(of trial: Trial, and other: Trial) -> Message {
        let layouts = [trial, other].map { trial in
            let fitting = "\(Text.number(trial.fitting)) of \(Text.plural(lines, of: "line"))"
            return "\(fitting) (\(Text.percent(trial.fitting, of: lines))) fit '\(trial.draft.layoutText)'"
        }
        return .at(
            file.path, code: .mixedLayouts,
            text: "has two layouts: \(layouts.joined(separator: ", ")); a source cannot have both")
    }

    /// The day of most records, in UTC; nil without records.
    package var mainDay: LogDate? {
        var days: [LogDate: Int] = [:]
        for trial in trials { days.merge(trial.days, uniquingKeysWith: +) }
        return days.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }

    /// The date in the file's path, if it has one.
    package var nameDate: LogDate? { FileNamePattern(file.location, day: mainDay).date }
}

/// Why nothing can be made of a file that has no hits, or whose hits no layout reads.
private struct FileFailure {
    let message: Message

    init(_ path: String, search: LayoutSearch, raw: SampleLines, sample: Sample, events: EventGuess?) {
        let read = "\(sample.isWhole ? "" : "the first ")\(Text.plural(raw.lines.count, of: "line"))"
        let hinted = RecordFormat.allCases.map { ($0, search.lines.hinted($0)) }.max { $0.1.count < $1.1.count }
        let plain = search.best(of: LayoutSearch.namedCollectors)
        let fits = plain.map { $0.fitting * 2 >= max(1, $0.tally.records) ? $0.draft.layoutText : "" } ?? ""
        if raw.lines.isEmpty {
            message = .at(path, code: .noHits, text: "is empty")
        } else if let obstacle = Self.obstacle(
            to: path, lines: raw, packing: sample.beginning.packing, isLog: !fits.isEmpty)
        {
            message = .at(path, code: .noLayout, text: obstacle)
        } else if let events, hinted?.0 == .usersTrack || hinted?.1.isEmpty == true {
            let reason = events.lack ?? "all of them are rejected, as 'pushetl preview' would show"
            let others = hinted?.1.isEmpty == true ? "no id such as '/r/?id=…', no mzip form, and " : ""
            message = .at(
                path, code: .noHits, text: "no hits in \(read): \(others)no events of a push, since \(reason)")
        } else if let (format, lines) = hinted, !lines.isEmpty {
            let miss = search.nearMiss(as: format, hinted: lines)
            let seem = lines.count == 1 ? "seems" : "seem"
            message = .at(
                path, code: .noLayout, text: "\(Text.number(lines.count)) of \(read) \(seem) to hold hits, \(miss)")
        } else {
            let layout = fits.isEmpty ? "they fit no layout, and none" : "they fit '\(fits)', but none"
            message = .at(
                path, code: .noHits,
                text: "no hits in \(read): \(layout) has an id such as '/r/?id=…', a mzip form or 'events'")
        }
    }

    /// - Parameter isLog: whether a layout fits the lines.
    private static func obstacle(
        to path: String, lines: SampleLines, packing: Packing, isLog: Bool
    ) -> MessageText? {
        let json = lines.lines.indices.filter(lines.isJSON)
        if let list = lines.fieldsOfHits.listOfHits {
            return """
                its hits are in the list '\(list)'; no layout reads lists, so write each element of the list as a line \
                of its own first, as 'jq -c' does
                """
        }
        if isDocument(lines), !lines.hinted(.collector).isEmpty {
            return """
                is one JSON document; a layout reads one object a line, so write each as a line of its own first, as \
                'jq -c' does
                """
        }
        if json.count * 2 > lines.lines.count, let list = lines.fields(of: json).emptyList {
            return "the list '\(list)' is empty in all lines, so there are no hits"
        }
        if let fields = lines.lines.first(where: { $0.starts(with: "#Fields:".utf8) }) {
            let missing = W3CLayout.missingColumns(fields.span)
            guard !missing.isEmpty else { return nil }
            return """
                its '#Fields:' line has no \(missing.joined(separator: ", no ")), which hits need; add \
                \(missing.count == 1 ? "this field" : "these fields") to the server's log
                """
        }
        let signs = RecordFormat.allCases.map { lines.hinted($0).count }.max() ?? 0
        let hasSigns = signs > 0
        switch !isLog && json.isEmpty ? JSONFieldGuess.headerLack(table: lines.bytes.span) : nil {
        case .values(let columns) where !hasSigns:
            return """
                looks like CSV without a header: its lines have \(columns) values each, and the first has no names of \
                columns, by which CSV is read; put a line with them before it
                """
        case .later(let line) where signs * 2 < lines.lines.count:
            return """
                its first line is no header: the names of its columns, by which CSV is read, are rather in line \(line); \
                remove what stands before it
                """
        default: break
        }
        return packing == .plain && !hasSigns ? content(lines.bytes, ofFileAt: path) : nil
    }

    /// Whether a JSON object or array goes on after the first line, or an array is all there is.
    private static func isDocument(_ lines: SampleLines) -> Bool {
        guard let line = lines.lines.first(where: { !$0.isEmpty }) else { return false }
        if line.first == UInt8(ascii: "[") {
            return lines.lines.joined().first { $0 > 0x20 && $0 != UInt8(ascii: "[") } == UInt8(ascii: "{")
        }
        return line.first == UInt8(ascii: "{") && line.dropFirst().allSatisfy { $0 <= 0x20 }
    }

    /// An obstacle: the content is of another kind than the file's name says, or is no text. Nil if neither is so.
    private static func content(_ bytes: [UInt8], ofFileAt path: String) -> MessageText? {
        let suffix = path.split(separator: ".").last?.lowercased() ?? ""
        let kinds = ["gz": "gzip", "gzip": "gzip", "zst": "zstd", "json": "JSON", "jsonl": "JSON", "ndjson": "JSON"]
        let start = bytes.prefix(4096)
        let controls = start.count { $0 < 0x20 && ![0x09, 0x0A, 0x0D, 0x1B].contains($0) }
        let first = start.first { $0 > 0x20 }
        let isJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        let isBinary = controls * 20 > start.count
        let content = isBinary ? "binary data" : first == UInt8(ascii: "<") ? "HTML or XML" : "plain text"
        if let kind = kinds[suffix], kind != "JSON" || !isJSON {
            return "its name says \(kind), but its content is \(content) without hits"
        }
        return isBinary ? "is binary data of an unknown kind; pushetl reads gzip, zstd and plain text" : nil
    }
}

extension FileStatus {
    /// The code of the message about a file that is not whole.
    fileprivate var code: MessageCode { self == .truncated ? .truncatedFile : .damagedFile }
}
