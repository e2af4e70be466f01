import Calendar
import LogFiles

/// Which log dates a command is asked for, and which of them it is to load.
package struct DateRequest: Sendable {
    package enum Only: String, CaseIterable, Sendable {
        /// Those without a sound partition.
        case missing
        case partial
        case stale
        /// Those whose last load was held back.
        case held
        /// All that have files, also those that have lost some.
        case all
    }

    /// A hundred years: nobody means more.
    package static let mostDates = 36_525

    /// In their order.
    package let dates: [LogDate]
    /// Nil for those that are missing, partial, held back or stale.
    package let only: Only?
    /// The one that is loaded whatever its state.
    package let always: LogDate?
    /// Whether a date whose last load was held back is read again though nothing has changed.
    package let isForced: Bool

    /// One log date, and those of the `catchUp` before it that are missing, partial, held back or stale.
    package init(_ date: LogDate, catchUp: Int = 0, isForced: Bool = false) {
        dates = (0...catchUp).reversed().map { date.adding(days: -$0) }
        only = nil
        always = date
        self.isForced = isForced
    }

    /// The log dates of a range, `from` and `to` included.
    package init(from: LogDate, to: LogDate, only: Only? = nil, isForced: Bool = false) {
        dates = (from.dayNumber...max(from.dayNumber, to.dayNumber)).map { LogDate(dayNumber: $0) }
        self.only = only
        always = nil
        self.isForced = isForced
    }

    /// Whether a log date is to be loaded. One whose files could not be looked for counts, so that it is reported.
    package func wants(_ state: LogDateState) -> Bool {
        if state.date == always || state.searchFailure != nil { return true }
        return selects(state) && !isHeldBack(state)
    }

    /// Whether a log date would be loaded, were its last load not held back with nothing changed since.
    package func isHeldBack(_ state: LogDateState) -> Bool {
        state.isHeldUnchanged && !isForced && state.date != always && selects(state)
    }

    private func selects(_ state: LogDateState) -> Bool {
        guard state.files > 0 else { return false }
        if only == .all { return true }
        guard !state.isShrunk else { return false }
        let isMissing = state.standing == .missing || state.standing == .damaged
        return switch only {
        case nil: isMissing || state.standing == .partial || state.held != nil || state.isStale
        case .missing: isMissing
        case .partial: state.standing == .partial
        case .stale: state.isStale && !isMissing
        case .held: state.held != nil
        case .all: true
        }
    }
}
