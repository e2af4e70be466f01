import Calendar
import Partitions
import Posix
import SQLite

/// Adds the rows of the table `changes` for the days of which a publishing changes something.
struct ChangeHistory {
    /// The fact that says with which number the table began.
    static let beginning = "history_since"

    /// The sums of the days that push.db shows now.
    private static let sums = """
        SELECT day, sum(events) AS events, sum(messages) AS messages, sum(opened) AS opened FROM main.daily_totals GROUP BY day
        """

    let database: Database

    /// Keeps the sums of the days that push.db shows, before they are written.
    func keepShown() throws { try database.execute("CREATE TABLE temp.shown AS \(ChangeHistory.sums)") }

    /// The same of a push.db that others may have changed. What is no day and no count is not kept: the history is to be read whole.
    func keepReadable() throws {
        try keepShown()
        try database.execute("DELETE FROM temp.shown WHERE date(day, '+0 days') IS NOT day")
        for sum in ["events", "messages", "opened"] {
            try database.execute("UPDATE temp.shown SET \(sum) = 0 WHERE typeof(\(sum)) <> 'integer'")
        }
    }

    /// The same where nothing is shown, or nobody can tell what.
    func keepNothing() throws {
        try database.execute("CREATE TABLE IF NOT EXISTS temp.shown (day, events, messages, opened)")
    }

    /// Adds the rows.
    /// - Parameters:
    ///   - isAnew: whether all rows were made anew. Then every day has one.
    ///   - logDates: those whose partitions came or changed.
    func add(isAnew: Bool, logDates: [LogDate]) throws {
        let now = FileStamp.now() / 1_000_000
        // Somebody may have written a number after which no other comes.
        let last: Int64? = try database.value("SELECT max(number) FROM main.changes WHERE number < 1 << 60")
        let number = max(now / 1000, last.map { $0 + 1 } ?? 0)
        let days =
            isAnew
            ? "SELECT day FROM temp.shown UNION SELECT day FROM main.daily_totals"
            : "SELECT day FROM temp.touched_days"
        try database.execute(
            """
            INSERT INTO main.changes
            SELECT ?, ?, ?, day, coalesce(b.events, 0), coalesce(s.events, 0), coalesce(b.messages, 0),
              coalesce(s.messages, 0), coalesce(b.opened, 0), coalesce(s.opened, 0)
            FROM (\(days)) LEFT JOIN temp.shown AS b USING (day) LEFT JOIN (\(ChangeHistory.sums)) AS s USING (day)
            """,
            binding: .of(
                number, CalendarText.dateTime(ofMilliseconds: now), logDates.map(\.description).joined(separator: " ")))
        if try OwnTables.fact(ChangeHistory.beginning, in: database) == nil {
            try OwnTables.set(ChangeHistory.beginning, to: "\(number)", in: database)
            // The table `about` is written already.
            try database.execute(
                "INSERT OR REPLACE INTO main.about VALUES (?, ?)", binding: .of(ChangeHistory.beginning, "\(number)"))
        }
    }
}
