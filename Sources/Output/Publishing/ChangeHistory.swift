import Calendar
import Partitions
import Posix
import SQLite

/// Adds a row to the table `changes` for each day that a publishing changes.
struct ChangeHistory {
    /// The key of the fact with the number at which the table begins.
    static let beginning = "history_since"

    /// The sums of the days that push.db shows now.
    private static let sums = """
        SELECT day, sum(events) AS events, sum(messages) AS messages, sum(opened) AS opened FROM main.daily_totals GROUP BY day
        """

    let database: Database

    /// Keeps the sums of the days that push.db shows, before its rows are changed.
    func keepShown() throws { try database.execute("CREATE TABLE temp.shown AS \(ChangeHistory.sums)") }

    /// Keeps the sums of a push.db that another program may have changed. Rows without a valid day are dropped, and
    /// sums that are no integers become 0, so that the history stays readable.
    func keepReadable() throws {
        try keepShown()
        try database.execute("DELETE FROM temp.shown WHERE date(day, '+0 days') IS NOT day")
        for sum in ["events", "messages", "opened"] {
            try database.execute("UPDATE temp.shown SET \(sum) = 0 WHERE typeof(\(sum)) <> 'integer'")
        }
    }

    /// Makes an empty table of sums, if none was kept: nothing is shown, or the sums could not be read.
    func keepNothing() throws {
        try database.execute("CREATE TABLE IF NOT EXISTS temp.shown (day, events, messages, opened)")
    }

    /// Adds the rows.
    /// - Parameters:
    ///   - isAnew: whether the tables are made anew. Every day then gets a row.
    ///   - logDates: the log dates with a new or changed partition.
    func add(isAnew: Bool, logDates: [LogDate]) throws {
        let now = FileStamp.now() / 1_000_000
        // Numbers beyond this limit are ignored: somebody may have written the largest one, which has no successor.
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
            // The table `about` was written before this number was known.
            try database.execute(
                "INSERT OR REPLACE INTO main.about VALUES (?, ?)", binding: .of(ChangeHistory.beginning, "\(number)"))
        }
    }
}
