import Calendar
import Events
import Support
import Testing

@testable import Partitions
@testable import Reports

/// Campaigns, of which it is known how many were sent, and other messages: no rate is one of both.
@Suite struct GroupTests {
    private let last = Scene.lastDate

    /// A campaign that is opened by 10 %, and triggered messages that are opened by 40 %.
    /// - Parameter haveSends: whether there are events that say that these were sent, and that ten failed.
    private func mixed(haveSends: Bool = false) -> Scene {
        var scene = Scene.usual(days: 28) { daysAgo in
            [
                .init(delivery: "w\(daysAgo)", messages: 900, impressed: 900, clicked: 300, opened: 100),
                .init(
                    platform: .ios, delivery: "cart", messages: 500, impressed: 400, clicked: 300, opened: 200,
                    isSent: haveSends, failed: haveSends ? 10 : 0),
            ]
        }
        for index in 0..<28 {
            scene.name(
                "w\(index)", "Wave \(index)", campaign: "Waves", day: last.adding(days: -index), sent: 1000)
        }
        scene.name("cart", "Cart")
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
            page.row("any time", of: "opens by the time since the message's first event, other messages")?[1]
                == "\(26 * 175)")
    }

    /// Where all are of one kind, nothing has to be told apart.
    @Test func oneGroupHasNoName() throws {
        var scene = mixed()
        scene.name("cart", "Cart", sent: 100_000)
        let page = try scene.page()
        #expect(page.row("opened", of: "the funnel of all platforms")?[2] == "21.4 %")
        #expect(page.element("headline")?.text.contains("campaigns") == false)
    }

    /// What a file says was sent is another number than what the events say.
    @Test func sentOfFilesAndOfEventsStandApart() throws {
        let page = try mixed(haveSends: true).page()
        #expect(page.row("opened", of: "the funnel of ios, campaigns of the events")?[2] == "40.0 %")
        #expect(page.row("opened", of: "the funnel of android, campaigns of the delivery files")?[2] == "11.1 %")
    }

    /// Deliveries of three kinds, of one campaign, of which each platform and day has the same rates: those of a file are opened by
    /// 10 % of messages and 8 % of sent, those of events by 40 % of impressed and 16 % of sent, others by 70 %.
    private func three(days: Int) -> Scene {
        let kinds = [("f", 400, 400, 40), ("e", 500, 200, 80), ("o", 100, 100, 70)]
        var scene = Scene.usual(days: days) { daysAgo in
            [Platform.android, .ios].flatMap { platform in
                kinds.map { kind, messages, impressed, opened in
                    .init(
                        platform: platform, delivery: "\(kind)-\(daysAgo)", messages: messages, impressed: impressed,
                        clicked: opened, opened: opened, isSent: kind == "e")
                }
            }
        }
        for daysAgo in 0..<days {
            for (kind, _, _, _) in kinds {
                scene.name(
                    "\(kind)-\(daysAgo)", kind, campaign: "All", variant: daysAgo % 2 == 0 ? "A" : "B",
                    day: last.adding(days: -daysAgo), sent: kind == "f" ? 1000 : nil)
            }
        }
        return scene
    }

    /// The rates that are those of one kind of delivery, whatever is added up in it.
    private static let ofOneKind: Set = ["10.0 %", "40.0 %", "70.0 %", "8.0 %", "16.0 %", "8.8 %", "35.0 %", "61.5 %"]

    /// The rates of opens on a page, each with its table.
    private func rates(of page: ParsedPage) -> [(place: String, rate: String)] {
        let captions = page.all("caption").map(\.text).filter {
            !["by the time", "without impression", "lateness", "rejected", "days since"].contains(where: $0.contains)
        }
        return captions.flatMap { caption in
            let table = page.table(caption)
            let isStages = ["stage", "figure"].contains(table[0][0])
            return table.dropFirst().flatMap { row -> [(String, String)] in
                guard !isStages || ["opened", "clicked", "Opened of"].contains(where: row[0].hasPrefix) else {
                    return []
                }
                return zip(table[0], row).compactMap { heading, cell in
                    guard !heading.contains("change"), !heading.contains("interval"), cell.contains(" %"),
                        !row[0].hasPrefix("opened within")
                    else { return nil }
                    return ("\(caption), \(row[0]), \(heading)", String(cell.prefix { $0 != "%" } + "%"))
                }
            }
        }
    }

    @Test(arguments: [ReportSubject?.none, .campaign("All"), .delivery("e-9")])
    func noRateIsOneOfDeliveriesOfTwoKinds(subject: ReportSubject?) throws {
        let scene = three(days: 56)
        let report = try scene.report(ReportRequest(of: subject))
        let rates = rates(of: try ParsedPage(report.html))
        #expect(rates.count > (subject?.isCampaign == false ? 2 : 100))
        for (place, rate) in rates { #expect(Self.ofOneKind.contains(rate), "\(place): \(rate)") }
        for line in report.text.split(separator: "\n") where line.lowercased().hasPrefix("opened of") {
            #expect(Self.ofOneKind.contains { line.contains("  \($0)") }, "\(line)")
        }
    }

    /// A page of a campaign of which not all is known in one way is about those that it can compare.
    @Test func aCampaignOfSeveralKindsHasATableOfEach() throws {
        let page = try three(days: 5).page(ReportRequest(of: .campaign("All")))
        #expect(page.row("sent", of: "what became of it")?[1] == "5000")
        let note = page.element("headline")?.text.replacing("\u{A0}", with: " ")
        #expect(note?.contains("These figures are of 5 of 15 deliveries. Of 10 it is not known") == true)
        for (caption, opened) in [("as the delivery files say", "8.0 %"), ("as the events say", "16.0 %")] {
            let table = page.table("deliveries, sent \(caption)")
            #expect(table.count == 6 && table.dropFirst().allSatisfy { $0[3] == opened })
        }
        #expect(page.table("deliveries, sent not known").dropFirst().allSatisfy { $0[3] == "70.0 %" })
        #expect(page.table("deliveries, sent not known")[0][3] == "opened of messages")
    }

    @Test func sendsAndFailuresAreStagesWhereAPlatformHasSome() throws {
        let page = try mixed(haveSends: true).page()
        #expect(page.row("sent", of: "the funnel of ios, campaigns of the events")?[2] == "100.0 %")
        #expect(page.row("failed", of: "the funnel of ios, campaigns of the events")?[1] == "280")
        #expect(page.row("sent", of: "the funnel of android, campaigns of the delivery files") == nil)
    }

    /// The delivery that failed would make A the worse variant.
    @Test func whatFailedHidesNoWinner() throws {
        var scene = mixed()
        let day = last.adding(days: -5)
        for (id, opened, messages) in [("a1", 150, 900), ("a2", 0, 9), ("b1", 90, 900), ("b2", 90, 900)] {
            scene.add(
                [.init(delivery: id, messages: messages, impressed: messages, clicked: opened, opened: opened)],
                on: day)
        }
        for id in ["a1", "a2", "b1", "b2"] {
            scene.name(id, id, campaign: "Test", variant: String(id.prefix(1)), day: day, sent: 1000)
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
        var scene = mixed()
        let day = last.adding(days: -5)
        scene.warn("missing_usual_files", of: day)
        let page = try scene.page()
        #expect(page.row("Wave 5 w5", of: "all deliveries, campaigns")?[1] == "–")
        #expect(page.row("Waves", of: "campaigns")?.prefix(3) == ["Waves", "27", "1"])
        #expect(page.element("trust")?.text.replacing("\u{A0}", with: " ").contains("14 Nov lacks files") == true)
        #expect(page.row("2026-11-14", of: "messages of each day, campaigns")?[3] == "partial")
    }

    @Test func theYearBeforeIsComparedAndMayBeMissing() throws {
        let scene = Scene.usual()
        let none = try scene.page(ReportRequest(comparison: .year)).element("headline")?.text
        #expect(none?.contains("There is nothing to compare with: no log date 52 weeks earlier is complete.") == true)
        var long = Scene.usual(days: 1)
        long.loads[last.adding(days: -364)] = .init()
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
        let scene = Scene.usual(days: 56) { day in
            [
                .init(impressed: 1000, clicked: 300, opened: 200),
                .init(
                    platform: .ios, clicked: day <= daysAgo ? 100 : 300, opened: 100,
                    openedWithoutClick: day <= daysAgo ? 70 : nil),
            ]
        }
        let found = try [7, 28, 56].map { days in
            let request = ReportRequest(first: last.adding(days: 1 - days), last: last, comparison: .none)
            return try scene.page(request).element("findings")?.all("li").map(\.text) ?? []
        }
        #expect(Set(found).count == 1 && found[0].count == 1)
        let day = DateText.short(last.adding(days: -daysAgo))
        #expect(found[0].first?.contains("Fewer messages of ios were clicked since \(day)") == true)
        #expect(found[0].first?.contains("; opens without a click 70.0\u{A0}% of") == true)
    }
}
