import Foundation

/// A log date: the files of one log date are loaded together. It is a calendar date and has no time zone.
package struct LogDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int

    /// The date of a number of days since 1970-01-01.
    package init(dayNumber: Int) {
        self.dayNumber = dayNumber
    }

    /// A date in the years 0001 to 9999. Returns nil for another year and for a date that does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year),
            let dayNumber = CivilCalendar.dayNumber(year: year, month: month, day: day)
        else { return nil }
        self.dayNumber = dayNumber
    }

    /// Parses exactly `YYYY-MM-DD` in the years 0001 to 9999; returns nil for any other text.
    package init?(_ text: some StringProtocol) {
        guard let day = CalendarText.day(of: String(text)), !text.hasPrefix("0000") else { return nil }
        dayNumber = Int(day)
    }

    package var year: Int { CivilCalendar.date(ofDayNumber: dayNumber).year }
    package var month: Int { CivilCalendar.date(ofDayNumber: dayNumber).month }
    package var day: Int { CivilCalendar.date(ofDayNumber: dayNumber).day }

    /// 1 for the first of January.
    package var dayOfYear: Int {
        let date = CivilCalendar.date(ofDayNumber: dayNumber)
        let before = (1..<date.month).reduce(0) { $0 + CivilCalendar.days(inMonth: $1, of: date.year) }
        return before + date.day
    }

    /// The date that is this many days later, or earlier if `days` is negative.
    package func adding(days: Int) -> LogDate {
        LogDate(dayNumber: dayNumber + days)
    }

    /// The dates from one to another, both included; none if the second is before the first.
    package static func dates(from first: LogDate, through last: LogDate) -> [LogDate] {
        first <= last ? (first.dayNumber...last.dayNumber).map { LogDate(dayNumber: $0) } : []
    }

    /// Whether two log dates are at most so many days apart.
    package func isWithin(_ days: Int, of other: LogDate) -> Bool { abs(dayNumber - other.dayNumber) <= days }

    package static func < (a: LogDate, b: LogDate) -> Bool {
        a.dayNumber < b.dayNumber
    }
}

extension LogDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String { CalendarText.date(ofDay: Int32(clamping: dayNumber)) }
}

extension LogDate: Codable, CodingKeyRepresentable {
    /// As its text.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let date = LogDate(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no date")
        }
        self = date
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package var codingKey: any CodingKey { Key(stringValue: description) }

    package init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension LogDate {
    /// The date in a zone, by the system's clock.
    package static func today(in zone: ZoneRules) -> LogDate {
        let now = Int64(Date().timeIntervalSince1970)
        return LogDate(dayNumber: Int((now + zone.offset(at: now)).flooredQuotient(by: 86_400)))
    }
}
