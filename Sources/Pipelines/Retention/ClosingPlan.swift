import Calendar
import Configuration
import Foundation
import LogFiles
import Output

/// Which log dates a publishing is to close, and what stands in the way.
package struct ClosingPlan: Sendable {
    /// Something that a person should know about old log dates.
    package enum Warning: Sendable {
        /// Ids from `since` on stay, since a log date is not passed.
        case stays(since: LogDate, LogDate, Need)
        /// So many log dates would be closed at once that it must be asked for. Nothing is closed.
        case many(Int, through: LogDate)
        /// `window_days` was greater when log dates were closed. Nothing is closed unless it is asked for.
        case narrowedWindow(was: Int, is: Int)
        /// Nobody knows which log dates were loaded, so that one that was lost would go unseen. Nothing is closed.
        case unknownLoads
        /// Nobody knows which files a source has. Nothing is closed.
        case unlisted(source: String, FileSearchError?)
        /// A source has no files at all. Nothing is closed.
        case noFiles(source: String)

        /// Whether somebody must do something, so that the command ends with 65.
        package var isFault: Bool {
            switch self {
            case .stays, .many, .narrowedWindow, .unknownLoads: true
            case .unlisted, .noFiles: false
            }
        }
    }

    /// Why a log date is not passed.
    package enum Need: String, Sendable {
        /// It has files and is not loaded.
        case missing
        case heldBack = "held_back"
        case stale
        case damaged
        /// The partition that it had is gone.
        case lost
    }

    /// Log dates are closed by at most so many at once, unless it is asked for.
    static let mostAtOnce = 7

    /// What the publishing is to close; nil if it is not even to settle or erase.
    package private(set) var closing: Closing?
    package private(set) var warnings: [Warning] = []

    /// - Parameters:
    ///   - check: compares log dates with their files.
    ///   - loader: lists the files at URIs.
    /// - Throws: `Stopped`, `WarehouseError`, `RetentionRequestError`.
    init(_ check: InputCheck, _ request: RetentionRequest, idDays: Int, by loader: any LogDateLoader) throws {
        let (pipeline, output, closed) = (check.pipeline, check.output, check.closed)
        if let closed, closed.through != nil, !closed.hasSettled, pipeline.windowDays < closed.windowDays,
            !request.isSettling
        {
            warnings.append(.narrowedWindow(was: closed.windowDays, is: pipeline.windowDays))
            return
        }
        let today = Int32(LogDate.today(in: pipeline.zone).dayNumber)
        var closing = Closing(skipped: closed?.skipped ?? [], today: today)
        defer { self.closing = closing }
        let loaded = try output.logDates()
        guard let firstLoaded = loaded.first, let last = loaded.last(where: { $0 <= today }) else { return }
        guard let published = try check.resources.database(of: output).publishedLogDates() else {
            warnings.append(.unknownLoads)
            return
        }
        let lost = Set(
            published.union(closed?.lost ?? []).subtracting(loaded).map {
                LogDate(dayNumber: Int($0))
            })
        let recorded = closed?.through == nil ? nil : closed?.first
        // A log date that was lost has been loaded.
        let first = recorded ?? min(firstLoaded, lost.min().map { Int32($0.dayNumber) } ?? firstLoaded)
        let closedThrough = max(closed?.through ?? .min, first - 1)
        let target = Int(last) - (idDays - 2 * pipeline.windowDays)
        if let skipped = request.skipped, closed?.holds(Int32(skipped.dayNumber)) ?? false {
            throw RetentionRequestError.closedAlready(skipped)
        }
        // Log dates before those that are closed, if older ones have been loaded.
        let older =
            firstLoaded < first
            ? ClosingPlan.dates(after: firstLoaded - 1, through: Int(first) - pipeline.windowDays - 1) : []
        let due = ClosingPlan.dates(after: closedThrough, through: target)
        let asked = request.skipped.map { older.contains($0) || due.contains($0) ? [] : [$0] } ?? []
        guard !due.isEmpty || !asked.isEmpty || firstLoaded < first else { return }
        let (found, isListed) = try inputs(of: older + due + asked, pipeline, loader)
        var check = check
        check.verifiesUnknown = true
        let states = try check.findings(older + due + asked, found).map(\.state)
        func need(_ state: LogDateState) -> Need? { state.needBeforeClosing(isLost: lost.contains(state.date)) }
        if let skipped = request.skipped {
            guard states.contains(where: { $0.date == skipped && need($0) != nil }) else {
                throw RetentionRequestError.nothingToSkip(skipped)
            }
            closing.skipped.insert(Int32(skipped.dayNumber))
        }
        guard isListed else { return }
        if let failure = states.lazy.compactMap(\.searchFailure).first {
            warnings.append(.unlisted(source: "", failure))
            return
        }
        func obstacle(_ states: some Sequence<LogDateState>) -> (date: LogDate, need: Need)? {
            states.lazy.filter { !closing.skipped.contains(Int32($0.date.dayNumber)) }
                .compactMap { state in need(state).map { (state.date, $0) } }.first
        }
        if firstLoaded < first {
            if let (date, need) = obstacle(states.prefix(older.count)) {
                warnings.append(.stays(since: LogDate(dayNumber: Int(firstLoaded)), date, need))
            } else {
                closing.first = firstLoaded
            }
        }
        var through = LogDate(dayNumber: target)
        if let (date, need) = obstacle(states.dropFirst(older.count).prefix(due.count)) {
            through = date.adding(days: -1)
            let since = max(date.adding(days: -2 * pipeline.windowDays).dayNumber, Int(firstLoaded))
            warnings.append(.stays(since: LogDate(dayNumber: since), date, need))
        }
        let count = through.dayNumber - Int(closedThrough)
        if count > ClosingPlan.mostAtOnce, !request.isSettling {
            warnings.append(.many(count, through: through))
        } else if count > 0 {
            closing.through = Int32(through.dayNumber)
        }
    }

    private static func dates(after: Int32, through: Int) -> [LogDate] {
        Int(after) < through ? (Int(after) + 1...through).map { LogDate(dayNumber: $0) } : []
    }

    /// The files of log dates, and whether all sources could be listed and have files.
    private mutating func inputs(
        of dates: [LogDate], _ pipeline: Pipeline, _ loader: any LogDateLoader
    ) throws -> (found: FoundInputs, isListed: Bool) {
        // Of one date alone, other dates would not be listed.
        let listed = dates.count == 1 ? [dates[0].adding(days: -1), dates[0]] : dates
        let listing = try loader.listing(on: listed)
        var isListed = true
        for source in pipeline.sources where source.files.hasDatePlaceholder {
            do {
                if source.files.missingFolder(in: pipeline.folder) != nil {
                    warnings.append(.unlisted(source: source.name, nil))
                } else if try !source.files.hasFiles(in: pipeline.folder, listing: listing) {
                    warnings.append(.noFiles(source: source.name))
                } else {
                    continue
                }
            } catch {
                warnings.append(.unlisted(source: source.name, error))
            }
            isListed = false
        }
        return (FoundInputs(pipeline, dates: dates, listing: listing, dated: true), isListed)
    }
}

extension LogDateState {
    /// Why it must not be closed yet.
    fileprivate func needBeforeClosing(isLost: Bool) -> ClosingPlan.Need? {
        if partition == .damaged { return .damaged }
        if files > 0, held != nil { return .heldBack }
        if partition == .missing { return isLost ? .lost : files > 0 ? .missing : nil }
        return isStale ? .stale : nil
    }
}
