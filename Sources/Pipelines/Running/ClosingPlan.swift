import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions

/// Which log dates a publishing is to close, and what prevents that.
package struct ClosingPlan: Sendable {
    /// Something that a person should know about old log dates.
    package struct Warning: Sendable {
        package let message: Message
        /// Whether a person must act, so that the command ends with 65.
        package let isFault: Bool
        /// Whether ids stay because a log date needs something. It is told as an error.
        package var isObstacle = false

        /// A warning that a source has no files, or cannot be searched.
        fileprivate static func note(_ message: Message) -> Warning { Warning(message: message, isFault: false) }

        fileprivate static func fault(_ message: Message) -> Warning { Warning(message: message, isFault: true) }

        fileprivate static func narrowedWindow(from was: Int, to days: Int) -> Warning {
            .fault(
                Message(
                    .narrowedWindow,
                    text: """
                        window_days was \(was) when log dates were closed, and is \(days): nothing is closed, settled or \
                        erased until it is \(was) again; if it is meant, \(command: "run --settle") goes on with it
                        """))
        }

        /// Without the published log dates, a lost log date would go unnoticed.
        fileprivate static let unknownLoads = Warning.fault(
            Message(
                .unknownLoads,
                text: """
                    push.db cannot tell which log dates were loaded, so nothing is closed this time; see \
                    whether \(command: "status") shows all of them as loaded
                    """))

        fileprivate static func manyToClose(_ count: Int, through last: LogDate) -> Warning {
            .fault(
                Message(
                    .manyToClose,
                    text: """
                        \(Text.plural(count, of: "log date")) up to \(last) would be closed at once, so nothing is closed; if that \
                        is meant, \(command: "run --settle") does it, and \
                        \(command: "backfill --last 1 --settle --dry-run") lists them
                        """))
        }

        fileprivate static func obstacle(on date: LogDate, _ need: String, since: LogDate) -> Warning {
            let message = Message(
                .idsStay,
                text: """
                    ids from \(since) on stay: \(date) \(need); load it, or give it up with \
                    \(command: "backfill --give-up \(date)")
                    """, logDate: date)
            return Warning(message: message, isFault: true, isObstacle: true)
        }
    }

    /// The most log dates that are closed at once without `--settle`.
    static let mostAtOnce = 7

    /// What the publishing is to close; nil if it is not even to settle or erase.
    package private(set) var closing: Closing?
    package private(set) var warnings: [Warning] = []

    /// - Parameters:
    ///   - check: compares log dates with their files.
    ///   - loader: lists the files at URIs.
    ///   - loads: log dates that are still to be loaded. They need nothing then.
    /// - Throws: `Stopped`, `OutputError`, `RetentionRequestError`.
    init(
        from check: InputCheck, for request: RetentionRequest, idDays: Int, by loader: any LogDateLoader,
        after loads: Set<LogDate>
    ) throws {
        let (pipeline, output, closed) = (check.pipeline, check.output, check.closed)
        if let closed, closed.isNarrowed(to: pipeline.windowDays), !request.isSettling {
            warnings.append(.narrowedWindow(from: closed.windowDays, to: pipeline.windowDays))
            return
        }
        let today = LogDate.today(in: pipeline.zone)
        var closing = Closing(passed: closed?.passed ?? [], today: today)
        defer { self.closing = closing }
        let loaded = Set(try output.logDates()).union(loads).sorted()
        // A damaged file, or one that somebody put there, does not make its log date the last loaded one.
        let last = loaded.last { $0 <= today && (loads.contains($0) || output.partition(of: $0) != nil) }
        guard let oldest = loaded.first, let last else { return }
        let target = last.adding(days: -(idDays - 2 * pipeline.windowDays))
        if closed?.hasClosed(through: target, from: oldest) == true, request.givenUp == nil { return }
        guard let published = try check.resources.database(of: output).publishedLogDates() else {
            warnings.append(.unknownLoads)
            return
        }
        let lost = published.union(closed?.lost ?? []).subtracting(loaded)
        let dates = ClosingDates(
            from: oldest, through: target, lost: lost, closed: closed, windowDays: pipeline.windowDays,
            givenUp: request.givenUp)
        guard !dates.areNone else { return }
        let (found, isListed) = try inputs(of: dates.all, pipeline: pipeline, loader: loader)
        let states = try ClosingPlan.states(of: dates.all, found: found, check: check)
        let needs = Dictionary(
            states.compactMap { state in state.closingNeed(lost: lost, loads: loads).map { (state.date, $0) } },
            uniquingKeysWith: { first, _ in first })
        if let date = request.givenUp, closed?.holds(date) != true, closed?.givenUp.contains(date) != true {
            guard needs[date] != nil else {
                throw RetentionRequestError("\(date) needs nothing, so there is nothing to give up.")
            }
            closing.passed.insert(date)
        }
        guard isListed else { return }
        if let failure = states.lazy.compactMap(\.searchFailure).first {
            warnings.append(ClosingPlan.unlisted(failure))
            return
        }
        func obstacle(among dates: [LogDate]) -> (date: LogDate, need: String)? {
            dates.first { needs[$0] != nil && !closing.passed.contains($0) }.flatMap { date in
                needs[date].map { (date, $0) }
            }
        }
        if dates.beginEarlier {
            if let (date, need) = obstacle(among: dates.older) {
                warnings.append(.obstacle(on: date, need, since: oldest))
            } else {
                closing.first = oldest
            }
        }
        var through = target
        if let (date, need) = obstacle(among: dates.due) {
            through = date.adding(days: -1)
            warnings.append(.obstacle(on: date, need, since: max(date.adding(days: -2 * pipeline.windowDays), oldest)))
        }
        let count = dates.due.count { $0 <= through }
        if count > ClosingPlan.mostAtOnce, !request.isSettling {
            warnings.append(.manyToClose(count, through: through))
        } else if count > 0 {
            closing.through = through
        }
    }

    private static func states(of dates: [LogDate], found: FoundInputs, check: InputCheck) throws -> [LogDateState] {
        var check = check
        check.verifiesUnknown = true
        return try check.states(of: dates, in: found)
    }

    private static func unlisted(_ failure: Fault?, source: String? = nil) -> Warning {
        let place: MessageText = source.map { "source '\($0)': " } ?? ""
        let text = place + (failure?.message.text ?? "its folder is not there") + "; nothing is closed, and ids stay"
        return .note(Message(.unlistedSource, text: text))
    }

    /// The files of log dates, and whether all sources could be listed and have files.
    private mutating func inputs(
        of dates: [LogDate], pipeline: Pipeline, loader: any LogDateLoader
    ) throws -> (found: FoundInputs, isListed: Bool) {
        // With one date, the listing would hold no file of another date. A source without files of that date would seem
        // to have none at all.
        let listed = dates.count == 1 ? [dates[0].adding(days: -1), dates[0]] : dates
        let listing = try loader.listing(on: listed)
        var isListed = true
        for source in pipeline.sources {
            let files = source.files.withDate
            do {
                if files.missingFolder(in: pipeline.folder) != nil {
                    warnings.append(ClosingPlan.unlisted(nil, source: source.name))
                } else if files.hasYear, try !files.hasFiles(in: pipeline.folder, listing: listing) {
                    warnings.append(
                        .note(
                            Message(
                                .sourceWithoutFiles,
                                text:
                                    "source '\(source.name)' has no file of any log date; nothing is closed, and ids stay"
                            ))
                    )
                } else {
                    continue
                }
            } catch {
                warnings.append(ClosingPlan.unlisted(error, source: source.name))
            }
            isListed = false
        }
        return (FoundInputs(pipeline, dates: dates, listing: listing, dated: true), isListed)
    }
}

/// The log dates that a closing is about.
private struct ClosingDates {
    /// Log dates before the closed range, if older ones were loaded since.
    let older: [LogDate]
    /// Those after the closed range.
    let due: [LogDate]
    /// One that is to be given up, unless it is among the others or closed.
    let asked: [LogDate]
    /// Whether a log date was loaded that is earlier than the first one so far.
    let beginEarlier: Bool

    /// - Parameters:
    ///   - oldest: the first loaded log date.
    ///   - lost: log dates that were loaded and have no partition any more.
    init(
        from oldest: LogDate, through target: LogDate, lost: Set<LogDate>, closed: ClosedDates?, windowDays: Int,
        givenUp: LogDate?
    ) {
        // A lost log date was loaded too.
        let first = (closed?.through == nil ? nil : closed?.first) ?? min(oldest, lost.min() ?? oldest)
        let next = max(closed?.through?.adding(days: 1) ?? first, first)
        let older = LogDate.dates(from: oldest, through: first.adding(days: -windowDays - 1))
        let due = LogDate.dates(from: next, through: target)
        asked = [givenUp].compactMap(\.self).filter { date in
            !older.contains(date) && !due.contains(date) && closed?.holds(date) != true
        }
        self.older = older
        self.due = due
        beginEarlier = oldest < first
    }

    var all: [LogDate] { older + due + asked }
    var areNone: Bool { due.isEmpty && asked.isEmpty && !beginEarlier }
}

extension ClosedDates {
    /// Whether log dates were closed with a longer window, and none is settled yet.
    fileprivate func isNarrowed(to days: Int) -> Bool { through != nil && !hasSettled && days < windowDays }
}

extension LogDateState {
    /// Why the log date must not be closed yet; nil if it may.
    /// - Parameters:
    ///   - lost: log dates that were loaded and have no partition any more.
    ///   - loads: log dates that are loaded before.
    fileprivate func closingNeed(lost: Set<LogDate>, loads: Set<LogDate>) -> String? {
        if loads.contains(date) { return nil }
        let isLost = lost.contains(date)
        if partition == .damaged { return "is damaged" }
        if files > 0, held != nil { return "is held back" }
        if partition == .missing {
            return isLost ? "lacks the partition that it had" : files > 0 ? "has files and is not loaded" : nil
        }
        return isStale ? "is stale" : nil
    }
}
