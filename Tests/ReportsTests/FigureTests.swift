import Calendar
import Reports
import Support
import Testing

@testable import Partitions

/// The figures of the page against SQL over the same push.db.
@Suite struct FigureTests {
    private let last = Scene.lastDate

    /// Two platforms and several deliveries, of other sizes every day.
    private func mixed(_ deliveries: [Int] = [0, 1, 2]) -> Scene {
        Scene.usual(days: 60) { daysAgo in
            deliveries.flatMap { delivery -> [Scene.Messages] in
                let size = 200 + daysAgo * 37 % 100 + delivery * 41
                return [
                    .init(
                        delivery: "d\(delivery)", messages: size, impressed: size - 10, clicked: 100,
                        opened: 40 + daysAgo, openedNextDay: 4, late: size / 10),
                    .init(
                        platform: .ios, delivery: "d\(delivery)", messages: size * 2, impressed: size, clicked: 30,
                        opened: 20 + delivery, openedNextDay: 2, late: size / 5),
                ]
            }
        }
    }

    private let period = "day BETWEEN '2026-10-23' AND '2026-11-19'"
    private let before = "day BETWEEN '2026-09-25' AND '2026-10-22'"

    @Test(arguments: [
        ("Messages", "messages"), ("Opened", "opened"),
    ])
    func headlinesAreSumsOfDailyTotals(name: String, column: String) throws {
        let scene = mixed()
        let row = try #require(try scene.page().row(name, of: "headline figures, exact"))
        #expect(row[1] == "28")
        #expect(Int(row[2]) == (try scene.integer("SELECT sum(\(column)) FROM daily_totals WHERE \(period)")))
        #expect(Int(row[3]) == (try scene.integer("SELECT sum(\(column)) FROM daily_totals WHERE \(before)")))
    }

    @Test func opensWithin24HoursLeaveOutYoungDaysAndTheirCounterparts() throws {
        let scene = mixed()
        let opens = "opens by the time since the message's first event"
        let row = try #require(try scene.page().row("24 h", of: opens))
        let sum = "SELECT sum(opened_24h) FROM daily_totals WHERE "
        #expect(Int(row[1]) == (try scene.integer(sum + "day BETWEEN '2026-10-23' AND '2026-11-17'")))
        #expect(Int(row[3]) == (try scene.integer(sum + "day BETWEEN '2026-09-25' AND '2026-10-20'")))
    }

    @Test func aYoungCounterpartLeavesOutADayToo() throws {
        var scene = Scene.usual { _ in [.init(openedNextDay: 20)] }
        // One log date is missing, so within the window of two days those of the two days before it are followed by one.
        scene.windowDays = 2
        scene.loads[last.adding(days: -48)] = nil
        let row = try #require(
            try scene.page().row("24 h", of: "opens by the time since the message's first event"))
        // Of 200 opens 25 have no impression.
        #expect(row[1] == "\(24 * 155)" && row[3] == "\(23 * 155)")
    }

    @Test func ratesAreDividedSumsAndNotMeans() throws {
        // 10 % of 100, and 50 % of 900: 46 % of all, where the mean would be 30 %.
        let scene = Scene.usual(days: 2) { daysAgo in
            let size = daysAgo == 0 ? 100 : 900
            return [.init(messages: size, impressed: size * 8 / 10, clicked: size, opened: daysAgo == 0 ? 10 : 450)]
        }
        let page = try scene.page(ReportRequest(first: last.adding(days: -1), last: last, comparison: .none))
        #expect(page.row("opened", of: "the funnel of android")?[2] == "46.0 %")
        #expect(page.row("Opened of messages", of: "headline figures, exact")?[2] == "46.0 %")
        // Opened and impressed: 9 of 80 and 394 of 720.
        #expect(page.row("android", of: "platforms")?[1] == "50.4 %")
        #expect(page.table("all deliveries").dropFirst().first?[1] == "46.0 %")
    }

    @Test func platformsAreComparedByImpressedMessages() throws {
        let scene = mixed()
        let row = try #require(try scene.page().row("ios", of: "platforms"))
        let opened = try scene.integer(
            "SELECT sum(opened_impressed) FROM daily_totals WHERE platform = 'ios' AND \(period)")
        let impressed = try scene.integer(
            "SELECT sum(impressed) FROM daily_totals WHERE platform = 'ios' AND \(period)")
        #expect(Int(row[5]) == opened && Int(row[4]) == impressed)
        let rate = (1000 * Double(opened) / Double(impressed)).rounded() / 10
        #expect(row[1] == "\(rate) %")
    }

    @Test func messagesADayAreThoseOfDays() throws {
        let scene = mixed()
        let table = try scene.page().table("messages of each day")
        let expected = try scene.rows("SELECT day, messages FROM days WHERE \(period) ORDER BY day")
            .map { "\($0[0]) \($0[1])" }
        #expect(table.dropFirst().map { "\($0[0]) \($0[2])" } == expected)
        #expect(table[1][4] == "2026-09-25")
        #expect(table.last?[3] == "provisional")
    }

    @Test func hoursAreSumsOfOpensByWeekday() throws {
        let scene = mixed()
        let row = try #require(try scene.page().row("19", of: "opens by hour and weekday, sums over the loaded days"))
        for weekday in 1...7 {
            let sum = try scene.integer(
                """
                SELECT sum(events) FROM hourly_actions WHERE action = 'open' AND hour = 19 AND \(period)
                AND (strftime('%w', day) + 6) % 7 + 1 = \(weekday)
                AND day IN (SELECT log_date FROM partitions)
                """)
            #expect(Int(row[weekday]) == sum)
        }
    }

    @Test func latenessDuplicatesAndRejectsAreSums() throws {
        let scene = mixed()
        let page = try scene.page()
        let all = Double(try scene.integer("SELECT sum(events) FROM hourly_actions WHERE \(period)"))
        for (name, days) in [("on the day", 0), ("1 day later", 1)] {
            let late = "FROM hourly_actions WHERE julianday(log_date) - julianday(day) = \(days) AND \(period)"
            let row = page.row(name, of: "events by lateness")
            #expect(row.flatMap { Int($0[1]) } == (try scene.integer("SELECT sum(events) \(late)")))
            let share = try 100 * Double(scene.integer("SELECT sum(events) \(late)")) / all
            #expect(row.flatMap { Double($0[2].dropLast(2)) }.map { abs($0 - share) < 0.05 } == true)
            #expect(row.flatMap { Int($0[3]) } == (try scene.integer("SELECT sum(duplicates) \(late)")))
        }
        let records = try scene.integer(
            "SELECT sum(records) FROM partitions WHERE log_date BETWEEN '2026-10-23' AND '2026-11-19'")
        let share = (100_000 * 56 / Double(records)).rounded() / 1000
        #expect(page.row("bad_time", of: "rejected records")?[1...2] == ["56", "\(share) %"])
        let duplicates = try #require(
            page.table("opens without impression or click, and duplicates").first { $0[0] == "duplicates" })
        #expect(Int(duplicates[2]) == (try scene.integer("SELECT sum(duplicates) FROM daily_totals WHERE \(period)")))
        #expect(
            Int(duplicates[4])
                == (try scene.integer("SELECT sum(events + duplicates) FROM daily_totals WHERE \(period)")))
    }

    /// A Sunday is not compared with a Saturday, nor a month with days of its own.
    @Test(arguments: [(1, 1), (3, 1), (7, 1), (8, 2), (28, 4), (30, 5), (31, 5)])
    func previousIsMovedBackByTheFewestWholeWeeks(days: Int, weeks: Int) throws {
        let scene = Scene.usual(days: 70)
        let first = last.adding(days: 1 - days)
        for (comparison, weeks) in [(ReportComparison.previous, weeks), (.week, 1)] {
            let report = try scene.report(ReportRequest(first: first, comparison: comparison))
            #expect(report.comparedPeriod?.first == first.adding(days: -7 * weeks))
            #expect(report.comparedPeriod?.last == last.adding(days: -7 * weeks))
            #expect(report.html.contains("compared with \(weeks == 1 ? "a week" : "\(weeks) weeks") earlier: "))
        }
        let none = try scene.report(ReportRequest(first: first, comparison: .none))
        #expect(none.comparedPeriod == nil)
        #expect(!none.html.contains("earlier: ") && !none.html.contains("not comparable"))
    }

    @Test func changesCompareOnlyDaysThatAreLoadedInBothPeriods() throws {
        var scene = Scene.usual()
        scene.loads[last.adding(days: -49)] = nil
        scene.add([.init(messages: 3, late: 3)], on: last.adding(days: -49))
        let page = try scene.page()
        let name = "Messages"
        let row = try #require(page.row(name, of: "headline figures, exact"))
        #expect(row == [name, "28", "28000", "27", "27000", "27000", "±0.0 %"])
        // The former 27,000 would stand below 28.0 k.
        #expect(page.element("headline")?.text.contains("±0.0\u{A0}% on 27 of 28 days") == true)
        #expect(page.element("headline")?.text.contains("Changes compare 27 of 28 days") == true)
    }

    /// A partial day would pull a change down, as a missing one would.
    @Test func partialDaysAreLeftOutOfEveryChangeWithTheirCounterparts() throws {
        var scene = Scene.usual { daysAgo in daysAgo == 9 ? [.init(messages: 30, opened: 0)] : [.init()] }
        scene.loads[last.adding(days: -9)]?.status = .partial
        let page = try scene.page()
        #expect(
            page.row("Messages", of: "headline figures, exact")?.suffix(4) == [
                "27", "27000", "27000", "±0.0 %",
            ])
        #expect(page.row("opened", of: "the funnel of android")?.last == "±0.0 pt")
        #expect(page.row("android", of: "platforms")?[3] == "±0.0 pt")
        #expect(page.row("2026-11-10", of: "messages of each day")?.last == "–")
        #expect(page.row("2026-11-10", of: "messages of each day")?[3] == "partial")
        #expect(page.element("findings")?.text.contains("Nothing stands out") == true)
    }

    @Test func sentAndDeliveredAreThoseOfDeliveriesThatBeganInThePeriod() throws {
        var scene = mixed()
        scene.add([.init(delivery: "new", messages: 900, opened: 90)], on: last.adding(days: -3))
        scene.name("new", "New", sent: 1000)
        // It has messages before the period.
        scene.name("d1", "Old", sent: 1_000_000)
        let page = try scene.page()
        #expect(page.row("Sent", of: "headline figures, exact") == ["Sent", "campaigns", "28", "1000", "–", "–"])
        #expect(page.row("Opened of sent", of: "headline figures, exact")?[3] == "9.0 %")
        #expect(page.row("Delivered", of: "headline figures, exact") == nil)
    }

    @Test func aSingleDayShowsItsHours() throws {
        let page = try Scene.usual(days: 1).page(ReportRequest(first: last))
        #expect(page.element("trend") == nil)
        // Of 200 opens, every fourth comes after two hours. Twenty of them have no click, and 120 clicks have no open.
        #expect(page.row("19", of: "events by hour and action") == ["19", "900", "255", "150"])
        #expect(page.row("21", of: "events by hour and action") == ["21", "0", "45", "50"])
    }

    @Test func daysOutsideAreCountedInOneLine() throws {
        let page = try mixed().page()
        let rows = try mixed().rows("SELECT sum(messages) FROM days WHERE day < '2026-09-25'")
        let messages = rows[0][0]
        let line = page.all("footer").first?.text.replacing("\u{A0}", with: " ").replacing(",", with: "")
        #expect(
            line
                == "Not on this page: 4 days of push.db outside of these periods with \(messages) messages (21 Sep – 24 Sep 2026)."
        )
    }

    @Test func theSameFiguresGiveTheSameBytesWhateverTheOrderOfTheirRows() throws {
        #expect(try mixed().report().html == mixed([2, 0, 1]).report().html)
    }
}
