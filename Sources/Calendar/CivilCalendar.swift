/// The proleptic Gregorian calendar. A day number counts days since 1970-01-01.
///
/// Internally a year begins in March, so that the leap day is its last day. An era is 400 years, which is 146,097 days
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
package enum CivilCalendar {
    /// The days from 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468
    private static let daysInEra = 146_097

    /// Days since 1970-01-01, or nil if the date does not exist.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year) else { return nil }
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

    /// The date of a day number; the month and the day count from 1.
    package static func date(ofDayNumber dayNumber: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + epoch
        let era = (shifted >= 0 ? shifted : shifted - daysInEra + 1) / daysInEra
        let dayOfEra = shifted - era * daysInEra
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The number of days in a month, which counts from 1.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the year has a 29 February.
    package static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}

extension CivilCalendar {
    /// 1 for a Monday to 7 for a Sunday. 1970-01-01 was a Thursday.
    package static func weekday(ofDayNumber dayNumber: Int) -> Int {
        Int(Int64(dayNumber + 3) - Int64(dayNumber + 3).flooredQuotient(by: 7) * 7) + 1
    }

    /// The week of ISO 8601. It belongs to the year that its Thursday is in; weeks count from 1.
    package static func isoWeek(ofDayNumber dayNumber: Int) -> (year: Int, week: Int) {
        let thursday = dayNumber - weekday(ofDayNumber: dayNumber) + 4
        let year = date(ofDayNumber: thursday).year
        var first = thursday
        while date(ofDayNumber: first - 7).year == year { first -= 7 }
        return (year, (thursday - first) / 7 + 1)
    }
}

extension Int64 {
    /// The quotient rounded down, where `/` rounds towards zero. The divisor must be positive.
    @inline(__always)
    package func flooredQuotient(by divisor: Int64) -> Int64 {
        assert(divisor > 0)
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
