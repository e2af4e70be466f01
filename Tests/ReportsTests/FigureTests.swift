import Calendar
import Reports
import Support
import Testing

@testable import Partitions

/// The figures of the page against SQL over the same push.db.
@Suite struct FigureTests {
    private let last = Scene.lastDate

    /// Two platforms and several deliveries, of other sizes every day.
    private func mixed() throws -> Scene {
        let scene = try Scene()
        for index in 0..<60 {
            let date = last.adding(days: -index)
            try scene.load(date)
            for delivery in 0..<3 {
                let size = 1000 + index * 37 % 500 + delivery * 211
                try scene.add(
                    date,
                    [
                        .init(
                            delivery: "d\(delivery)", messages: size, impressed: size - 50, clicked: 310,
                            opened: 200 + index),
                        .init(
                            platform: "ios", delivery: "d\(delivery)", messages: size * 2, impressed: size,
                            clicked: 150, opened: 100 + delivery),
                    ])
            }
        }
        try scene.addUp()
        return scene
    }

    private let period = "day BETWEEN '2026-10-23' AND '2026-11-19'"
    private let before = "day BETWEEN '2026-09-25' AND '2026-10-22'"

    @Test(arguments: [
        ("Messages", "messages"), ("Opened", "opened"),
    ])
    func headlinesAreSumsOfDailyTotals(name: String, column: String) throws {
        let scene = try mixed()
        let row = try #require(try scene.page().row(name, of: "headline figures, exact"))
        #expect(row[1] == "28")
        #expect(Int(row[2]) == (try scene.integer("SELECT sum(\(column)) FROM daily_totals WHERE \(period)")))
        #expect(Int(row[3]) == (try scene.integer("SELECT sum(\(column)) FROM daily_totals WHERE \(before)")))
    }

    @Test func opensWithin24HoursLeaveOutYoungDaysAndTheirCounterparts() throws {
        let scene = try mixed()
        let opens = "opens by the time since the message's first event"
        let row = try #require(try scene.page().row("24 h", of: opens))
        let sum = "SELECT sum(opened_24h) FROM daily_totals WHERE "
        #expect(Int(row[1]) == (try scene.integer(sum + "day BETWEEN '2026-10-23' AND '2026-11-17'")))
        #expect(Int(row[3]) == (try scene.integer(sum + "day BETWEEN '2026-09-25' AND '2026-10-20'")))
    }

    @Test func aYoungCounterpartLeavesOutADayToo() throws {
        let scene = try Scene.usual()
        // The compared days end with log dates that are followed by none within the window.
        try scene.execute("UPDATE days SET later_log_dates = 1 WHERE day = '2026-10-01'")
        let row = try #require(
            try scene.page().row("24 h", of: "opens by the time since the message's first event"))
        #expect(row[1] == "\(25 * 180)" && row[3] == "\(25 * 180)")
    }

    @Test func ratesAreDividedSumsAndNotMeans() throws {
        let scene = try Scene()
        for (index, date) in [last, last.adding(days: -1)].enumerated() {
            try scene.load(date)
            // 10 % of 100, and 50 % of 900: 46 % of all, where the mean would be 30 %.
            let size = index == 0 ? 100 : 900
            try scene.add(
                date,
                [.init(messages: size, impressed: size, clicked: size, opened: index == 0 ? 10 : 450)])
        }
        try scene.addUp()
        let page = try scene.page(ReportRequest(first: last.adding(days: -1), last: last, comparison: .none))
        #expect(page.row("opened", of: "the funnel of android")?[2] == "46.0 %")
        #expect(page.row("Opened of messages", of: "headline figures, exact")?[2] == "46.0 %")
        // Opened and impressed: 9 of 100 and 394 of 900.
        #expect(page.row("android", of: "platforms")?[1] == "40.3 %")
        #expect(page.table("all deliveries").dropFirst().first?[1] == "46.0 %")
    }

    @Test func platformsAreComparedByImpressedMessages() throws {
        let scene = try mixed()
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
        let scene = try mixed()
        let table = try scene.page().table("messages of each day")
        let expected = try scene.rows("SELECT day, messages FROM days WHERE \(period) ORDER BY day")
            .map { "\($0[0]) \($0[1])" }
        #expect(table.dropFirst().map { "\($0[0]) \($0[2])" } == expected)
        #expect(table[1][4] == "2026-09-25")
        #expect(table.last?[3] == "provisional")
    }

    @Test func hoursAreSumsOfOpensByWeekday() throws {
        let scene = try mixed()
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
        let scene = try mixed()
        let page = try scene.page()
        for (name, days) in [("on the day", 0), ("1 day later", 1)] {
            let late = "FROM hourly_actions WHERE julianday(log_date) - julianday(day) = \(days) AND \(period)"
            let row = page.row(name, of: "events by lateness")
            #expect(row.flatMap { Int($0[1]) } == (try scene.integer("SELECT sum(events) \(late)")))
            #expect(row.flatMap { Int($0[3]) } == (try scene.integer("SELECT sum(duplicates) \(late)")))
        }
        #expect(page.row("1 day later", of: "events by lateness")?[2] == "9.96 %")
        #expect(page.row("bad_time", of: "rejected records")?[1...2] == ["56", "2.000 %"])
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
        let scene = try Scene.usual(days: 70)
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
        let scene = try Scene.usual()
        try scene.execute("DELETE FROM partitions WHERE log_date = '2026-10-01'")
        try scene.execute("UPDATE daily_totals SET messages = 3 WHERE day = '2026-10-01'")
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
        let scene = try Scene.usual()
        try scene.execute("UPDATE partitions SET status = 'partial' WHERE log_date = '2026-11-10'")
        for table in ["daily_totals", "daily_funnel"] {
            try scene.execute(
                "UPDATE \(table) SET messages = 30, opened = 0, opened_impressed = 0 WHERE day = '2026-11-10'")
        }
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
        let scene = try mixed()
        try scene.add(last.adding(days: -3), [.init(delivery: "new", messages: 900, opened: 90)])
        try scene.addUp()
        try scene.name("new", "New", sent: 1000)
        // It has messages before the period.
        try scene.name("d1", "Old", sent: 1_000_000)
        let page = try scene.page()
        #expect(page.row("Sent", of: "headline figures, exact") == ["Sent", "campaigns", "28", "1000", "–", "–"])
        #expect(page.row("Opened of sent", of: "headline figures, exact")?[3] == "9.0 %")
        #expect(page.row("Delivered", of: "headline figures, exact") == nil)
    }

    @Test func aSingleDayShowsItsHours() throws {
        let page = try mixed().page(ReportRequest(first: last))
        #expect(page.element("trend") == nil)
        let row = try #require(page.row("19", of: "events by hour and action"))
        #expect(row == ["19", "7116", "1380", "903"])
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
        let scene = try mixed()
        let first = try scene.report().html
        #expect(try scene.report().html == first)
        #expect(try mixed().report().html == first)
    }
}
