import Foundation

/// A calendar date, which has no time zone: a log date, whose files are loaded together, or the day of an event.
///
/// It is public, and not `package`, so that the compiler inlines it into the loops over events of other modules.
public struct LogDate: Hashable, Comparable, BitwiseCopyable, Sendable {
    /// Days since 1970-01-01.
    @usableFromInline let number: Int32

    @inlinable @inline(__always)
    init(number: Int32) { self.number = number }

    /// The date of a number of days since 1970-01-01.
    package init(dayNumber: Int) {
        self.init(number: Int32(clamping: dayNumber))
    }

    /// Days since 1970-01-01.
    @inlinable public var dayNumber: Int { Int(number) }

    /// A date in the years 0001 to 9999. Returns nil for another year and for a date that does not exist.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year),
            let dayNumber = CivilCalendar.dayNumber(year: year, month: month, day: day)
        else { return nil }
        self.init(dayNumber: dayNumber)
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

    /// How many days it is later than the other; negative if it is earlier.
    @inlinable public func days(since other: LogDate) -> Int { dayNumber - other.dayNumber }

    /// Whether two dates are at most so many days apart. Log dates that are so within the window are within reach.
    @inlinable @inline(__always)
    public func isWithin(_ days: Int, of other: LogDate) -> Bool { abs(self.days(since: other)) <= days }

    @inlinable @inline(__always)
    public static func < (a: LogDate, b: LogDate) -> Bool { a.number < b.number }
}

extension LogDate {
    /// 1970-01-01
    @inlinable public static var epoch: LogDate { LogDate(number: 0) }

    /// The dates with a text of ten characters: 0000-01-01 to 9999-12-31.
    @inlinable public static var written: ClosedRange<LogDate> {
        LogDate(number: -719_528)...LogDate(number: 2_932_896)
    }

    /// The nearest date that has a text of ten characters.
    @inlinable @inline(__always)
    public var nearestWritten: LogDate { min(max(self, LogDate.written.lowerBound), LogDate.written.upperBound) }
}

extension LogDate: Codable, CodingKeyRepresentable {
    /// As its text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    public init(from decoder: any Decoder) throws {
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

    public var codingKey: any CodingKey { Key(stringValue: description) }

    public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}

extension LogDate {
    /// The date in a zone, by the system's clock.
    package static func today(in zone: ZoneRules) -> LogDate {
        let now = Int64(Date().timeIntervalSince1970)
        return LogDate(dayNumber: Int((now + zone.offset(at: now)).flooredQuotient(by: 86_400)))
    }
}
