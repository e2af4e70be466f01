import Configuration
import Pipelines
import Records

/// A guess as the text of a pipeline file, with the evidence as comments. `# check` marks what the logs do not tell.
struct PipelineDraft {
    /// Ends with a line feed.
    let text: String
    /// The number of lines marked with `# check`.
    let checks: Int

    /// The most files that a source's comments list.
    private static let filesListed = 5

    init(_ guess: Guess) {
        let files = Text.plural(guess.files.count, "file")
        var lines = [
            "# A draft by 'pushetl guess', from \(files). Look at what is marked '# check'. Then see what it makes of",
            "# the logs: 'pushetl preview --pipeline FILE'.",
            "version: 1",
            "timezone: UTC  # check: \(PipelineDraft.zone(guess))",
            "output: warehouse  # check: the folder for push.db, relative to this file",
            "# retention: {ids: 90}  # days that message ids are kept; figures stay",
            "sources:",
        ]
        for source in guess.sources { lines += PipelineDraft.lines(of: source) }
        text = lines.joined(separator: "\n") + "\n"
        checks = lines.count { $0.contains("# check: ") }
    }

    private static func zone(_ guess: Guess) -> String {
        let times = guess.files.flatMap(\.trials).filter { $0.draft.format == .collector }
            .reduce(0) { $0 + $1.tally.accepted }
        let withoutOffset = guess.files.reduce(0) { $0 + $1.timesWithoutOffset }
        guard withoutOffset * 100 >= max(1, times) else { return "the zone of your days, such as Europe/Madrid" }
        return "the zone of your days and of the logs' times, which have no offset"
    }

    private static func lines(of source: Guess.GuessedSource) -> [String] {
        // Files whose lines do not all fit come first, so that none of them is left out.
        let files = source.files.filter { misfits(of: $0, source) != nil }
        let others = source.files.filter { misfits(of: $0, source) == nil }
        var lines = (files + others).prefix(filesListed).flatMap { file in
            ["  # " + evidence(of: file, source)] + (misfits(of: file, source).map { ["  # check: \($0)"] } ?? [])
        }
        let more = source.files.count - filesListed
        if more > 0 { lines.append("  # … and \(Text.plural(more, "file")) more") }
        lines.append("  - name: \(source.name)")
        lines.append("    format: \(source.draft.format.rawValue)")
        if let layout = layout(source.draft) { lines.append("    layout: \(layout)") }
        if !source.draft.unwrap.isEmpty {
            lines.append("    unwrap: \(quoted(source.draft.unwrap.joined(separator: ".")))")
        }
        if !source.draft.layoutFields.isEmpty { lines.append("    layout_fields: \(fields(source.draft))") }
        lines += doubts(source).map { "    # check: \($0)" }
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

    private static func collectorLines(_ source: Guess.GuessedSource) -> [String] {
        let dialect = source.dialect.dialect
        let hits = source.codes.values.reduce(0, +)
        let counts = source.codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) (\(Text.number($0.value)))" }.joined(separator: ", ")
        var lines = ["    # codes: \(counts.isEmpty ? "none" : counts)"]
        let doubt = source.dialect.isSure ? "" : "  # check: or \(dialect.other.rawValue); the codes do not tell"
        lines.append("    dialect: \(dialect.rawValue)\(doubt)")
        let unknown = source.codes.filter { dialect.actions[$0.key] == nil }
        if unknown.values.reduce(0, +) * 100 > hits {
            let list = unknown.keys.sorted().joined(separator: ", ")
            lines.append("    # check: codes that the dialect lacks are rejected: \(list); 'actions' can name them")
        }
        let without = source.files.reduce(0) { $0 + $1.hitsWithoutMcid }
        if without > 0, without < hits, dialect == .campaignStandard {
            lines.append(
                "    require_mcid: false  # check: true would leave out \(Text.number(without)) of "
                    + "\(Text.number(hits)), which have no mcId, as e-mails")
        }
        return lines
    }

    private static func actionLines(_ source: Guess.GuessedSource) -> [String] {
        ["    actions:"]
            + source.codes.sorted { $0.key < $1.key }.map { name, records in
                let count = Text.plural(records, "record")
                guard let action = source.actions[name] else {
                    return "      # \(inQuotes(name).shown): not counted, \(count)"
                }
                return "      \(inQuotes(name)): \(action)  # check: \(count)"
            }
    }

    private static func fileLines(_ source: Guess.GuessedSource) -> [String] {
        let dates = source.files.compactMap(\.nameDate)
        let late = source.files.count { file in
            guard let name = file.nameDate, let day = file.mainDay else { return false }
            return day < name
        }
        guard !source.patterns.isEmpty else {
            return ["    files: logs/%Y-%m-%d/*.log.gz  # check: where the files are"]
        }
        var doubt = ""
        if dates.count < source.files.count {
            doubt = "  # check: without a date in the name, all log dates read these files"
        } else if late * 2 > dates.count {
            doubt = "  # check: the date in the name is later than the day of most hits"
        }
        let checks = source.beside.map { beside in
            let place = beside.date.map { "of \($0) in" } ?? "below"
            return
                "    # check: finds \(Text.number(beside.found)) of the \(Text.plural(beside.files, "file")) \(place) "
                + beside.folder.shown
        }
        if source.patterns.count == 1 { return checks + ["    files: \(quoted(source.patterns[0]))\(doubt)"] }
        return checks + ["    files:\(doubt)"] + source.patterns.map { "      - \(quoted($0))" }
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
