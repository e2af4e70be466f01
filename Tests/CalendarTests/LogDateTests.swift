import Calendar
import Testing

@Suite struct LogDateTests {
    @Test(
        arguments: [
            ("1970-01-01", 0, 1), ("1969-12-31", -1, 365), ("2000-02-29", 11_016, 60), ("2000-03-01", 11_017, 61),
            ("2026-11-19", 20_776, 323), ("2024-12-31", 20_088, 366), ("0001-01-01", -719_162, 1),
            ("9999-12-31", 2_932_896, 365), ("0000-01-01", -719_528, nil),
        ] as [(String, Int, Int?)])
    func aDateKnowsItsDayNumberAndDayOfYear(text: String, number: Int, dayOfYear: Int?) {
        #expect(LogDate(dayNumber: number).description == text)
        #expect(LogDate(ofDay: text) == LogDate(dayNumber: number))
        // A log date has no year 0.
        let date = LogDate(text)
        #expect(date?.dayNumber == (dayOfYear == nil ? nil : number))
        #expect(date?.dayOfYear == dayOfYear)
    }

    @Test func everyDayOfEightCenturiesFollowsTheOneBefore() throws {
        var date = try #require(LogDate(year: 1600, month: 1, day: 1))
        for year in 1600..<2400 {
            var dayOfYear = 0
            for month in 1...12 {
                for day in 1...CivilCalendar.days(inMonth: month, of: year) {
                    dayOfYear += 1
                    let same = (date.year, date.month, date.day, date.dayOfYear) == (year, month, day, dayOfYear)
                    guard same, LogDate(year: year, month: month, day: day) == date,
                        LogDate(date.description) == date
                    else {
                        Issue.record("\(year)-\(month)-\(day) reads \(date)")
                        return
                    }
                    date = date.adding(days: 1)
                }
            }
        }
    }

    @Test(arguments: [
        "", "2026-11-9", "2026-11-31", "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-10-00",
        "0000-01-01",
        "2026/11/19", " 2026-11-19", "2026-11-19 ", "+026-11-19", "2026-1१-19", "20261119", "26-11-2019",
    ])
    func whatIsNoStrictRealDateIsNone(text: String) {
        #expect(LogDate(text) == nil)
    }

    @Test func datesAreOrderedAndCountedInDays() throws {
        let a = try #require(LogDate("2026-10-31"))
        let b = try #require(LogDate("2026-11-01"))
        #expect(a < b)
        #expect(a.adding(days: 1) == b)
        #expect(b.adding(days: -31).description == "2026-10-01")
    }
}
