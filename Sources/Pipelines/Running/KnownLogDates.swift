import Calendar
import Messages
import Output

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

extension LoadWarnings {
    /// The warnings on one line.
    package var text: MessageText {
        (sentences.isEmpty ? codes.map { "\($0)" } : sentences).joined(separator: "; ")
    }
}

extension KnownLogDates {
    /// The number of log dates, up to yesterday, that are judged unless a first one is given.
    static let judgedDates = 30
    /// Missing usual files are reported for this number of latest loaded log dates.
    private static let datesWithUsualFiles = 7

    /// All log dates that need something, whatever their age; a yesterday without files does not count.
    package func needs(published: [LogDate: String]) -> [LogDateNeed] {
        guard let first = states.first?.date, let last = states.last?.date else { return [] }
        return needs(in: DateRange(from: first), yesterday: last, published: published).filter { $0.kind != .notLoaded }
    }

    /// The log dates that need something, in order. A log date that is damaged, held back, shrunk or unpublished, or
    /// was loaded with another pipeline file, counts at any age. Other needs count only in `range`. A date after
    /// yesterday may still get files, so it is not judged.
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
    /// Whether the log date has no partition, no held-back load and no files.
    fileprivate var isWithoutContent: Bool { partition == .missing && held == nil && files == 0 }

    /// `isJudged`: whether every need counts for this log date. `isLatest`: whether it is one of the latest loaded log
    /// dates.
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

extension LogDateState {
    /// Whether all its files are found.
    var canBeLoadedAgain: Bool { files > 0 && !isShrunk && isComparedWhole && searchFailure == nil }
}
