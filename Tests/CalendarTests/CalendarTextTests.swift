import Calendar
import Foundation
import Reference
import Testing

@Suite struct CalendarTextTests {
    @Test func anInstantIsCutToTheSecondAlsoBefore1970() {
        #expect(CalendarText.dateTime(ofMilliseconds: 1_795_071_599_999) == "2026-11-19 06:59:59")
        #expect(CalendarText.dateTime(ofMilliseconds: -1) == "1969-12-31 23:59:59")
    }

    @Test(
        arguments: [
            "UTC", "Europe/Madrid", "Asia/Kolkata", "Australia/Lord_Howe", "America/St_Johns", "America/Sao_Paulo",
        ])
    func theDayClockAgreesWithTheCalendar(zone: String) throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: zone))
        var clock = DayClock(zone: try ZoneDatabase.zone(zone))
        let reference = Reference.Zone(zone)
        var random = SplitMix64(seed: 5)
        var differing: [Int64] = []
        // Before zones had offsets in whole quarters, an hour could begin within one: in St. John's until 1935.
        // On 4 November 2018 there was no midnight in Brazil, and on 25 October 2026 an hour comes twice in Spain.
        let change = ([1_541_200_000_000, 1_792_850_000_000] as [Int64]).flatMap { first in
            (0..<400).map { first + $0 * 500_000 }
        }
        for index in 0..<4000 {
            let near = Int64.random(in: 1_700_000_000_000...1_800_000_000_000, using: &random)
            let far = Int64.random(in: -4_000_000_000...4_000_000_000_000, using: &random)
            differing += [near, far, change[index % change.count]].filter { time in
                let date = Date(timeIntervalSince1970: Double(time) / 1000)
                let parts = calendar.dateComponents([.year, .month, .day], from: date)
                let text = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
                let (hour, local) = (clock.hour(of: time), reference.local(of: Int(time)))
                return clock.day(of: time).description != text || "\(local.day)" != text
                    || hour.ofDay != local.hour || hour.epoch != Int64(local.hourEpoch)
            }
        }
        #expect(differing.isEmpty)
    }

    @Test func weeksAreThoseOfISO8601() {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        for day in 10_000...21_000 {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400)
            let parts = calendar.dateComponents([.yearForWeekOfYear, .weekOfYear, .weekday], from: date)
            let text = String(format: "%04d-W%02d", parts.yearForWeekOfYear ?? 0, parts.weekOfYear ?? 0)
            #expect(LogDate(dayNumber: day).isoWeek == text)
            let weekday = CivilCalendar.weekday(ofDayNumber: day)
            #expect(weekday % 7 + 1 == parts.weekday)
        }
    }
}
