import Calendar
import Counting
import SQLite

/// The rows that a publishing adds to `changes`: its days of which a sum is another than before.
struct PublicationChanges {
    private let days: [(day: Int32, before: DayDigest, after: DayDigest)]
    /// The log dates of which other versions were published before, or none.
    private let logDates: String

    /// - Parameters:
    ///   - former: nil if it is not known.
    ///   - inputs: the entries that `publication` will have for the log dates and the settings.
    init(since former: FormerPublication?, _ digests: [Int32: DayDigest], _ inputs: [String: String]) {
        let before = former?.days ?? digests
        days = Set(before.keys).union(digests.keys).sorted().compactMap { day in
            let sums = (before[day] ?? DayDigest(), digests[day] ?? DayDigest())
            return sums.0.hasSums(of: sums.1) ? nil : (day, sums.0, sums.1)
        }
        logDates = inputs.keys.filter { CalendarText.day(of: $0) != nil && former?.items[$0] != inputs[$0] }.sorted()
            .joined(separator: " ")
    }

    /// - Parameter time: in milliseconds since 1970.
    func write(to database: Database, time: Int64) throws {
        if days.isEmpty { return }
        // Somebody may have written a number after which no other comes.
        let last = try Int.fetchOne(database, sql: "SELECT max(number) FROM changes WHERE number < 1 << 60") ?? 0
        for (day, before, after) in days {
            try OutputSchema.changes.insert(
                .of(
                    max(last, 0) + 1, CalendarText.dateTime(ofMilliseconds: time), logDates,
                    CalendarText.date(ofDay: day), before.events, after.events, before.messages, after.messages,
                    before.opened, after.opened), into: database)
        }
    }
}

extension DayDigest {
    /// Whether the sums that `changes` shows are the same.
    fileprivate func hasSums(of other: DayDigest) -> Bool {
        (events, messages, opened) == (other.events, other.messages, other.opened)
    }
}
