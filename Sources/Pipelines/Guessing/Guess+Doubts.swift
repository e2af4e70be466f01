import LogFiles
import Messages
import Posix
import Records

extension Guess.GuessedSource {
    /// The points that a person has to check, with their consequences: fields that were not found, or could be at two
    /// places.
    package var doubts: [Doubt] {
        let known = files.flatMap { file in (file.doubts[draft.format] ?? []).map { (file: file, layout: $0) } }
        let files = known.filter { $0.layout.hits > 0 }
        /// In words, the files whose hits all lack a field; nil if there is none.
        func places(without field: JSONFields.Field) -> String? {
            let without = files.filter { $0.layout.found[field] == nil }.map(\.file.file.path.shown)
            guard let first = without.first else { return nil }
            if without.count == files.count { return "the lines" }
            return without.count == 1 ? first : "\(first) and \(Text.plural(without.count - 1, of: "file")) more"
        }
        let choices = Set(known.flatMap(\.layout.choices)).sorted { $0.text < $1.text }
        let isCollector = draft.format == .collector
        let records = count { $0.tally.accepted }
        var doubts = lostLines + besides
        if codes.isEmpty, draft.namesActions, count({ $0.tally.count(.joinedLines) }) == 0 {
            let text = "no hit has the code or name of an action, so nothing counts; is it the log of another host?"
            doubts.append(Doubt(.nothingCounts, text: text))
        }
        if isCollector, let place = places(without: .time) {
            doubts.append(Doubt(.nothingCounts, text: "no time was found in \(place), so these hits are rejected"))
        }
        let outside = count { $0.tally.count(.outOfWindow) }
        if outside > 0 {
            let number = "\(Text.number(outside)) of \(Text.plural(records + outside, of: "time"))"
            let text = "too far from the log date to count: \(number) (out_of_window); 'pushetl preview' shows them"
            doubts.append(Doubt(records == 0 ? .nothingCounts : .time, text: text))
        }
        if let place = places(without: .status) {
            doubts.append(Doubt(.status, text: "no status was found in \(place), so failed requests count as well"))
        }
        if isCollector, let place = places(without: .userAgent) {
            let text = "no user agent was found in \(place), so the platform of these hits is unknown"
            doubts.append(Doubt(.platform, text: text))
        } else if records > 0, count({ $0.knownPlatforms }) == 0, !choices.contains(where: { $0.rank == .platform }) {
            let text =
                isCollector
                ? "no user agent names a system that is known, so the platform of all hits is unknown"
                : "no platform was found in the records, so it is unknown; 'platform' can name it"
            doubts.append(Doubt(.platform, text: text))
        }
        return doubts + choices
    }

    /// A doubt if the patterns find files that were not read. Files that differ from read files by numbers alone, as
    /// those of other hosts do, are left out. A folder that cannot be listed gives no files here; `FilesBeside` notes
    /// it.
    func doubtAboutOthers(than given: [FileGuess]) -> Doubt? {
        func withoutNumbers(_ path: String) -> String { path.replacing(#/[0-9]+/#, with: "0") }
        let given = given.map(\.file.location)
        let known = Set(given.map(withoutNumbers))
        let dates = Set(filePatterns.compactMap(\.date))
        // An invalid pattern finds nothing.
        let found = patterns.compactMap { try? FilePattern($0) }.flatMap { pattern in
            dates.flatMap { (try? pattern.files(on: $0, in: "/")) ?? [] }.map(\.location)
        }
        let others = Set(found).subtracting(given).filter { !known.contains(withoutNumbers($0)) }
        guard let first = others.min() else { return nil }
        return Doubt(
            .lostFiles,
            text:
                "also finds \(Text.plural(others.count, of: "file")) that \(others.count == 1 ? "was" : "were") not read: "
                + first.shown + (others.count > 1 ? ", …" : ""))
    }

    private func count(_ number: (Trial) -> Int) -> Int { trials.reduce(0) { $0 + number($1) } }

    private var lostLines: [Doubt] {
        var texts = files.filter { $0.status != .ok }.map { file in
            "\(file.file.path.shown) is \(file.status.rawValue), so what follows is not read"
        }
        if let misfits { texts.append(misfits) }
        let toldElsewhere: [RejectReason] = [.malformedLine, .joinedLines, .unknownAction]
        for reason in RejectReason.allCases where !toldElsewhere.contains(reason) {
            let rejects = count { $0.tally.count(reason) }
            guard rejects * 50 > count({ $0.tally.accepted }) else { continue }
            texts.append(
                "\(Text.plural(rejects, of: "record")) rejected as \(reason.code); 'pushetl preview' shows them")
        }
        let crowded = files.reduce(0) { $0 + ($1.crowdedLines[draft.format] ?? 0) }
        if crowded > 0 {
            let consequence =
                count { $0.tally.count(.joinedLines) } > 0
                ? ": line ends are missing, or a CR alone, and such lines are rejected as joined_lines"
                : draft.isJSON || !draft.unwrap.isEmpty
                    ? ", and each hit is read" : ", and only the first is read; are line ends missing?"
            let lines = "\(Text.plural(crowded, of: "line")) \(crowded == 1 ? "holds" : "hold")"
            texts.append("\(lines) more than one hit\(consequence)")
        }
        for file in files {
            guard let offset = file.trailingBytesAt else { continue }
            texts.append(
                "\(file.file.path.shown): the bytes from offset \(offset) on are no gzip data and are ignored")
        }
        if let other = others.first {
            let more = others.count > 1 ? " and \(Text.plural(others.count - 1, of: "file")) more" : ""
            texts.append("'files' finds \(other.shown)\(more) too, which has another layout")
        }
        return texts.map { Doubt(.lostLines, text: $0) }
    }

    /// The lines that do not fit the layout; nil if all fit.
    private var misfits: String? {
        let misfits = files.flatMap { file in
            file.trials.filter { $0.draft == draft }.flatMap { $0.misfits }.map { (path: file.file.path, line: $0) }
        }
        guard let first = misfits.first else { return nil }
        let lines = Text.plural(count { $0.tally.records }, of: "line")
        let words = Set(trials.flatMap(\.serverMessages.keys)).sorted()
        let messages = Text.number(count { $0.serverMessages.values.reduce(0, +) })
        let skip =
            words.isEmpty
            ? "" : "; skip: [\(words.map { "'\($0)'" }.joined(separator: ", "))] leaves out \(messages) of them"
        return "\(Text.number(misfits.count)) of \(lines) \(misfits.count == 1 ? "does" : "do") not fit, "
            + "the first is line \(Text.number(first.line))\(files.count > 1 ? " of \(first.path.shown)" : "")" + skip
    }
}
