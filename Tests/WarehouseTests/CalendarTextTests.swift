import Events
import Foundation
import Testing
import Warehouse

@Suite("Dates as texts")
struct CalendarTextTests {
    @Test("every day of eight centuries reads back, one after another")
    func roundTrip() {
        let days = Int32(-146_097)...146_097
        #expect(days.first { CalendarText.day(of: CalendarText.date(ofDay: $0)) != $0 } == nil)
    }

    @Test(
        "known days",
        arguments: [
            (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (20_776, "2026-11-19"),
            (2_932_896, "9999-12-31"), (-719_528, "0000-01-01"),
        ])
    func known(day: Int32, text: String) {
        #expect(CalendarText.date(ofDay: day) == text)
        #expect(CalendarText.day(of: text) == day)
    }

    @Test(
        "what is no day is none",
        arguments: ["2026-02-29", "2026-13-01", "2026-1-01", "2026-00-10", "2026-11-31", "20261119", "", "2026-11-19 "])
    func none(text: String) {
        #expect(CalendarText.day(of: text) == nil)
    }

    @Test("an instant is cut to the second, also before 1970")
    func instants() {
        #expect(CalendarText.dateTime(ofMilliseconds: 1_795_071_599_999) == "2026-11-19 06:59:59")
        #expect(CalendarText.dateTime(ofMilliseconds: -1) == "1969-12-31 23:59:59")
    }

    @Test(
        "the day cache agrees with the day clock",
        arguments: ["UTC", "Europe/Madrid", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns"])
    func dayCache(zone: String) throws {
        let zone = try #require(TimeZone(identifier: zone))
        var clock = DayClock(zone: zone)
        var cache = DayCache(zone: zone)
        var random = Seeded(5)
        var differing: [Int64] = []
        for _ in 0..<20_000 {
            let near = Int64.random(in: 1_700_000_000_000...1_800_000_000_000, using: &random)
            let far = Int64.random(in: -5_000_000_000_000...4_000_000_000_000, using: &random)
            differing += [near, far].filter { cache.day(of: $0) != clock.day(of: $0) }
        }
        #expect(differing.isEmpty)
    }
}
