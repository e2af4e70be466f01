import Calendar

extension LogDate {
    /// 1 for a Monday to 7 for a Sunday.
    var weekday: Int { CivilCalendar.weekday(ofDayNumber: dayNumber) }
}
