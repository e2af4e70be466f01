import Calendar
import Partitions

/// What a publishing is to do about old log dates.
package struct Closing: Equatable, Sendable {
    /// The last log date to close; nil to close no more. A lower one than the record has changes nothing.
    package var through: LogDate?
    /// The first loaded log date, if no log date with files is missing between it and the first one in the record; nil
    /// to keep that.
    package var first: LogDate?
    /// Log dates that it passes although they need something.
    package var passed: Set<LogDate>
    /// Today's date. Held-back loads of later log dates are erased; nil to keep them.
    package var today: LogDate?

    package init(
        through: LogDate? = nil, first: LogDate? = nil, passed: Set<LogDate> = [], today: LogDate? = nil
    ) {
        self.through = through
        self.first = first
        self.passed = passed
        self.today = today
    }

    /// The record after these log dates are closed.
    ///
    /// - Parameters:
    ///   - before: the record so far; nil if there is none.
    ///   - loaded: what to record of the sound partitions, sorted by log date.
    ///   - damaged: the log dates whose partitions cannot be read.
    ///   - published: the log dates that push.db shows.
    ///   - justLoaded: the log dates that this command has loaded.
    /// - Returns: nil if there is nothing to record.
    func record(
        after before: ClosedDates?, loaded: [(date: LogDate, entry: ClosedDates.Entry)], damaged: Set<LogDate> = [],
        published: Set<LogDate> = [], justLoaded: Set<LogDate> = [], settings: PublicationSettings
    ) -> ClosedDates? {
        guard let first = loaded.first?.date else { return before }
        var closed = before ?? ClosedDates(first: first, settings: settings)
        let passed = closed.passed.union(self.passed)
        // The partition was sound when the log dates to close were chosen.
        let hindrance = damaged.filter { !passed.contains($0) && !closed.holds($0) }.min()
        let target = hindrance.flatMap { date in through.map { min($0, date.adding(days: -1)) } } ?? through
        closed.move(to: target, first: self.first ?? (before?.through == nil ? first : closed.first))
        for (date, entry) in loaded where closed.dates[date] == nil && closed.holds(date) {
            closed.dates[date] = entry
        }
        if !closed.hasSettled { closed.fix(settings, sources: []) }
        // A passed log date whose partition cannot be read is given up when it is closed.
        let sound = Set(loaded.map(\.date))
        closed.givenUp.formUnion(passed.filter { closed.holds($0) && !sound.contains($0) })
        closed.passed = passed.filter { !closed.holds($0) && !justLoaded.contains($0) }
        closed.lost = closed.lost.union(published).filter { date in
            !sound.contains(date) && !damaged.contains(date) && !closed.holds(date) && !closed.passed.contains(date)
                && !closed.givenUp.contains(date)
        }
        return closed.through != nil || !closed.lost.isEmpty || !closed.passed.isEmpty ? closed : before
    }
}
