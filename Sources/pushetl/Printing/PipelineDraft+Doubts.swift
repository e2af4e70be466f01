import Configuration
import Pipelines
import Records

extension PipelineDraft {
    /// What was not found in the lines of a source, or found twice, with the consequence.
    static func doubts(_ source: Guess.GuessedSource) -> [String] {
        let format = source.draft.format
        let files = source.files.compactMap { file in file.doubts[format].map { (file: file, doubts: $0) } }
            .filter { $0.doubts.hits > 0 }
        /// The files whose hits all lack a field, in words.
        func places(without field: JSONFields.Field) -> String? {
            let without = files.filter { $0.doubts.found[field] == nil }.map(\.file.file.path.shown)
            guard let first = without.first else { return nil }
            if without.count == files.count { return "the lines" }
            return without.count == 1 ? first : "\(first) and \(Text.plural(without.count - 1, "file")) more"
        }
        var doubts: [String] = []
        if let place = places(without: .status) {
            doubts.append("no status was found in \(place), so failed requests count as well")
        }
        let records = source.trials.reduce(0) { $0 + $1.tally.accepted }
        let isPlatformKnown = source.trials.contains { $0.knownPlatforms > 0 }
        if format == .collector {
            if let place = places(without: .userAgent) {
                doubts.append("no user agent was found in \(place), so the platform of these hits is unknown")
            } else if records > 0, !isPlatformKnown {
                doubts.append("no user agent names a system that is known, so the platform of all hits is unknown")
            }
            if let place = places(without: .time) {
                doubts.append("no time was found in \(place), so these hits are rejected")
            }
        } else if records > 0, !isPlatformKnown {
            doubts.append("no platform was found in the records, so it is unknown; 'platform' can name it")
        }
        doubts += crowdedLines(source) + trailingBytes(source)
        for choice in unique(files.flatMap(\.doubts.statuses)) {
            doubts.append("the status is taken from \(choice.taken); \(choice.other) could be it too")
        }
        for choice in unique(files.flatMap(\.doubts.times)) {
            doubts.append("the time is taken from \(choice.taken); \(choice.other) has another one")
        }
        for (reason, count) in rejects(source) where count * 50 > records {
            doubts.append("\(Text.plural(count, "record")) rejected as \(reason); 'pushetl preview' shows them")
        }
        if source.codes.isEmpty {
            doubts.append("no hit has the code or name of an action, so nothing counts; is it the log of another host?")
        }
        return doubts
    }

    /// By reason, but for what other comments tell.
    private static func rejects(_ source: Guess.GuessedSource) -> [(reason: String, records: Int)] {
        let reasons = RejectReason.allCases.filter { ![.malformedLine, .joinedLines, .unknownAction].contains($0) }
        return reasons.map { reason in (reason.code, source.trials.reduce(0) { $0 + $1.tally.count(reason) }) }
    }

    /// Of lines that hold more than one hit.
    private static func crowdedLines(_ source: Guess.GuessedSource) -> [String] {
        let lines = source.files.reduce(0) { $0 + ($1.crowdedLines[source.draft.format] ?? 0) }
        guard lines > 0 else { return [] }
        let joined = source.trials.reduce(0) { $0 + $1.tally.count(.joinedLines) }
        let hold = "\(Text.plural(lines, "line")) \(lines == 1 ? "holds" : "hold") more than one hit"
        if joined > 0 {
            return [hold + ": line ends are missing, or a CR alone, and such lines are rejected as joined_lines"]
        }
        let isRead = source.draft.isJSON || !source.draft.unwrap.isEmpty
        return [hold + (isRead ? ", and each hit is read" : ", and only the first is read; are line ends missing?")]
    }

    /// Of bytes after a gzip member.
    private static func trailingBytes(_ source: Guess.GuessedSource) -> [String] {
        source.files.compactMap { file in
            file.trailingBytesAt.map {
                "\(file.file.path.shown): the bytes from offset \($0) on are no gzip data and are ignored"
            }
        }
    }

    private static func unique(_ choices: [LayoutDoubts.Choice]) -> [LayoutDoubts.Choice] {
        Set(choices).sorted { ($0.taken, $0.other) < ($1.taken, $1.other) }
    }

    /// The lines of a file that do not fit the layout of its source; nil if all fit.
    static func misfits(of file: FileGuess, _ source: Guess.GuessedSource) -> String? {
        guard let trial = file.trials.first(where: { $0.draft == source.draft }), let first = trial.misfits.first else {
            return nil
        }
        let count = trial.misfits.count
        return
            "\(Text.number(count)) of \(Text.plural(trial.tally.records, "line")) \(count == 1 ? "does" : "do") not fit, "
            + "the first is line \(Text.number(first))"
    }
}
