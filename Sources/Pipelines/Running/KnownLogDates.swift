import Calendar
import LogFiles
import Messages
import Output
import Partitions

/// The states of the log dates that are loaded or have files.
package struct KnownLogDates: Sendable {
    /// In order.
    package var states: [LogDateState] = []
    /// The last closed log date; nil if there is none.
    package internal(set) var closedThrough: LogDate?
    /// Sources that were not compared, since their folder does not exist.
    package internal(set) var warnings: [Message] = []
    /// Folders that could not be searched.
    package internal(set) var failures: [Fault] = []
}

/// A log date that somebody should do something about.
package struct LogDateNeed: Sendable {
    package enum Kind: String, Sendable {
        /// The partition cannot be read.
        case damaged
        /// The last load was held back.
        case heldBack = "held"
        /// Files are new or have other bytes, or the pipeline means something else.
        case stale
        /// Some of its files are not found any more.
        case shrunk
        /// It is loaded, and push.db does not show it.
        case unpublished
        /// It was loaded with another pipeline file, or by earlier rules of reading, and can be loaded again.
        case formerPipeline = "former_pipeline"
        /// A file is damaged or truncated, or a required source has no files.
        case partial
        /// It is one of the last loaded log dates, and lacks files that the log dates before it had.
        case missingUsualFiles = "missing_usual_files"
        /// It is one of them, and has no event of hours in which a source was never silent.
        case silentHours = "silent_hours"
        /// It has files and is not loaded.
        case missing
        /// It is yesterday, has no files and is not loaded.
        case notLoaded = "not_loaded"
    }

    package let kind: Kind
    package let state: LogDateState

    /// Which log date it is, and why, with what to do.
    package var message: Message {
        var message = Message(kind.rawValue, text: reason).about(state.date)
        message.remedy = remedy
        return message
    }

    /// Whether files or hours are missing.
    package var isGap: Bool { kind == .missingUsualFiles || kind == .silentHours }

    private var reason: MessageText {
        switch kind {
        case .missing: "is not loaded, and has files"
        case .notLoaded: "is not loaded, and has no files"
        case .unpublished: "loaded and not published"
        case .formerPipeline: "loaded with another pipeline file, or by earlier rules of reading"
        case .damaged, .heldBack, .stale, .partial, .shrunk: state.text
        case .missingUsualFiles, .silentHours: state.warnings.text
        }
    }

    private var remedy: Remedy? {
        switch kind {
        case .missing, .stale, .unpublished: Remedy()
        case .notLoaded: Remedy("once they are there: ")
        case .formerPipeline: Remedy(options: state.isStale ? "" : " --only all")
        case .damaged: state.canBeLoadedAgain ? Remedy() : nil
        case .heldBack: state.isHeldUnchanged || state.isShrunk ? state.held?.remedy : Remedy()
        case .partial: Remedy("accept: ", options: " --force")
        case .shrunk: Remedy("put the files back, or load it as it is now: ", options: " --only shrunk")
        // Their sentences end with it.
        case .missingUsualFiles, .silentHours: nil
        }
    }
}

extension LoadWarnings {
    /// On one line.
    package var text: MessageText {
        (sentences.isEmpty ? codes.map { "\($0)" } : sentences).joined(separator: "; ")
    }
}

extension LogDateNeed: Encodable {
    package func encode(to encoder: any Encoder) throws {
        try encoder.encode([
            "log_date": state.date, "need": kind.rawValue, "message": message.shown(encoder.shownPaths).words,
        ])
    }
}

extension KnownLogDates {
    /// The number of log dates, up to yesterday, that are judged unless a first one is given.
    private static let judgedDates = 30
    /// The number of loaded log dates of which files that usually come may be missing.
    private static let datesWithUsualFiles = 7

    /// All log dates that need something, whatever their age; a yesterday without files does not count.
    package func needs(published: [LogDate: String]) -> [LogDateNeed] {
        guard let first = states.first?.date, let last = states.last?.date else { return [] }
        return needs(in: DateRange(from: first), yesterday: last, published: published).filter { $0.kind != .notLoaded }
    }

    /// The log dates that need something, in order. Damaged, held-back and unpublished dates count at any age, and so do those of a
    /// former pipeline; others only in `range`. A date after yesterday may still get files, so it is not judged.
    ///
    /// - Parameters:
    ///   - range: by default it begins with the first of the last 30 log dates.
    ///   - published: the versions of the published partitions, by log date.
    package func needs(
        in range: DateRange, yesterday: LogDate, published: [LogDate: String]
    ) -> [LogDateNeed] {
        let first = range.from ?? yesterday.adding(days: 1 - KnownLogDates.judgedDates)
        let last = min(range.to ?? yesterday, yesterday)
        let latest = Set(
            states.filter { $0.partition != .missing }.map(\.date).suffix(KnownLogDates.datesWithUsualFiles))
        var needs = states.compactMap { state in
            let isJudged = first <= state.date && state.date <= last
            return state.need(isJudged: isJudged, isLatest: latest.contains(state.date), published: published).map {
                LogDateNeed(kind: $0, state: state)
            }
        }
        let known = states.first { $0.date == yesterday }
        if first <= yesterday, last == yesterday, known?.isWithoutContent ?? true {
            let state = known ?? LogDateState(date: yesterday)
            let index = needs.firstIndex { $0.state.date > yesterday } ?? needs.endIndex
            needs.insert(LogDateNeed(kind: .notLoaded, state: state), at: index)
        }
        return needs
    }
}

extension LogDateState {
    /// Whether it has neither a partition nor a load that was held back nor files.
    fileprivate var isWithoutContent: Bool { partition == .missing && held == nil && files == 0 }

    /// `isJudged`: whether it is among the dates of which everything counts. `isLatest`: whether it is among the last ones that
    /// are loaded.
    fileprivate func need(isJudged: Bool, isLatest: Bool, published: [LogDate: String]) -> LogDateNeed.Kind? {
        if partition == .damaged { return .damaged }
        guard phase == .open else {
            return summary.map { published[$0.logDate] != $0.version } ?? false ? .unpublished : nil
        }
        if held != nil { return .heldBack }
        if isJudged, partition != .missing, isStale, reasons != [.changedPipeline] { return .stale }
        if partition != .missing, isShrunk, !hasLostAll { return .shrunk }
        if let summary, published[summary.logDate] != summary.version { return .unpublished }
        if isOfFormerPipeline, canBeLoadedAgain { return .formerPipeline }
        guard isJudged else { return nil }
        if partition == .missing { return files > 0 ? .missing : nil }
        if partition == .partial, !isAccepted { return .partial }
        guard isLatest else { return nil }
        if warnings.codes.contains(LoadWarnings.missingFiles) { return .missingUsualFiles }
        return warnings.codes.contains(LoadWarnings.silentHours) ? .silentHours : nil
    }
}

/// Log dates that were loaded with another pipeline file, or by earlier rules of reading.
package struct FormerPipeline: Sendable {
    /// Those that can be loaded again: all their files are there. A range holds no other log date that is loaded.
    package let loadable: [ClosedRange<LogDate>]
    /// How many can be loaded again.
    package let loadableDates: Int
    /// How many cannot.
    package let others: Int

    /// - Parameters:
    ///   - states: of these log dates and perhaps of others.
    ///   - loaded: all log dates that are loaded.
    package init?(_ states: [LogDateState], loaded: some Sequence<LogDate>) {
        let former = states.filter { $0.isOfFormerPipeline && $0.held == nil }
        guard !former.isEmpty else { return nil }
        let dates = Set(former.filter(\.canBeLoadedAgain).map(\.date))
        loadableDates = dates.count
        others = former.count - dates.count
        assert(dates.isSubset(of: loaded))
        loadable = loaded.sorted().split { !dates.contains($0) }.map { $0[$0.startIndex]...$0[$0.endIndex - 1] }
    }
}

extension FormerPipeline {
    /// What to do about them. Those that cannot be loaded again are told apart.
    package var messages: [Message] { [again, kept].compactMap { $0 } }

    private var again: Message? {
        guard loadableDates > 0 else { return nil }
        let commands = loadable.prefix(3).map { "'pushetl \(FormerPipeline.words($0))'" }.joined(separator: ", ")
        let more = loadable.count - 3
        return Message(
            "former_pipeline",
            text: """
                \(Text.plural(loadableDates, of: "log date")) \(loadableDates == 1 ? "was" : "were") loaded with another pipeline file, or \
                by earlier rules of reading, and can be loaded again: \(commands)\(more > 0 ? ", and the same for \(more) more ranges" : "")
                """)
    }

    /// How many cannot be loaded again; nil if all can.
    package var kept: Message? {
        guard others > 0 else { return nil }
        return Message(
            "former_pipeline_kept",
            text: """
                \(Text.plural(others, of: "log date")) \(others == 1 ? "was" : "were") loaded with another pipeline file, or by earlier \
                rules of reading, and cannot be loaded again, since the pipeline does not find all files; the figures stay
                """)
    }

    private static func words(_ dates: ClosedRange<LogDate>) -> String {
        dates.lowerBound == dates.upperBound
            ? "run --date \(dates.lowerBound)"
            : "backfill --from \(dates.lowerBound) --to \(dates.upperBound) --only all"
    }
}

extension LogDateState {
    /// Whether all its files are found.
    package var canBeLoadedAgain: Bool { files > 0 && !isShrunk && searchFailure == nil }
}
