/// A local time that comes once a year, as a zone's rule gives it: `M3.5.0` is the last Sunday in March at 02:00, `J60` 1
/// March in every year, `59/-1:30` the 60th day's beginning less an hour and a half.
struct YearlyTime {
    private enum Day {
        /// The week counts from 1, and 5 is the last; a weekday counts from 0, a Sunday.
        case weekday(month: Int, week: Int, weekday: Int)
        /// 1 to 365; 29 February is not counted.
        case julian(Int)
        /// 0 to 365; 29 February is counted.
        case dayOfYear(Int)
    }

    private let day: Day
    /// Seconds after 00:00, from -167 to 167 hours.
    private let time: Int32

    /// Reads one; nil if there is no valid one.
    init?(_ text: inout RuleText) {
        if text.skip("M") {
            guard let month = text.number(in: 1...12), text.skip("."), let week = text.number(in: 1...5),
                text.skip("."), let weekday = text.number(in: 0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if text.skip("J") {
            guard let number = text.number(in: 1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = text.number(in: 0...365) else { return nil }
            day = .dayOfYear(number)
        }
        if text.skip("/") {
            guard let time = text.offset() else { return nil }
            self.time = time
        } else {
            time = 2 * 3600
        }
    }

    /// The local time in a year, in seconds since 1970-01-01T00:00:00 on the clocks that are shown until then.
    func seconds(in year: Int) -> Int64 {
        Int64(dayNumber(in: year)) * 86_400 + Int64(time)
    }

    private func dayNumber(in year: Int) -> Int {
        // The first day of every year and month exists.
        func first(_ month: Int) -> Int { CivilCalendar.dayNumber(year: year, month: month, day: 1) ?? 0 }
        switch day {
        case .weekday(let month, let week, let weekday):
            let firstWeekday = CivilCalendar.weekday(ofDayNumber: first(month)) % 7
            var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= CivilCalendar.days(inMonth: month, of: year) { day -= 7 }
            return first(month) + day
        case .julian(let number):
            return first(1) + number - 1 + (number >= 60 && CivilCalendar.isLeap(year) ? 1 : 0)
        case .dayOfYear(let number):
            return first(1) + number
        }
    }
}
