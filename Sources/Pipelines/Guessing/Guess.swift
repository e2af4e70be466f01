import Calendar
import Configuration
import LogFiles
import Messages
import Posix
import Records

/// A proposed pipeline for some files: its sources, with the evidence for them.
package struct Guess: Sendable {
    /// A source that some of the files could belong to.
    package struct GuessedSource: Sendable {
        package fileprivate(set) var name = ""
        package let draft: SourceDraft
        package fileprivate(set) var files: [FileGuess]
        /// Patterns for the files; empty for standard input.
        package var patterns: [String] { filePatterns.map(\.text) }
        fileprivate(set) var filePatterns: [FileNamePattern]
        /// Doubts about files of the same days that no pattern finds.
        fileprivate(set) var besides: [Doubt] = []
        /// The paths of given files that belong to other sources although a pattern of this source finds them.
        fileprivate(set) var others: [String] = []

        /// The trials that read the files by the draft.
        package var trials: [Trial] { files.flatMap { $0.trials.filter { $0.draft == draft } } }

        /// The accepted records by the code or name of their action.
        package var codes: [String: Int] { trials.reduce(into: [:]) { $0.merge($1.actions, uniquingKeysWith: +) } }

        /// The accepted records by the code or name of their action, without names that may be personal.
        package var namedCodes: [String: Int] { codes.filter(\.key.isNameOfAction) }

        /// Collectors' hits without an mcId.
        package var hitsWithoutMcid: Int { files.reduce(0) { $0 + $1.hitsWithoutMcid } }

        /// Whether the codes decide a collector's dialect. Only Campaign Standard has the codes 3 to 7. A share below 5
        /// % decides nothing.
        package var isDialectSure: Bool {
            let onlyStandard = Set(Source.Dialect.campaignStandard.actions.keys)
                .subtracting(Source.Dialect.campaignClassic.actions.keys)
            let standardHits = codes.filter { onlyStandard.contains($0.key) }.values.reduce(0, +)
            return !codes.isEmpty && standardHits * 20 >= hits
        }

        /// The likely dialect. Both dialects have the codes 1 and 2. An mcId then decides: Classic's apps never send
        /// one.
        package var dialect: Source.Dialect {
            let isClassic = !isDialectSure && !codes.isEmpty && hitsWithoutMcid * 10 >= hits * 9
            return isClassic ? .campaignClassic : .campaignStandard
        }

        /// The number of accepted records.
        package var hits: Int { codes.values.reduce(0, +) }

        /// The names of the actions in the figures, by their names in the logs. Used for users_track, for events, and
        /// for mzip with an unusual action; empty where the defaults hold.
        package var actions: [String: String] {
            let named = namedCodes
            switch draft.format {
            case .collector: return [:]
            case .mzip: return named["1"] != nil ? [:] : named.mapValues { _ in "arrival" }
            case .usersTrack, .events: return draft.namesActions ? EventWords.actions(named: named.keys) : [:]
            }
        }

        /// What the draft counts in the files that were read.
        package var messages: SampleMessages {
            // Computed properties: read them once, not for each message.
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

    /// - Parameter files: in the order of their paths. Some may have no source.
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
        // An invalid pattern finds nothing.
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

    /// Reads files, and guesses what they are. A message tells of each one that cannot be read.
    package static func reading(_ files: [Preview.File]) throws -> (guess: Guess, unreadable: [Message]) {
        var guesses: [(order: Int, guess: FileGuess)] = []
        var unreadable: [Message] = []
        // Large files are read first. Their drafts are then tried on the smaller files.
        let sorted = files.enumerated().sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }
        for (order, file) in sorted {
            do {
                let known = guesses.flatMap { $0.guess.trials.map(\.draft) }
                guesses.append((order, try FileGuess(of: file, known: known)))
            } catch let error as LogFileError {
                let text: MessageText = "cannot be read: \(SystemError.reason(error.code))"
                unreadable.append(.at(file.path, code: .unreadableFile, text: text))
            }
        }
        return (Guess(guesses.sorted { $0.order < $1.order }.map(\.guess)), unreadable)
    }

    /// The guess with patterns that match exactly the given files.
    package var ofItsFilesAlone: Guess {
        var guess = self
        for index in sources.indices {
            guess.sources[index].filePatterns = sources[index].files.map { file in
                FileNamePattern(ofFileAlone: file.file.location)
            }
        }
        return guess
    }

    /// Groups files by draft and pattern: names that differ only by date or numbers have the same pattern.
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

    /// The pattern for all hosts, if it finds more files and none of them belongs to another source; else the given
    /// pattern.
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
        // An invalid pattern finds nothing.
        (try? FilePattern(pattern.text))?.dates(ofFileAt: file.file.location, in: "/") != nil
    }
}
