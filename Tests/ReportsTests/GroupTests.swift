import Calendar
import Support
import Testing

@testable import Partitions
@testable import Reports

/// Campaigns, of which it is known how many were sent, and other messages: no rate is one of both.
@Suite struct GroupTests {
    private let last = Scene.lastDate

    /// A campaign that is opened by 10 %, and triggered messages that are opened by 40 %.
    private func mixed() throws -> Scene {
        let scene = try Scene()
        for index in 0..<56 {
            let date = last.adding(days: -index)
            try scene.load(date)
            try scene.add(
                date,
                [
                    .init(delivery: "w\(index)", messages: 900, impressed: 900, clicked: 300, opened: 100),
                    .init(platform: "ios", delivery: "cart", messages: 500, impressed: 400, clicked: 300, opened: 200),
                ])
        }
        try scene.addUp()
        for index in 0..<56 {
            try scene.name(
                "w\(index)", "Wave \(index)", campaign: "Waves", day: last.adding(days: -index), sent: 1000)
        }
        try scene.name("cart", "Cart")
        return scene
    }

    @Test func ratesOfCampaignsAndOfOtherMessagesStandApart() throws {
        let page = try mixed().page()
        let cards = page.element("headline")?.all("dt").map(\.text)
        #expect(cards == ["Sent", "Messages", "Opened", "Opened of sent", "Opened of messages"])
        let table = page.table("headline figures, exact").map { $0.prefix(4) }
        #expect(
            table.dropFirst() == [
                ["Sent", "campaigns", "28", "28000"], ["Messages", "all", "28", "39200"],
                ["Opened", "all", "28", "8400"],
                ["Opened of sent", "campaigns", "28", "10.0 %"],
                ["Opened of messages", "other messages", "28", "40.0 %"],
            ])
        #expect(page.row("opened", of: "the funnel of android, campaigns")?[2] == "11.1 %")
        #expect(page.row("opened", of: "the funnel of ios, other messages")?[2] == "40.0 %")
        #expect(page.row("2026-11-19", of: "messages of each day, campaigns")?[2] == "900")
        #expect(page.row("2026-11-19", of: "messages of each day, other messages")?[2] == "500")
        #expect(page.row("android", of: "platforms, campaigns") != nil)
        #expect(page.row("ios", of: "platforms, campaigns") == nil)
        #expect(page.row("Cart cart", of: "all deliveries, other messages")?[1] == "40.0 %")
        #expect(page.table("all deliveries, campaigns").count == 29)
        #expect(
            page.row("any time", of: "opens by the time since the message's first event, other messages")?[1] == "5200")
    }

    /// Where all are of one kind, nothing has to be told apart.
    @Test func oneGroupHasNoName() throws {
        let scene = try mixed()
        try scene.name("cart", "Cart", sent: 100_000)
        let page = try scene.page()
        #expect(page.row("opened", of: "the funnel of all platforms")?[2] == "21.4 %")
        #expect(page.element("headline")?.text.contains("campaigns") == false)
    }

    /// What a file says was sent is another number than what the events say.
    @Test func sentOfFilesAndOfEventsStandApart() throws {
        let scene = try mixed()
        try scene.execute("UPDATE delivery_results SET sent = 50000, sent_from = 'events' WHERE delivery_id = 'cart'")
        let page = try scene.page()
        #expect(page.row("opened", of: "the funnel of ios, campaigns of the events")?[2] == "40.0 %")
        #expect(page.row("opened", of: "the funnel of android, campaigns of the delivery files")?[2] == "11.1 %")
    }

    @Test func sendsAndFailuresAreStagesWhereAPlatformHasSome() throws {
        let scene = try mixed()
        for table in ["daily_funnel", "daily_totals"] {
            try scene.execute("UPDATE \(table) SET sent = messages, failed = 10 WHERE platform = 'ios'")
        }
        let page = try scene.page()
        #expect(page.row("sent", of: "the funnel of ios, other messages")?[2] == "100.0 %")
        #expect(page.row("failed", of: "the funnel of ios, other messages")?[1] == "560")
        #expect(page.row("sent", of: "the funnel of android, campaigns") == nil)
    }

    /// The delivery that failed would make A the worse variant.
    @Test func whatFailedHidesNoWinner() throws {
        let scene = try mixed()
        let day = last.adding(days: -5)
        for (id, opened, messages) in [("a1", 150, 900), ("a2", 0, 9), ("b1", 90, 900), ("b2", 90, 900)] {
            try scene.add(
                day, [.init(delivery: id, messages: messages, impressed: messages, clicked: opened, opened: opened)])
        }
        try scene.addUp()
        for index in 0..<56 {
            try scene.name(
                "w\(index)", "Wave \(index)", campaign: "Waves", day: last.adding(days: -index), sent: 1000)
        }
        for id in ["a1", "a2", "b1", "b2"] {
            try scene.name(id, id, campaign: "Test", variant: String(id.prefix(1)), day: day, sent: 1000)
        }
        let page = try scene.page()
        #expect(
            page.table("variants").map { $0.prefix(4) }.dropFirst() == [
                ["Test", "a", "1", "1000"], ["Test", "b", "2", "2000"],
            ])
        let found = page.element("findings")?.text.replacing("\u{A0}", with: " ") ?? ""
        #expect(found.contains("A delivery failed: a2 with 9 messages of 1,000 sent (0.9 %) arrived or were seen."))
        #expect(found.contains("Variants of Test differ: a was opened by 15.0 % of 1,000 sent"))
        #expect(found.contains("of 4 deliveries of the campaign, 3 can be compared."))
        #expect(page.row("a2 a2", of: "all deliveries, campaigns")?[1] == "–")
        #expect(page.row("Test", of: "campaigns")?.prefix(3) == ["Test", "3", "1"])
    }

    /// An archived page says where its campaigns have pages.
    @Test func daysThatLackFilesAreLeftOutAndNamed() throws {
        let scene = try mixed()
        let day = last.adding(days: -5)
        try scene.warn("missing_usual_files", of: day)
        let page = try scene.page()
        #expect(page.row("Wave 5 w5", of: "all deliveries, campaigns")?[1] == "–")
        #expect(page.row("Waves", of: "campaigns")?.prefix(3) == ["Waves", "27", "1"])
        #expect(page.element("trust")?.text.replacing("\u{A0}", with: " ").contains("14 Nov lacks files") == true)
        #expect(page.row("2026-11-14", of: "messages of each day, campaigns")?[3] == "partial")
    }

    @Test func theYearBeforeIsComparedAndMayBeMissing() throws {
        let scene = try Scene.usual()
        let none = try scene.page(ReportRequest(comparison: .year)).element("headline")?.text
        #expect(none?.contains("There is nothing to compare with: no log date 52 weeks earlier is complete.") == true)
        let long = try Scene.usual(days: 400)
        #expect(try long.report(ReportRequest(comparison: .year)).comparedPeriod?.last == last.adding(days: -364))
    }

    @Test func aPageIsKnownByItsGeneratorAndNotByItsTitle() throws {
        let html = try Scene.usual(days: 1).report(ReportRequest(title: "<b>Shop</b>")).html
        #expect(html.contains("<title>&lt;b&gt;Shop&lt;/b&gt;, 23"))
        #expect(ReportPage.isPage(Array(html.utf8.prefix(4096))))
        let other = html.replacing(#"<meta name="generator" content="pushetl" />"#, with: "")
        #expect(!ReportPage.isPage(Array(other.utf8)))
        #expect(!ReportPage.isPage(Array("<!DOCTYPE html>\n<title>Push messages</title>".utf8)))
    }

    /// A release of which every page that ends on a day says the same, whatever its first day.
    @Test(arguments: [3, 8, 20, 27])
    func theDayOfAChangeDependsOnTheLastDayOfThePageAlone(daysAgo: Int) throws {
        let scene = try Scene()
        for index in 0..<91 {
            try scene.load(last.adding(days: -index))
            let clicked = index <= daysAgo ? 100 : 300
            try scene.add(
                last.adding(days: -index),
                [
                    .init(impressed: 1000, clicked: 300, opened: 200),
                    .init(platform: "ios", clicked: clicked, opened: 100),
                ])
        }
        try scene.addUp()
        try scene.execute(
            "UPDATE daily_totals SET opened_without_click = 70 WHERE platform = 'ios' AND day >= '\(last.adding(days: -daysAgo))'"
        )
        let found = try [7, 28, 91].map { days in
            let request = ReportRequest(first: last.adding(days: 1 - days), last: last, comparison: .none)
            return try scene.page(request).element("findings")?.all("li").map(\.text) ?? []
        }
        #expect(Set(found).count == 1 && found[0].count == 1)
        let day = DateText.short(last.adding(days: -daysAgo))
        #expect(found[0].first?.contains("Fewer messages of ios were clicked since \(day)") == true)
        #expect(found[0].first?.contains("; opens without a click 70.0\u{A0}% of") == true)
    }
}
