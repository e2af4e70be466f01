/// A calendar date that has no time zone: the day whose files are loaded together. Proleptic Gregorian.
package struct LogDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01.
    package let dayNumber: Int

    package init(dayNumber: Int) {
        self.dayNumber = dayNumber
    }

    /// A date that the calendar has, of the years 0001 to 9999; nil for any other.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(inMonth: month, of: year)
        else { return nil }
        // Years are counted from March, so that the leap day comes last (Hinnant's days_from_civil).
        let marchYear = month > 2 ? year : year - 1
        let era = marchYear / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        self.dayNumber = era * 146_097 + dayOfEra - 719_468
    }

    /// Exactly `YYYY-MM-DD`, a date that the calendar has.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    package var year: Int { civil.year }
    package var month: Int { civil.month }
    package var day: Int { civil.day }

    /// 1 for the first of January.
    package var dayOfYear: Int {
        let civil = civil
        let before = (1..<civil.month).reduce(0) { $0 + Self.days(inMonth: $1, of: civil.year) }
        return before + civil.day
    }

    package func adding(days: Int) -> LogDate {
        LogDate(dayNumber: dayNumber + days)
    }

    package static func < (a: LogDate, b: LogDate) -> Bool {
        a.dayNumber < b.dayNumber
    }

    /// Days of a month from 1 to 12.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private var civil: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return value
    }
}

extension LogDate: CustomStringConvertible {
    /// `YYYY-MM-DD`.
    package var description: String {
        let civil = civil
        return "\(civil.year.padded(to: 4))-\(civil.month.padded(to: 2))-\(civil.day.padded(to: 2))"
    }
}

extension Int {
    /// The decimal text of a number that is not negative, with leading zeros up to `width` digits.
    func padded(to width: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, width - text.utf8.count)) + text
    }
}
