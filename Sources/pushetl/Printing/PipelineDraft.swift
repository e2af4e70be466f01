import Configuration
import Messages
import Pipelines
import Records

/// A guess as the text of a pipeline file, with the evidence as comments. `# check` marks what the logs do not tell.
struct PipelineDraft {
    /// Ends with a line feed.
    let text: String
    /// The number of lines marked with `# check`.
    let checks: Int

    /// What somebody has to look at.
    struct Check {
        /// The most serious first.
        enum Rank: Int {
            case nothingCounts, lostLines, lostFiles, time, status, platform, codes, dialect, actions, mcid, zone, files
            case output
        }

        let rank: Rank
        let text: String
    }

    /// A line of the pipeline. Its check follows as a comment.
    private struct Line: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
        let text: String
        var check: Check?

        init(stringLiteral text: String) { self.init(text) }

        init(_ text: String, _ rank: Check.Rank = .output, _ check: String? = nil) {
            self.text = text
            self.check = check.map { Check(rank: rank, text: $0) }
        }
    }

    /// The most files that a source's comments list.
    private static let filesListed = 5
    private static let mostChecks = 10

    init(_ guess: Guess) {
        var lines: [Line] = [
            "version: 1", Line("timezone: UTC", .zone, PipelineDraft.zone(guess)),
            Line("output: warehouse", .output, "the folder for push.db, relative to this file"),
            "# retention: {ids: 90}  # days that message ids are kept; figures stay", "sources:",
        ]
        var doubts: [Check] = []
        for source in guess.sources {
            lines += PipelineDraft.lines(of: source)
            let name = guess.sources.count > 1 ? " (source \(source.name))" : ""
            doubts += PipelineDraft.doubts(source).map { Check(rank: $0.rank, text: $0.text + name) }
        }
        // Those of a key stand beside it, the others at the top.
        let all = doubts + lines.compactMap(\.check)
        let ranked = all.indices.sorted { (all[$0].rank.rawValue, $0) < (all[$1].rank.rawValue, $1) }
        let shown = Set(ranked.prefix(PipelineDraft.mostChecks))
        checks = shown.count
        var index = doubts.count
        let body = lines.map { line in
            guard let check = line.check else { return line.text }
            defer { index += 1 }
            return "\(line.text)  # \(shown.contains(index) ? "check: " : "")\(check.text)"
        }
        let files = Text.plural(guess.files.count, "file")
        let head = [
            "# A draft by 'pushetl guess', from \(files). Look at what is marked '# check', the most serious first. Then",
            "# see what it makes of the logs: 'pushetl preview --pipeline FILE'.",
        ]
        let serious = ranked.filter { $0 < doubts.count && shown.contains($0) }.map { "# check: \(all[$0].text)" }
        let more = doubts.count - serious.count
        let rest = more > 0 ? ["# … and \(Text.plural(more, "doubt")) more, less serious"] : []
        text = (head + serious + rest + body).joined(separator: "\n") + "\n"
    }

    private static func zone(_ guess: Guess) -> String {
        let times = guess.files.flatMap(\.trials).filter { $0.draft.format == .collector }
            .reduce(0) { $0 + $1.tally.accepted }
        let withoutOffset = guess.files.reduce(0) { $0 + $1.timesWithoutOffset }
        guard withoutOffset * 100 >= max(1, times) else { return "the zone of your days, such as Europe/Madrid" }
        return "the zone of your days and of the logs' times, which have no offset"
    }

    private static func lines(of source: Guess.GuessedSource) -> [Line] {
        var lines = source.files.prefix(filesListed).map { Line("  # " + evidence(of: $0, source)) }
        let more = source.files.count - filesListed
        if more > 0 { lines.append("  # … and \(Text.plural(more, "file")) more") }
        lines.append("  - name: \(source.name)")
        lines.append("    format: \(source.draft.format.rawValue)")
        if let layout = layout(source.draft) { lines.append("    layout: \(layout)") }
        if !source.draft.unwrap.isEmpty {
            lines.append("    unwrap: \(quoted(source.draft.unwrap.joined(separator: ".")))")
        }
        if !source.draft.layoutFields.isEmpty { lines.append("    layout_fields: \(fields(source.draft))") }
        switch source.draft.format {
        case .collector: lines += collectorLines(source)
        case .mzip:
            lines.append("    platform: ios  # arrivals are sent by iOS alone")
            if !source.actions.isEmpty { lines += actionLines(source) }
        case .usersTrack: lines += actionLines(source)
        }
        if !source.draft.path.isEmpty { lines.append("    path: \(quoted(source.draft.path))") }
        return lines + fileLines(source)
    }

    /// `access.log.gz: gzip, the first 10,000 lines: 9,998 fit, 4,120 hits`
    private static func evidence(of file: FileGuess, _ source: Guess.GuessedSource) -> String {
        let trials = file.trials.filter { $0.draft == source.draft }
        let (fitting, hits) = (trials.reduce(0) { $0 + $1.fitting }, trials.reduce(0) { $0 + $1.hits })
        let records = trials.reduce(0) { $0 + $1.tally.records }
        let unit = source.draft.format == .usersTrack ? "record" : "line"
        return "\(file.file.path.shown): \(file.packing == .plain ? "plain text" : file.packing.rawValue), "
            + "\(file.isWhole ? "" : "the first ")\(Text.plural(records, unit)): \(Text.number(fitting)) fit, "
            + Text.plural(hits, "hit")
    }

    /// Nil if it is the format's default.
    private static func layout(_ draft: SourceDraft) -> String? {
        let isDefault = draft.layoutText == (draft.format == .collector ? "combined" : "body")
        if isDefault { return draft.format == .collector ? draft.layoutText : nil }
        return Layout.names.contains(draft.layoutText) ? draft.layoutText : inQuotes(draft.layoutText)
    }

    private static func fields(_ draft: SourceDraft) -> String {
        let fields = JSONFields.Field.allCases.compactMap { field in
            draft.layoutFields[field].map { "\(field.name): \(quoted($0.joined(separator: ".")))" }
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    private static func collectorLines(_ source: Guess.GuessedSource) -> [Line] {
        let dialect = source.dialect.dialect
        let hits = source.codes.values.reduce(0, +)
        let counts = source.codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) (\(Text.number($0.value)))" }.joined(separator: ", ")
        var lines: [Line] = ["    # codes: \(counts.isEmpty ? "none" : counts)"]
        let doubt = source.dialect.isSure ? nil : "or \(dialect.other.rawValue); the codes do not tell"
        lines.append(Line("    dialect: \(dialect.rawValue)", .dialect, doubt))
        let unknown = source.codes.filter { dialect.actions[$0.key] == nil }
        if unknown.values.reduce(0, +) * 100 > hits {
            let list = unknown.keys.sorted().joined(separator: ", ")
            lines.append(
                Line("   ", .codes, "codes that the dialect lacks are rejected: \(list); 'actions' can name them"))
        }
        let without = source.files.reduce(0) { $0 + $1.hitsWithoutMcid }
        if without > 0, without < hits, dialect == .campaignStandard {
            let mcid =
                "true would leave out \(Text.number(without)) of \(Text.number(hits)), which have no mcId, as e-mails"
            lines.append(Line("    require_mcid: false", .mcid, mcid))
        }
        return lines
    }

    private static func actionLines(_ source: Guess.GuessedSource) -> [Line] {
        [Line("    actions:", .actions, "the names of the events, and what they are to be in the figures")]
            + source.codes.sorted { $0.key < $1.key }.map { name, records in
                let count = Text.plural(records, "record")
                guard let action = source.actions[name] else {
                    return "      # \(inQuotes(name).shown): not counted, \(count)"
                }
                return "      \(inQuotes(name)): \(action)  # \(count)"
            }
    }

    private static func fileLines(_ source: Guess.GuessedSource) -> [Line] {
        let dates = source.files.compactMap(\.nameDate)
        let late = source.files.count { file in
            guard let name = file.nameDate, let day = file.mainDay else { return false }
            return day < name
        }
        guard !source.patterns.isEmpty else {
            return [Line("    files: logs/%Y-%m-%d/*.log.gz", .files, "where the files are")]
        }
        var doubt: String?
        if dates.count < source.files.count {
            doubt = "without a date in the name, all log dates read these files"
        } else if late * 2 > dates.count {
            doubt = "the date in the name is later than the day of most hits"
        }
        if source.patterns.count == 1 { return [Line("    files: \(quoted(source.patterns[0]))", .files, doubt)] }
        return [Line("    files:", .files, doubt)] + source.patterns.map { "      - \(quoted($0))" }
    }

    /// As a plain scalar of YAML where that is safe.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.utf8.first != UInt8(ascii: "%")
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || "/_.%*+@=-".utf8.contains(byte)
            }
        let isWord = text.utf8.first.map {
            "/_".utf8.contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        }
        let words = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"]
        return isPlain && isWord == true && !words.contains(text.lowercased()) ? text : inQuotes(text)
    }

    private static func inQuotes(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}

extension Source.Dialect {
    fileprivate var other: Source.Dialect { self == .campaignStandard ? .campaignClassic : .campaignStandard }
}
