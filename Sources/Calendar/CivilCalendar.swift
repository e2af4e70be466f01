/// The proleptic Gregorian calendar. A date is counted in days since 1970-01-01.
///
/// Years are counted from March here, so that the leap day is the last day of a year; 400 years have 146,097 days
/// (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms").
package enum CivilCalendar {
    /// The days from 0000-03-01 to 1970-01-01.
    private static let epoch = 719_468
    private static let daysInEra = 146_097

    /// Days since 1970-01-01; nil if the calendar has no such date.
    package static func dayNumber(year: Int, month: Int, day: Int) -> Int? {
        guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year) else { return nil }
        let marchYear = month > 2 ? year : year - 1
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * daysInEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

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
}
