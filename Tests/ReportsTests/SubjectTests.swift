import Calendar
import Events
import Foundation
import Messages
import Output
import Support
import Testing

@testable import Partitions
@testable import Reports

/// The page of a campaign or a delivery.
@Suite struct SubjectTests {
    private let last = Scene.lastDate

    /// Campaigns of two deliveries each: (name, days ago, opened of each).
    private func scene(_ campaigns: [(name: String, daysAgo: Int, opened: Int)]) -> Scene {
        var scene = Scene.usual(days: 11) { _ in [] }
        for (index, it) in campaigns.enumerated() {
            let day = last.adding(days: -it.daysAgo)
            for date in [day, day.adding(days: 1)] { scene.loads[date] = .init() }
            for (number, platform) in [Platform.android, .ios].enumerated() {
                let id = "c\(index)v\(number)"
                scene.add(
                    [
                        .init(
                            platform: platform, delivery: id, messages: 900, opened: it.opened,
                            openedNextDay: it.opened / 10)
                    ], on: day)
                scene.name(
                    id, "Wave \(number)", campaign: it.name, variant: ["A", "B"][number], day: day, sent: 1000)
            }
        }
        return scene
    }

    private func page(_ scene: Scene, _ subject: ReportSubject) throws -> ParsedPage {
        try scene.page(ReportRequest(of: subject))
    }

    @Test func aCampaignStandsBesideTheMedianOfTheOthersOf90DaysBefore() throws {
        let scene = scene([
            ("Now", 10, 200), ("a", 20, 100), ("b", 40, 120), ("c", 99, 140), ("too old", 110, 900), ("later", 3, 900),
        ])
        let page = try page(scene, .campaign("Now"))
        #expect(page.all("h1").first?.text == "Now")
        #expect(page.row("sent", of: "what became of it") == ["sent", "2000", "–", "–"])
        #expect(page.row("opened", of: "what became of it") == ["opened", "400", "20.0 % of sent", "12.0 %"])
        let text = page.all("header").first?.text.replacing("\u{A0}", with: " ")
        #expect(text?.contains("median of 3 other campaigns that began in the 90 days before") == true)
        #expect(page.row("ios", of: "platforms")?.prefix(2) == ["ios", "–"])
        #expect(page.table("deliveries").map { $0[0] } == ["delivery", "Wave 0", "Wave 1"])
        #expect(page.row("1", of: "days since it began")?.last == "90.0 %")
        #expect(page.element("variants") != nil)
        // Two are too few.
        let few = try self.page(self.scene([("Now", 10, 200), ("a", 20, 100), ("b", 40, 120)]), .campaign("Now"))
        #expect(few.row("opened", of: "what became of it") == ["opened", "400", "20.0 % of sent"])
    }

    @Test func aDeliveryHasAPageOfItsOwn() throws {
        let page = try page(
            scene([("Now", 10, 200), ("a", 20, 100), ("b", 40, 120)]), .delivery("c0v1"))
        #expect(page.all("h1").first?.text == "Wave 1")
        #expect(page.row("sent", of: "what became of it")?[1] == "1000")
        // The median of four deliveries.
        #expect(page.row("opened", of: "what became of it") == ["opened", "200", "20.0 % of sent", "11.0 %"])
        #expect(page.element("deliveries") == nil)
    }

    /// Swift treats a letter with a combining accent and the single accented letter as equal. push.db does not.
    @Test func deliveriesOfACampaignWhoseIDsOnlyLookTheSameAreTwo() throws {
        var scene = scene([("Now", 10, 200)])
        scene.rename("c0v0", to: "\u{e9}")
        scene.rename("c0v1", to: "e\u{301}")
        let page = try page(scene, .campaign("Now"))
        #expect(page.row("messages", of: "what became of it")?[1] == "1800")
        #expect(page.row("opened", of: "what became of it")?[2] == "20.0 % of sent")
        #expect(page.table("platforms").dropFirst().map { $0[0] } == ["android", "ios"])
    }

    /// What is triggered every day runs for ever.
    @Test func ofEachDeliveryThePageHasTheFirst28Days() throws {
        var scene = Scene.usual()
        scene.name("d1", "Cart", campaign: "Cart")
        let report = try scene.report(ReportRequest(of: .campaign("Cart")))
        #expect(report.messages == 28_000 && report.period?.count == 28)
        #expect(report.period?.first == last.adding(days: -55))
        let page = try ParsedPage(report.html)
        #expect(page.row("opened", of: "what became of it")?[2] == "20.0 % of messages")
        #expect(page.table("days since it began").count == 29)
    }

    @Test func anUnknownNameIsRefusedWithTheNearestOnes() throws {
        let scene = scene([("Spring sale", 10, 200), ("spring", 20, 100), ("Autumn", 40, 120)])
        func message(_ subject: ReportSubject) -> String? {
            do {
                _ = try scene.report(ReportRequest(of: subject))
                return nil
            } catch {
                return (error as? Fault)?.message.words
            }
        }
        #expect(
            message(.campaign("Spring")) == "push.db has no campaign 'Spring'; did you mean 'Spring sale', 'spring'?")
        #expect(message(.campaign("Autum")) == "push.db has no campaign 'Autum'; did you mean 'Autumn'?")
        #expect(message(.campaign("zzzzzzzzzz")) == "push.db has no campaign 'zzzzzzzzzz'")
        #expect(message(.delivery("c0v3")) == "push.db has no delivery 'c0v3'; did you mean 'c0v0'?")
        #expect(message(.delivery("Autumn")) == "push.db has no delivery 'Autumn'")
    }

    @Test func aCampaignWithoutSentOrBeforeTheFirstLogDateOrNotYetSent() throws {
        var scene = scene([("Now", 10, 200)])
        func name(day: LogDate?) {
            for id in ["c0v0", "c0v1"] { scene.name(id, id, campaign: "Now", day: day) }
        }
        name(day: last.adding(days: -10))
        #expect(try page(scene, .campaign("Now")).row("opened", of: "what became of it")?[2] == "22.2 % of messages")
        name(day: LogDate("2026-01-01"))
        let early = try page(scene, .campaign("Now")).element("headline")?.text.replacing("\u{A0}", with: " ")
        #expect(early?.contains("Of 2 deliveries a log date is missing or not complete") == true)
        scene.name("planned", "Planned", campaign: "Soon", sent: 10)
        let soon = try scene.report(ReportRequest(of: .campaign("Soon")))
        #expect(soon.period == nil && soon.html.contains("It was not sent yet"))
        #expect(soon.text == "Soon: not sent yet, or in no log that is loaded.\n")
    }

    @Test func theTextOfACampaignHasItsFiguresAndTheMedian() throws {
        let scene = scene([("Now", 10, 200), ("a", 20, 100), ("b", 40, 120), ("c", 80, 140)])
        #expect(
            try scene.report(ReportRequest(of: .campaign("Now"), title: "Shop")).text == """
                Shop, Now
                All 11 log dates are complete.

                Provisional: late hits can still add to these figures. Compared with the
                median of 3 other campaigns that began in the 90 days before.

                sent                     2,000
                messages                 1,800    90.0 %
                impressed                1,800    90.0 %   median 90.0 %
                clicked                    600    30.0 %   median 30.0 %
                opened                     400    20.0 %   median 12.0 %
                dismissed                  240    12.0 %   median 19.2 %
                opened within 1 h          270    67.5 %   median 67.1 %
                opened within 24 h         360    90.0 %   median 90.0 %

                """)
    }

    /// Names from the data, as hostile as they may be.
    @Test func pagesOfCampaignsHaveSafePathsThatNeverMeet() throws {
        let names = [
            "Black Friday", "black friday", "Caf\u{e9}", "Cafe\u{301}", "Cafe", "../../etc/passwd", "a/b", "a\\b",
            "'\"",
            "<script>", "\u{202e}x\u{9b}", String(repeating: "x", count: 300), String(repeating: "x", count: 299) + "y",
            ".", "..",
            "Autumn\n2026", "🎉",
        ]
        let paths = names.map { ArchivedPage.campaign($0).path }
        #expect(Set(paths.map { $0.lowercased() }).count == names.count)
        for path in paths {
            #expect(path.wholeMatch(of: /campaigns\/[A-Za-z0-9_-]{1,60}-[0-9a-f]{8}\.html/) != nil, "\(path)")
        }
        #expect(ArchivedPage.campaign("Black Friday").path == "campaigns/Black_Friday-e268ae74.html")
        let scratch = try ScratchFolder()
        let scene = scene(names.enumerated().map { ($1, 10 + $0, 100) })
        let archive = ReportArchive(in: scratch.path("kept"), comparison: .previous, title: "Shop")
        let files = try archive.write(scene.output(), with: SerialWorkers())
        #expect(Set(files.map(\.path)).count == files.count)
        #expect(try Set(scratch.names("kept/campaigns")) == Set(paths.map { String($0.dropFirst("campaigns/".count)) }))
        let index = try ParsedPage(try scratch.text("kept/index.html"))
        let links = Set(index.all("a").compactMap { $0.attributes["href"] })
        #expect(links.isSuperset(of: paths) && index.all("title").first?.text == "Shop")
        for path in links {
            let page = try ParsedPage(try scratch.text("kept/\(path)"))
            let other = page.all("a").compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("#") }
            #expect(other.contains(path.contains("/") ? "../index.html" : "index.html"))
            // Lists of deliveries lead to the pages of their campaigns.
            for link in other where link.contains("campaigns/") {
                #expect(paths.contains(String(link.replacing("../", with: ""))))
            }
        }
        #expect(
            try archive.write(scene.output(), with: SerialWorkers()).allSatisfy { $0.state == .unchanged }
        )
    }
}
