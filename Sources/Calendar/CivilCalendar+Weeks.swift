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
