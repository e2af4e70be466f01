import Calendar
import Configuration
import LogFiles
import Records

/// What a pipeline for some files could be: its sources, with the evidence for them.
package struct Guess: Sendable {
    /// A source that some of the files could belong to.
    package struct GuessedSource: Sendable {
        package fileprivate(set) var name = ""
        package let draft: SourceDraft
        package fileprivate(set) var files: [FileGuess]
        /// Patterns for the files; empty for standard input.
        package var patterns: [String] { filePatterns.map(\.text) }
        fileprivate(set) var filePatterns: [FileNamePattern]
        /// That no pattern finds some files of the same days.
        fileprivate(set) var besides: [Doubt] = []
        /// Of the given files, those of other sources that a pattern finds.
        fileprivate(set) var others: [String] = []

        /// How the files were read.
        package var trials: [Trial] { files.flatMap { $0.trials.filter { $0.draft == draft } } }

        /// The accepted records by the code or name of their action.
        package var codes: [String: Int] { trials.reduce(into: [:]) { $0.merge($1.actions, uniquingKeysWith: +) } }

        /// Collectors' hits without an mcId.
        package var hitsWithoutMcid: Int { files.reduce(0) { $0 + $1.hitsWithoutMcid } }

        /// Whether the codes tell a collector's dialect: 3 to 7 are Campaign Standard's alone. A few odd codes tell
        /// nothing.
        package var isDialectSure: Bool {
            let onlyStandard = Set(Source.Dialect.campaignStandard.actions.keys)
                .subtracting(Source.Dialect.campaignClassic.actions.keys)
            let standardHits = codes.filter { onlyStandard.contains($0.key) }.values.reduce(0, +)
            return !codes.isEmpty && standardHits * 20 >= hits
        }

        /// Of codes 1 and 2 only an mcId tells, which Classic's apps never send.
        package var dialect: Source.Dialect {
            let isClassic = !isDialectSure && !codes.isEmpty && hitsWithoutMcid * 10 >= hits * 9
            return isClassic ? .campaignClassic : .campaignStandard
        }

        /// Accepted records.
        package var hits: Int { codes.values.reduce(0, +) }

        /// For users_track, and for mzip with other actions than the usual one: by the action's name in the logs, its
        /// name in the figures. Empty for the default.
        package var actions: [String: String] {
            let names = codes.keys
            switch draft.format {
            case .collector: return [:]
            case .mzip: return names.contains("1") ? [:] : codes.mapValues { _ in "arrival" }
            case .usersTrack, .events: return draft.namesActions ? EventWords.actions(named: names) : [:]
            }
        }

        /// What the draft counts in the files that were read.
        package var messages: SampleMessages {
            // Once, not for each message.
            let dialect = dialect
            let actions = actions
            let names: (String) -> String? = { name in
                switch draft.format {
                case .collector: dialect.actions[name]
                case .mzip: actions.isEmpty ? "arrival" : actions[name]
                case .usersTrack, .events: draft.namesActions ? actions[name] : name
                }
            }
            return trials.reduce(into: SampleMessages()) { $0.add($1.messages.renamed(names)) }
        }

        /// How many events of a vendor have each word for a platform, in lower case.
        package var platformWords: [String: Int] {
            trials.reduce(into: [:]) { $0.merge($1.platformWords, uniquingKeysWith: +) }
        }
    }

    package let files: [FileGuess]
    package private(set) var sources: [GuessedSource] = []

    /// What the draft counts in the files that were read: `12,044 sent, 310 failed`. Nil if it counts nothing.
    package var sentence: String? {
        let messages = sources.reduce(into: SampleMessages()) { $0.add($1.messages) }
        return messages.sentence
    }

    /// - Parameter files: by their paths, at least one source among them or not.
    package init(_ files: [FileGuess]) {
        self.files = files
        for group in Guess.groups(files) {
            // Groups with the same layout and the same meaning of codes are one source.
            let same = sources.firstIndex { $0.draft == group.draft && $0.dialect == group.dialect }
            guard let same else {
                sources.append(group)
                continue
            }
            sources[same].files += group.files
            for pattern in group.filePatterns {
                let wider = sources[same].filePatterns.enumerated().lazy.compactMap { index, known in
                    known.merged(with: pattern).map { (index, $0) }
                }.first
                if let (index, wide) = wider {
                    sources[same].filePatterns[index] = wide
                } else {
                    sources[same].filePatterns.append(pattern)
                }
            }
        }
        for index in sources.indices {
            let format = sources[index].draft.format
            let number = sources[...index].count { $0.draft.format == format }
            sources[index].name = format.rawValue + (number > 1 ? "_\(number)" : "")
            let own = Set(sources[index].files.map(\.file.path))
            let others = files.filter { !own.contains($0.file.path) }
            let patterns = sources[index].filePatterns.map { Guess.ofAllHosts($0, besides: others) }
            sources[index].filePatterns = patterns
            sources[index].others = others.filter { file in
                !file.trials.isEmpty && patterns.contains { Guess.finds(file, by: $0) }
            }.map(\.file.path)
        }
        // What is no pattern finds nothing.
        let patterns = sources.flatMap(\.patterns).compactMap { try? FilePattern($0) }
        for index in sources.indices {
            var folders: [FilesBeside] = []
            for folder in sources[index].files.compactMap(FilesBeside.init) where !folders.contains(folder) {
                folders.append(folder)
            }
            sources[index].besides = folders.compactMap { $0.doubt(about: patterns) }
            sources[index].besides += [sources[index].doubtAboutOthers(than: files)].compactMap(\.self)
        }
    }

    /// The same for the files that were read, and for no others.
    package var ofItsFilesAlone: Guess {
        var guess = self
        for index in sources.indices {
            guess.sources[index].filePatterns = sources[index].files.map { file in
                FileNamePattern(ofFileAlone: file.file.location)
            }
        }
        return guess
    }

    /// Files whose names differ by date or number only belong together.
    private static func groups(_ files: [FileGuess]) -> [GuessedSource] {
        var groups: [GuessedSource] = []
        for file in files {
            let location = file.file.location
            let patterns = file.file.isStandardInput ? [] : [FileNamePattern(location, day: file.mainDay)]
            for trial in file.trials {
                let texts = patterns.map(\.text)
                if let index = groups.firstIndex(where: { $0.draft == trial.draft && $0.patterns == texts }) {
                    groups[index].files.append(file)
                } else {
                    groups.append(GuessedSource(draft: trial.draft, files: [file], filePatterns: patterns))
                }
            }
        }
        return groups
    }

    /// The pattern for all hosts, if there are others than the given file's, and they do not write something else.
    private static func ofAllHosts(_ pattern: FileNamePattern, besides others: [FileGuess]) -> FileNamePattern {
        func count(_ pattern: FileNamePattern) -> Int {
            pattern.date.flatMap { try? FilePattern(pattern.text).files(on: $0, in: "/").count } ?? 0
        }
        guard let wide = pattern.ofAllHosts, count(wide) > count(pattern),
            !others.contains(where: { finds($0, by: wide) })
        else { return pattern }
        return wide
    }

    private static func finds(_ file: FileGuess, by pattern: FileNamePattern) -> Bool {
        // What is no pattern finds nothing.
        (try? FilePattern(pattern.text))?.dates(ofFileAt: file.file.location, in: "/") != nil
    }
}
