import Configuration
import Messages
import Pipelines
import Records

extension PipelineDraft {
    /// What was not found in the files of a source, or found twice, with the consequence.
    static func doubts(_ source: Guess.GuessedSource) -> [Check] {
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
        var checks: [Check] = []
        func add(_ rank: Check.Rank, _ text: String) { checks.append(Check(rank: rank, text: text)) }
        let joined = source.trials.reduce(0) { $0 + $1.tally.count(.joinedLines) }
        if source.codes.isEmpty, joined == 0 {
            add(
                .nothingCounts,
                "no hit has the code or name of an action, so nothing counts; is it the log of another host?")
        }
        if format == .collector, let place = places(without: .time) {
            add(.nothingCounts, "no time was found in \(place), so these hits are rejected")
        }
        for file in source.files where file.status != .ok {
            add(.lostLines, "\(file.file.path.shown) is \(file.status.rawValue), so what follows is not read")
        }
        if let misfits = misfits(source) { add(.lostLines, misfits) }
        let records = source.trials.reduce(0) { $0 + $1.tally.accepted }
        for (reason, count) in rejects(source) where count * 50 > records {
            add(.lostLines, "\(Text.plural(count, "record")) rejected as \(reason); 'pushetl preview' shows them")
        }
        for text in crowdedLines(source, joined: joined) + trailingBytes(source) { add(.lostLines, text) }
        if let other = source.others.first {
            let more = source.others.count > 1 ? " and \(Text.plural(source.others.count - 1, "file")) more" : ""
            add(.lostLines, "'files' finds \(other.shown)\(more) too, which has another layout")
        }
        for beside in source.beside {
            let place = beside.date.map { "of \($0) in" } ?? "below"
            add(
                .lostFiles,
                "finds \(Text.number(beside.found)) of the \(Text.plural(beside.files, "file")) \(place) "
                    + beside.folder.shown)
        }
        for choice in unique(files.flatMap(\.doubts.times)) {
            add(.time, "the time is taken from \(choice.taken); \(choice.other) has another one")
        }
        if files.contains(where: \.doubts.isTimeConstant) {
            add(.time, "the time is the same in all hits, so it may be that of something else")
        }
        if let place = places(without: .status) {
            add(.status, "no status was found in \(place), so failed requests count as well")
        }
        for choice in unique(files.flatMap(\.doubts.statuses)) {
            add(.status, "the status is taken from \(choice.taken); \(choice.other) could be it too")
        }
        let agents = unique(files.flatMap(\.doubts.agents))
        let isPlatformKnown = source.trials.contains { $0.knownPlatforms > 0 }
        if format == .collector, let place = places(without: .userAgent) {
            add(.platform, "no user agent was found in \(place), so the platform of these hits is unknown")
        } else if records > 0, !isPlatformKnown, agents.isEmpty {
            add(
                .platform,
                format == .collector
                    ? "no user agent names a system that is known, so the platform of all hits is unknown"
                    : "no platform was found in the records, so it is unknown; 'platform' can name it")
        }
        for choice in agents {
            add(
                .platform,
                "the user agent is taken from \(choice.taken); \(choice.other) names another system in some hits")
        }
        return checks
    }

    /// By reason, but for what other checks tell.
    private static func rejects(_ source: Guess.GuessedSource) -> [(reason: String, records: Int)] {
        let reasons = RejectReason.allCases.filter { ![.malformedLine, .joinedLines, .unknownAction].contains($0) }
        return reasons.map { reason in (reason.code, source.trials.reduce(0) { $0 + $1.tally.count(reason) }) }
    }

    /// Of lines that hold more than one hit.
    /// - Parameter joined: the number of records that are rejected for it.
    private static func crowdedLines(_ source: Guess.GuessedSource, joined: Int) -> [String] {
        let lines = source.files.reduce(0) { $0 + ($1.crowdedLines[source.draft.format] ?? 0) }
        guard lines > 0 else { return [] }
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

    /// The lines of the source's files that do not fit its layout; nil if all fit.
    private static func misfits(_ source: Guess.GuessedSource) -> String? {
        let trials = source.files.flatMap { file in
            file.trials.filter { $0.draft == source.draft }.map { (path: file.file.path, trial: $0) }
        }
        let count = trials.reduce(0) { $0 + $1.trial.misfits.count }
        guard let first = trials.first(where: { !$0.trial.misfits.isEmpty }) else { return nil }
        let lines = trials.reduce(0) { $0 + $1.trial.tally.records }
        return
            "\(Text.number(count)) of \(Text.plural(lines, "line")) \(count == 1 ? "does" : "do") not fit, "
            + "the first is line \(Text.number(first.trial.misfits[0]))"
            + (source.files.count > 1 ? " of \(first.path.shown)" : "")
    }
}
