import Calendar

/// The log dates that a command was asked for, and the rule which of them it loads.
package struct DateRequest: Sendable {
    /// The value of `backfill --only`.
    package enum Only: String, CaseIterable, Sendable {
        /// Log dates without a readable partition.
        case missing
        case partial
        case stale
        /// Log dates whose last load was held back.
        case held
        /// Log dates whose partition cannot be read.
        case damaged
        /// Log dates that have lost files.
        case shrunk
        /// All log dates that have files, even if they have lost some.
        case all
    }

    /// The most log dates of one request: about a hundred years.
    package static let mostDates = 36_525

    /// All requested log dates, in order.
    package let dates: [LogDate]
    /// Nil selects log dates that are missing, partial, held back or stale.
    package let only: Only?
    /// The log date that is loaded whatever its state.
    package let always: LogDate?
    /// Whether a held-back date is read again although nothing has changed: `--force`.
    package var isForced = false
    /// What the command was asked to do about old log dates.
    package var retention = RetentionRequest()
    /// The text before the command in the history; empty unless another program started the command.
    package var origin = ""

    /// One log date, and the `catchUp` log dates before it. Of the latter, only the missing, partial, held-back and
    /// stale ones are loaded.
    package init(_ date: LogDate, catchUp: Int = 0) {
        dates = (0...catchUp).reversed().map { date.adding(days: -$0) }
        only = nil
        always = date
    }

    /// A request for no log date, only about old ones.
    package init(_ retention: RetentionRequest) {
        dates = []
        only = nil
        always = nil
        self.retention = retention
    }

    /// The log dates from `from` to `to`, both included.
    package init(from: LogDate, to: LogDate, only: Only? = nil) {
        dates = LogDate.dates(from: from, through: max(from, to))
        self.only = only
        always = nil
    }

    /// The command as the history has it.
    package var command: String {
        var words: String
        if let always {
            words = "run --date \(always)" + (dates.count > 1 ? " --catch-up \(dates.count - 1)" : "")
        } else if let first = dates.first, let last = dates.last {
            words = "backfill --from \(first) --to \(last)" + (only.map { " --only \($0.rawValue)" } ?? "")
        } else {
            words = "backfill" + (retention.givenUp.map { " --give-up \($0)" } ?? "")
        }
        return origin + words + (isForced ? " --force" : "") + (retention.isSettling ? " --settle" : "")
    }

    /// The log dates to load. A log date without a state is always loaded.
    func wanted(_ states: [LogDate: LogDateState]) -> Set<LogDate> {
        var wanted: Set<LogDate> = []
        for date in dates {
            guard let state = states[date] else {
                wanted.insert(date)
                continue
            }
            if wants(state) { wanted.insert(date) }
        }
        return wanted
    }

    /// Whether a log date is to be loaded, judged by its own state alone. A log date whose folders could not be
    /// searched is selected, so that the load reports the failure.
    func wants(_ state: LogDateState) -> Bool {
        guard state.phase == .open else {
            return state.canReplaceDamage && (state.date == always || [nil, .missing, .damaged, .all].contains(only))
        }
        if state.date == always || state.searchFailure != nil { return true }
        return selects(state) && !isHeldBack(state)
    }

    /// Whether a log date is left alone only because its last load was held back: nothing has changed since, or another
    /// load would lose what files had that are gone.
    func isHeldBack(_ state: LogDateState) -> Bool {
        let isLeft = state.isHeldUnchanged || state.held != nil && state.isShrunk && takesHeld
        return isLeft && !isForced && state.date != always && selects(state)
    }

    private var takesHeld: Bool { only == nil || only == .held }

    private func selects(_ state: LogDateState) -> Bool {
        guard state.files > 0 else { return false }
        if state.isShrunk, only != .all { return only == .shrunk || state.held != nil && takesHeld }
        let isMissing = state.partition == .missing || state.partition == .damaged
        let isPartial = state.partition == .partial && !state.isAccepted
        let isToBeAccepted = state.lacksUsual && !state.isAccepted
        return switch only {
        case nil: isMissing || isPartial || state.held != nil || state.isStale || isForced && isToBeAccepted
        case .missing: isMissing
        case .partial: isPartial
        case .stale: state.isStale && !isMissing
        case .held: state.held != nil
        case .damaged: state.partition == .damaged
        case .shrunk: false
        case .all: true
        }
    }
}
