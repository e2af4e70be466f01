import LogFiles

/// Which log dates a command is asked for, and which of them it is to load.
package struct DateRequest: Sendable {
    package enum Only: String, CaseIterable, Sendable {
        /// Those without a sound partition.
        case missing
        case stale
        /// All that have files, also those that have lost some.
        case all
    }

    /// A hundred years: nobody means more.
    package static let mostDates = 36_525

    /// In their order.
    package let dates: [LogDate]
    /// Nil for those that are missing, partial or stale.
    package let only: Only?
    /// The one that is loaded whatever its state.
    package let always: LogDate?

    /// One log date, and those of the `catchUp` before it that are missing, partial or stale.
    package init(_ date: LogDate, catchUp: Int = 0) {
        dates = (0...catchUp).reversed().map { date.adding(days: -$0) }
        only = nil
        always = date
    }

    /// The log dates of a range, `from` and `to` included.
    package init(from: LogDate, to: LogDate, only: Only? = nil) {
        dates = (from.dayNumber...max(from.dayNumber, to.dayNumber)).map { LogDate(dayNumber: $0) }
        self.only = only
        always = nil
    }

    /// Whether a log date is to be loaded. One whose files could not be looked for counts, so that it is reported.
    package func wants(_ state: LogDateState) -> Bool {
        if state.date == always || state.searchFailure != nil { return true }
        guard state.files > 0 else { return false }
        return switch only {
        case nil: !state.isShrunk && (state.standing != .complete || state.isStale)
        case .missing: state.standing == .missing || state.standing == .damaged
        case .stale: state.isStale
        case .all: true
        }
    }
}
