import Calendar
import SQLite

/// Which log date has the events of a day. It is mostly that of the same date, and the next one where files are named
/// after the day on which they were rotated:
///
///     log date                        16 17 18 19
///     day of most of its messages     15 16 17 18    the lag is 1
struct DateLag {
    /// The log dates on either side of a day that tell its lag. A week of them has no lag of its own because of one quiet
    /// day with many late hits.
    private static let reach = 3

    /// From which day on which lag holds, sorted.
    private var lags: [(from: LogDate, lag: Int)] = []

    /// No lag.
    init() {}

    /// The lag of a day is the number of days that more than half of the messages around it were first seen before their
    /// log date. Without such a number it is 0. Without log dates around it, a day has the lag of the day before.
    init(in database: Database) throws {
        var messages: [LogDate: [Int: Int]] = [:]
        try database.forEach(Question.page("lags")) { row in
            let date = try row.date(0)
            messages[date, default: [:]][date.days(since: try row.date(1)), default: 0] += try row.count(2)
        }
        let around = -DateLag.reach...DateLag.reach
        for day in Set(messages.keys.flatMap { date in around.map { date.adding(days: $0) } }).sorted() {
            var sums: [Int: Int] = [:]
            for days in around { sums.merge(messages[day.adding(days: days)] ?? [:], uniquingKeysWith: +) }
            let all = sums.values.reduce(0, +)
            let lag = sums.first { $0.value * 2 > all }?.key ?? 0
            if lags.last?.lag != lag { lags.append((day, lag)) }
        }
    }

    func logDate(of day: LogDate) -> LogDate {
        day.adding(days: (lags.last { $0.from <= day } ?? lags.first)?.lag ?? 0)
    }
}
