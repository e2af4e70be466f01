import Calendar
import Messages
import Partitions

/// What a publishing is to do about old log dates.
package struct Closing: Equatable, Sendable {
    /// The last log date to close; nil to close no more. A lower one than the record has changes nothing.
    package var through: Int32?
    /// The first log date that is loaded, if all that has files between it and the recorded first one is loaded; nil to leave the
    /// recorded one.
    package var first: Int32?
    /// Log dates that it passes although they need something.
    package var skipped: Set<Int32>
    /// Held-back loads of later log dates are erased; nil to leave them.
    package var today: Int32?

    package init(through: Int32? = nil, first: Int32? = nil, skipped: Set<Int32> = [], today: Int32? = nil) {
        self.through = through
        self.first = first
        self.skipped = skipped
        self.today = today
    }

    /// The record with these log dates closed; nil if none is loaded.
    /// - Parameter loaded: sorted.
    func closed(
        _ before: ClosedDates?, loaded: [(logDate: Int32, version: String)], _ settings: PublicationSettings
    ) -> ClosedDates? {
        guard let first = loaded.first?.logDate else { return nil }
        var closed = before ?? ClosedDates(first: first, settings)
        closed.move(to: through, first: self.first ?? (before?.through == nil ? first : closed.first))
        for (logDate, version) in loaded where closed.dates[logDate] == nil && closed.holds(logDate) {
            closed.dates[logDate] = ClosedDates.Entry(version: version)
        }
        return closed
    }
}

/// What a publishing has done about old log dates, or would do.
package struct ClosingResult: Equatable, Sendable {
    /// The last closed log date; nil if there is none.
    package internal(set) var through: LogDate?
    /// How many were closed just now, loaded or not.
    package internal(set) var closed = 0
    /// In order, like `erased`.
    package internal(set) var settled: [LogDate] = []
    /// The log dates whose ids were erased.
    package internal(set) var erased: [LogDate] = []
    /// A log date with a partition that is damaged or gone, so that those within reach do not settle; nil if there is none.
    package internal(set) var hindrance: LogDate?
    /// Why files could not be removed.
    package internal(set) var failure: WarehouseError?

    package init() {}

    /// That log dates in reach of the hindrance do not settle.
    package func hindranceMessage(windowDays: Int) -> Message? {
        hindrance.map { date in
            let (first, last) = (date.adding(days: -2 * windowDays), date.adding(days: 2 * windowDays))
            return Message(
                "ids_stay",
                """
                ids of \(first) to \(last) stay: the partition of \(date) is damaged or gone; put it back from a backup, load \
                it again from the same files, or give its figures up with 'pushetl backfill --forget \(date)'
                """, logDate: date)
        }
    }

    /// - Parameter before: nil if no log date was closed.
    init(_ closed: ClosedDates, since before: ClosedDates?) {
        guard let last = closed.through else { return }
        through = LogDate(dayNumber: Int(last))
        self.closed = max(0, Int(last) - Int(before?.through ?? closed.first - 1))
    }
}

extension ClosingResult: Encodable {
    /// What went wrong is told by messages.
    private enum CodingKeys: String, CodingKey {
        case closed, settled, erased
        case through = "closedThrough"
    }
}

/// What a publishing would close, settle and erase.
package struct ClosingForecast {
    package private(set) var result = ClosingResult()

    /// - Parameter loads: log dates that are loaded before.
    package init(
        _ closing: Closing, after loads: [Int32], in folder: OutputFolder, _ settings: PublicationSettings
    ) throws(WarehouseError) {
        let (before, loaded) = (try ClosedDates(in: folder), Set(try folder.logDates() + loads).sorted())
        let versions = loaded.map { (logDate: $0, version: "") }
        guard var closed = closing.closed(before, loaded: versions, settings) else { return }
        result = ClosingResult(closed, since: before)
        let withIDs = Set(try folder.partitionDates() + loads)
        let settled = closed.due(readable: withIDs).logDates
        for logDate in settled { closed.dates[logDate]?.settled = "" }
        result.settled = settled.map { LogDate(dayNumber: Int($0)) }
        let erased = withIDs.filter(closed.isErasable).sorted()
        result.erased = erased.map { LogDate(dayNumber: Int($0)) }
    }
}
