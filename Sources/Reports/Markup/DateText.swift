import Calendar
import Messages

/// Dates for people. Months are words, so that they cannot be mistaken for days.
enum DateText {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

    /// `19 Nov`
    static func short(_ date: LogDate) -> String { "\(date.day)\u{A0}\(months[date.month - 1])" }

    /// `19 Nov 2026`
    static func long(_ date: LogDate) -> String { short(date) + "\u{A0}\(date.year)" }

    /// `Nov 2026`
    static func month(_ date: LogDate) -> String { "\(months[date.month - 1])\u{A0}\(date.year)" }

    /// `Thu`
    static func weekday(_ date: LogDate) -> String { weekdays[date.weekday - 1] }

    /// `23 Oct – 19 Nov 2026`, with both years if they differ.
    static func range(_ first: LogDate, to last: LogDate) -> String {
        if first == last { return long(first) }
        return (first.year == last.year ? short(first) : long(first)) + " – " + long(last)
    }

    /// `3 Nov, 7–9 Nov 2026 and 4 more`: sorted dates, runs of them as ranges, at most six.
    static func list(_ dates: [LogDate]) -> String {
        let runs = Text.runs(of: dates)
        let texts = runs.prefix(6).map { range($0.first, to: $0.last) }
        return texts.joined(separator: ", ") + (runs.count > 6 ? " and \(runs.count - 6) more" : "")
    }
}
