import Configuration
import Foundation
import Messages
import Pipelines
import Records

/// A guess as the text of a pipeline file, with the evidence as comments. `# check` marks what the logs do not tell.
struct PipelineDraft {
    /// Ends with a line feed.
    let text: String
    /// The number of lines marked with `# check`.
    let checks: Int

    /// A line of the pipeline. Its doubt follows as a comment.
    private typealias Line = (text: String, doubt: Doubt?)

    /// The most files that a source's comments list.
    private static let filesListed = 5
    private static let mostChecks = 10
    /// If a source has more names of events than this, names that do not count are not listed.
    private static let namesListed = 40

    init(_ guess: Guess) {
        let head: [Line] =
            [
                ("version: 1", nil), ("timezone: UTC", Doubt(.zone, text: Self.zone(guess))),
                ("output: warehouse", Doubt(.output, text: "the folder for push.db, relative to this file")),
                ("# retention: {ids: 90}  # days that message ids are kept; figures stay", nil),
            ] + Self.limits(guess) + [("sources:", nil)]
        // Doubts about a key stand beside it. The other doubts stand at the top.
        let lines = head + guess.sources.flatMap(Self.lines)
        let doubts = guess.sources.flatMap { source in
            let name = guess.sources.count > 1 ? " (source \(source.name))" : ""
            return source.doubts.map { Line("# check: \($0.text)\(name)", $0) }
        }
        let all = doubts + lines
        let ranked = all.indices.sorted { a, b in
            (all[a].doubt?.rank.rawValue ?? .max, a) < (all[b].doubt?.rank.rawValue ?? .max, b)
        }
        let shown = ranked.prefix(Self.mostChecks).filter { all[$0].doubt != nil }
        checks = shown.count
        let serious = shown.filter { $0 < doubts.count }.map { all[$0].text }
        let more = doubts.count - serious.count
        let body = lines.enumerated().map { index, line in
            guard let doubt = line.doubt else { return line.text }
            return "\(line.text)  # \(shown.contains(doubts.count + index) ? "check: " : "")\(doubt.text)"
        }
        let files = Text.plural(guess.files.count, of: "file")
        let intro = """
            # yaml-language-server: $schema=\(Self.schema)
            # A draft by 'pushetl guess', from \(files). Look at what is marked '# check', the most serious first. Then
            # see what it makes of the logs: 'pushetl preview --pipeline FILE'.
            """
        let rest = more > 0 ? ["# … and \(Text.plural(more, of: "doubt")) more, less serious"] : []
        let counted = guess.sentence.map { ["# counted: \($0)"] } ?? []
        text = ([intro] + serious + rest + body + counted).joined(separator: "\n") + "\n"
    }

    /// The path of the JSON schema for editors: below the folder of the installed program if it is there, else where a
    /// package installs it.
    private static var schema: String {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let path = "share/pushetl/pushetl.schema.json"
        let installed = program.deletingLastPathComponent().deletingLastPathComponent().appending(path: path).path
        return FileManager.default.fileExists(atPath: installed) ? installed : "/usr/" + path
    }

    private static func zone(_ guess: Guess) -> String {
        let times = guess.files.flatMap(\.trials).filter { $0.draft.format == .collector }
            .reduce(0) { $0 + $1.tally.accepted }
        let withoutOffset = guess.files.reduce(0) { $0 + ($1.timesWithoutOffset[.collector] ?? 0) }
        guard withoutOffset * 100 >= max(1, times) else { return "the zone of your days, such as Europe/Madrid" }
        return "the zone of your days and of the logs' times, which have no offset"
    }

    /// The line for `limits`. Some vendors name the message only in some events, or write a text in place of a time. If
    /// more than 4 % of the events lack one, the limit is lifted, or the load would be held back.
    private static func limits(_ guess: Guess) -> [Line] {
        let trials = guess.sources.filter { $0.draft.fields != [:] }.flatMap(\.trials)
        let events = trials.reduce(0) { $0 + $1.tally.records }
        let ids = trials.reduce(0) { $0 + $1.tally.count(.missingID) }
        let times = trials.reduce(0) { $0 + $1.tally.count(.badTime) }
        guard (ids + times) * 25 > events else { return [] }
        let lack = ids == 0 ? "time" : times == 0 ? "id" : "id or time"
        let number = "\(Text.number(ids + times)) of \(Text.number(events))"
        let text = "for a load is held back where so many have no \(lack): \(number)"
        return [("limits: {reject_ratio: 1}", Doubt(.lostLines, text: text))]
    }

    private static func lines(of source: Guess.GuessedSource) -> [Line] {
        let draft = source.draft
        var lines = source.files.prefix(filesListed).map { "  # " + evidence(of: $0, draft: draft) }
        let more = source.files.count - filesListed
        if more > 0 { lines.append("  # … and \(Text.plural(more, of: "file")) more") }
        lines.append("  - name: \(source.name)")
        lines.append("    format: \(draft.format.rawValue)")
        if draft.format == .collector || draft.layoutText != "body" {
            let texts = draft.layoutTexts.map { Layout.names.contains($0) ? $0 : inQuotes($0) }
            lines.append("    layout:\(texts.count == 1 ? " \(texts[0])" : "")")
            if texts.count > 1 { lines += texts.map { "      - \($0)" } }
        }
        if !draft.unwrap.isEmpty { lines.append("    unwrap: \(quoted(PathText.text(draft.unwrap)))") }
        let fields = JSONFields.Field.allCases.compactMap { field in
            draft.layoutFields[field].map { "\(field.name): \(quoted(PathText.text($0)))" }
        }
        if !fields.isEmpty { lines.append("    layout_fields: {\(fields.joined(separator: ", "))}") }
        lines += Self.fields(draft)
        if draft.format == .mzip { lines.append("    platform: ios  # arrivals are sent by iOS alone") }
        let path = draft.path.isEmpty ? [] : ["    path: \(quoted(draft.path))"]
        return lines.map { ($0, nil) } + payloadZone(source)
            + (draft.format == .collector ? codes(source) : draft.namesActions ? actions(source) : [])
            + path.map { ($0, nil) } + platforms(source) + patterns(source)
    }

    /// The zone for times in a vendor's events, if these have no offset.
    private static func payloadZone(_ source: Guess.GuessedSource) -> [Line] {
        let times = source.trials.reduce(0) { $0 + $1.tally.accepted + $1.tally.count(.outOfWindow) }
        let without = source.files.reduce(0) { $0 + ($1.timesWithoutOffset[.events] ?? 0) }
        guard source.draft.format == .events, without > 0 else { return [] }
        let draft = source.draft
        let places = draft.times.isEmpty ? draft.fields[.time].paths : draft.times.map(\.path)
        let names = places.map(PathText.text).joined(separator: ", ")
        let text =
            "the zone of the times at '\(names)' that have no offset, \(Text.number(without)) of \(Text.number(times))"
        return [("    timezone: UTC", Doubt(.time, text: text))]
    }

    /// The lines for `fields`: where a vendor's events have each value.
    private static func fields(_ draft: SourceDraft) -> [String] {
        let fields = draft.fields
        if fields == [:] { return [] }
        // The name of a column is no path.
        func text(_ path: [String]) -> String {
            quoted(draft.layoutText == "csv" ? path.joined(separator: ".") : PathText.text(path))
        }
        func text(_ place: ValuePlace) -> String {
            let texts = place.paths.map(text).joined(separator: ", ")
            return place.paths.count > 1 ? "{first: [\(texts)]}" : texts
        }
        let times = draft.times.map { "\($0.action): \(text($0.path))" }.joined(separator: ", ")
        let elements = draft.elements.isEmpty ? [] : ["    elements: \(quoted(PathText.text(draft.elements)))"]
        let paths = FieldPaths.Field.allCases.compactMap { field -> String? in
            let parts = field == .broadlogID ? fields.idParts : []
            if !parts.isEmpty { return "      \(field.rawValue): [\(parts.map(text).joined(separator: ", "))]" }
            return fields[field].isNowhere ? nil : "      \(field.rawValue): \(text(fields[field]))"
        }
        let required = draft.require.map(text).joined(separator: ", ")
        return elements + (required.isEmpty ? [] : ["    require: [\(required)]"])
            + (draft.action.isEmpty ? [] : ["    action: \(draft.action)"])
            + (times.isEmpty ? [] : ["    times: {\(times)}"]) + ["    fields:"] + paths
    }

    /// The lines for `platforms`: a vendor's words for platforms that differ from ours.
    private static func platforms(_ source: Guess.GuessedSource) -> [Line] {
        let words = source.platformWords
        let known = EventWords.platforms(words.keys).sorted { $0.key < $1.key }
        let unknown = words.filter { EventWords.platform($0.key) == nil }.sorted { $0.key < $1.key }
        let list = unknown.map { "\($0.key) (\(Text.number($0.value)))" }.joined(separator: ", ")
        let doubt = unknown.isEmpty ? nil : Doubt(.platform, text: "of unknown platform: \(list)")
        guard !known.isEmpty else { return doubt.map { [("   ", $0)] } ?? [] }
        return [("    platforms: {\(known.map { "\(quoted($0)): \($1.name)" }.joined(separator: ", "))}", doubt)]
    }

    /// `access.log.gz: gzip, the first 10,000 lines: 9,998 fit, 4,120 hits`; of a vendor `push.json: 38 events: 22
    /// count`
    private static func evidence(of file: FileGuess, draft: SourceDraft) -> String {
        let trials = file.trials.filter { $0.draft == draft }
        let fitting = trials.reduce(0) { $0 + $1.fitting }
        let hits = trials.reduce(0) { $0 + $1.hits }
        let count = trials.reduce(0) { $0 + $1.tally.records }
        let beginning =
            "\(file.file.path.shown): \(file.packing == .plain ? "plain text" : file.packing.rawValue), "
            + (file.isWhole ? "" : "the first ")
        if draft.fields != [:] {
            let counting = hits - trials.reduce(0) { $0 + $1.tally.count(.outOfWindow) }
            return beginning + "\(Text.plural(count, of: "event")): \(Text.number(counting)) count"
        }
        let records = Text.plural(count, of: draft.format == .usersTrack ? "record" : "line")
        return beginning + "\(records): \(Text.number(fitting)) fit, \(Text.plural(hits, of: "hit"))"
    }

    private static func codes(_ source: Guess.GuessedSource) -> [Line] {
        let dialect = source.dialect
        let hits = source.hits
        let counts = source.codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) (\(Text.number($0.value)))" }.joined(separator: ", ")
        let other: Source.Dialect = dialect == .campaignStandard ? .campaignClassic : .campaignStandard
        let doubt = Doubt(.dialect, text: "or \(other.rawValue); the codes do not tell")
        var lines: [Line] = [
            ("    # codes: \(counts.isEmpty ? "none" : counts)", nil),
            ("    dialect: \(dialect.rawValue)", source.isDialectSure ? nil : doubt),
        ]
        let unknown = source.codes.filter { dialect.actions[$0.key] == nil }
        if unknown.values.reduce(0, +) * 100 > hits {
            let list = unknown.keys.sorted().joined(separator: ", ")
            let text = "codes that the dialect lacks are rejected: \(list); 'actions' can name them"
            lines.append(("  ", Doubt(.codes, text: text)))
        }
        let without = source.hitsWithoutMcid
        if without > 0, without < hits, dialect == .campaignStandard {
            let text =
                "true would leave out \(Text.number(without)) of \(Text.number(hits)), which have no mcId, as e-mails"
            lines.append(("    require_mcid: false", Doubt(.mcid, text: text)))
        }
        return lines
    }

    private static func actions(_ source: Guess.GuessedSource) -> [Line] {
        if source.draft.format == .mzip, source.actions.isEmpty { return [] }
        let isKnown = source.codes.keys.contains(where: EventWords.isKnown)
        let text =
            isKnown || source.draft.format != .events
            ? "the names of the events, and what they are to be in the figures"
            : "no name says what happened; write open, click, arrival or impression for it, and remove what is none"
        let later = source.files.allSatisfy(\.isWhole) ? "" : "; what was not read may have others"
        let doubt = Doubt(.actions, text: text + later)
        let codes = source.namedCodes.sorted { $0.key < $1.key }
        // Not an app's hundreds of events that are no pushes.
        let named = codes.count > namesListed ? codes.filter { source.actions[$0.key] != nil } : codes
        let lines = named.map { name, records in
            let count = Text.plural(records, of: "record")
            let action = source.actions[name].map { "\(inQuotes(name)): \($0)  # \(count)" }
            return "      " + (action ?? "# \(inQuotes(name).shown): not counted, \(count)")
        }
        let rest = source.codes.count - named.count
        let others = rest > 0 ? ["      # \(Text.plural(rest, of: "other name")): not counted"] : []
        return [("    actions:", doubt)] + (lines + others).map { ($0, nil) }
    }

    private static func patterns(_ source: Guess.GuessedSource) -> [Line] {
        guard !source.patterns.isEmpty else {
            return [("    files: logs/%Y-%m-%d/*.log.gz", Doubt(.files, text: "where the files are"))]
        }
        let dates = source.files.compactMap(\.nameDate)
        let late = source.files.count { file in
            guard let name = file.nameDate, let day = file.mainDay else { return false }
            return day < name
        }
        var doubt: Doubt?
        if dates.count < source.files.count {
            doubt = Doubt(
                .files, text: "without a date in the name, one 'run' loads all of these files as one log date")
        } else if late * 2 > dates.count {
            doubt = Doubt(
                .files,
                text: "the date in the name is after the day of most hits; logrotate's 'dateyesterday' mends that")
        }
        if source.patterns.count == 1 { return [("    files: \(quoted(source.patterns[0]))", doubt)] }
        return [("    files:", doubt)] + source.patterns.map { ("      - \(quoted($0))", nil) }
    }

    /// The text as a YAML scalar, without quotes where that is safe.
    private static func quoted(_ text: String) -> String {
        let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        let isPlain = text.contains(#/^[A-Za-z\/_][A-Za-z0-9\/_.%*+@=\-]*$/#) && !text.contains("\n")
        return isPlain && !words.contains(text.lowercased()) ? text : inQuotes(text)
    }

    private static func inQuotes(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
