import Calendar
import Configuration
import LogFiles
import Records

/// What a pipeline for some files could be: its sources, with the evidence for them.
package struct Guess: Sendable {
    /// A source that some of the files could belong to.
    package struct GuessedSource: Sendable {
        package let name: String
        package let draft: SourceDraft
        /// For collectors.
        package let dialect: GuessedDialect
        /// Patterns for the files; empty for standard input.
        package let patterns: [String]
        package let files: [FileGuess]
        /// Files of the same days that no pattern finds.
        package fileprivate(set) var beside: [FilesBeside] = []
        /// Of the given files, those of other sources that a pattern finds.
        package fileprivate(set) var others: [String] = []

        /// How the files were read.
        package var trials: [Trial] { files.flatMap { $0.trials.filter { $0.draft == draft } } }
        /// The accepted records by the code or name of their action.
        package var codes: [String: Int] { Guess.codes(trials) }
        /// For users_track, and for mzip with other actions than the usual one: by the action's name in the logs, its name
        /// in the figures.
        package var actions: [String: String] { Guess.actions(draft.format, codes) }
    }

    /// A collector's dialect.
    package struct GuessedDialect: Hashable, Sendable {
        package let dialect: Source.Dialect
        /// Whether a code occurs that only this dialect has.
        package let isSure: Bool
    }

    package let files: [FileGuess]
    package let sources: [GuessedSource]

    /// - Parameter files: by their paths, at least one source among them or not.
    package init(_ files: [FileGuess]) {
        self.files = files
        // Files whose names differ by date or number only belong together.
        var groups: [(draft: SourceDraft, pattern: FileNamePattern?, files: [FileGuess])] = []
        for file in files {
            let pattern =
                file.file.isStandardInput ? nil : FileNamePattern(file.file.location, day: file.mainDay)
            for trial in file.trials {
                if let index = groups.firstIndex(where: { $0.draft == trial.draft && $0.pattern?.text == pattern?.text }
                ) {
                    groups[index].files.append(file)
                } else {
                    groups.append((trial.draft, pattern, [file]))
                }
            }
        }
        // Groups with the same layout and the same meaning of codes are one source.
        var merged: [(draft: SourceDraft, dialect: GuessedDialect, patterns: [FileNamePattern], files: [FileGuess])] =
            []
        for group in groups {
            let trials = group.files.flatMap { $0.trials.filter { $0.draft == group.draft } }
            let dialect = Guess.dialect(trials, withoutMcid: group.files.reduce(0) { $0 + $1.hitsWithoutMcid })
            let same = merged.firstIndex { $0.draft == group.draft && $0.dialect.dialect == dialect.dialect }
            guard let same else {
                merged.append((group.draft, dialect, group.pattern.map { [$0] } ?? [], group.files))
                continue
            }
            merged[same].files += group.files
            merged[same].dialect = dialect.isSure ? dialect : merged[same].dialect
            guard let pattern = group.pattern else { continue }
            let wider = merged[same].patterns.indices.lazy.compactMap { index in
                merged[same].patterns[index].merged(with: pattern).map { (index, $0) }
            }.first
            if let (index, wide) = wider {
                merged[same].patterns[index] = wide
            } else {
                merged[same].patterns.append(pattern)
            }
        }
        var sources = merged.indices.map { index in
            let source = merged[index]
            let number = merged[...index].count { $0.draft.format == source.draft.format }
            let others = files.filter { file in !source.files.contains { $0.file.path == file.file.path } }
            return GuessedSource(
                name: source.draft.format.rawValue + (number > 1 ? "_\(number)" : ""), draft: source.draft,
                dialect: source.dialect, patterns: source.patterns.map { Guess.ofAllHosts($0, besides: others).text },
                files: source.files)
        }
        let patterns = sources.flatMap(\.patterns).compactMap { try? FilePattern($0) }
        for index in sources.indices {
            let own = Set(sources[index].files.map(\.file.path))
            sources[index].others = files.filter { file in
                !own.contains(file.file.path) && !file.trials.isEmpty
                    && sources[index].patterns.contains { Guess.finds(file, $0) }
            }.map(\.file.path)
            sources[index].beside = FilesBeside.missed(by: patterns, beside: sources[index].files)
        }
        self.sources = sources
    }

    /// The pattern for all hosts, if there are others than the given file's, and they do not write something else.
    private static func ofAllHosts(_ pattern: FileNamePattern, besides others: [FileGuess]) -> FileNamePattern {
        func count(_ pattern: FileNamePattern) -> Int {
            pattern.date.flatMap { try? FilePattern(pattern.text).files(on: $0, in: "/").count } ?? 0
        }
        guard let wide = pattern.ofAllHosts, count(wide) > count(pattern),
            !others.contains(where: { finds($0, wide.text) })
        else { return pattern }
        return wide
    }

    private static func finds(_ file: FileGuess, _ pattern: String) -> Bool {
        (try? FilePattern(pattern))?.dates(ofFileAt: file.file.location, in: "/") != nil
    }

    private static func codes(_ trials: [Trial]) -> [String: Int] {
        trials.reduce(into: [:]) { $0.merge($1.actions, uniquingKeysWith: +) }
    }

    /// Codes 3 to 7 are Campaign Standard's alone. Of codes 1 and 2 only an mcId tells, which Classic's apps never send. A
    /// few odd codes tell nothing.
    private static func dialect(_ trials: [Trial], withoutMcid: Int) -> GuessedDialect {
        let codes = codes(trials)
        let onlyStandard = Set(Source.Dialect.campaignStandard.actions.keys)
            .subtracting(Source.Dialect.campaignClassic.actions.keys)
        let hits = codes.values.reduce(0, +)
        let standardHits = codes.filter { onlyStandard.contains($0.key) }.values.reduce(0, +)
        if hits > 0, standardHits * 20 >= hits { return GuessedDialect(dialect: .campaignStandard, isSure: true) }
        let isClassic = hits > 0 && withoutMcid * 10 >= hits * 9
        return GuessedDialect(dialect: isClassic ? .campaignClassic : .campaignStandard, isSure: false)
    }

    /// The meanings of payloads' actions, by the words in their names. Empty for the default.
    private static func actions(_ format: RecordFormat, _ codes: [String: Int]) -> [String: String] {
        switch format {
        case .collector: return [:]
        case .mzip where codes.keys.contains("1"): return [:]
        case .mzip: return codes.mapValues { _ in "arrival" }
        case .usersTrack:
            let known = codes.keys.compactMap { name in action(named: name).map { (name, $0) } }
            let all = known.isEmpty ? codes.keys.map { ($0, slug($0)) } : known
            return Dictionary(uniqueKeysWithValues: all)
        }
    }

    /// The action of an event whose name has no other words than these: `push_opened`, `Push Notification Tap`.
    private static func action(named name: String) -> String? {
        let actions = [
            "click": "click", "clicked": "click", "tap": "click", "tapped": "click", "open": "open", "opened": "open",
            "impression": "impression", "impressed": "impression", "displayed": "impression", "shown": "impression",
            "viewed": "impression", "arrival": "arrival", "arrived": "arrival", "delivered": "arrival",
            "received": "arrival",
        ]
        let others: Set = ["push", "notification", "notif", "message", "msg", "mobile", "app", "ios", "android"]
        let words = slug(name).split(separator: "_").map(String.init)
        guard words.allSatisfy({ actions[$0] != nil || others.contains($0) }) else { return nil }
        return words.compactMap { actions[$0] }.last
    }

    /// The name as an action's name in the figures.
    private static func slug(_ name: String) -> String {
        var slug = ""
        var isAfterSmall = false
        for scalar in name.unicodeScalars {
            let isCapital = ("A"..."Z").contains(scalar)
            let isSmall = ("a"..."z").contains(scalar)
            if isCapital, isAfterSmall { slug += "_" }
            slug += isCapital || isSmall || ("0"..."9").contains(scalar) ? String(scalar).lowercased() : "_"
            isAfterSmall = isSmall
        }
        let word = slug.drop { !$0.isLetter }
        return word.isEmpty ? "other" : String(word)
    }
}
