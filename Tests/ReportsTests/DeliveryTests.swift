import Calendar
import Reports
import Support
import Testing

/// Which deliveries the page lists, and by which rate.
@Suite struct DeliveryTests {
    private let last = Scene.lastDate
    private let best = "deliveries with the highest rate of opens"
    private let worst = "deliveries with the lowest rate of opens"

    /// Deliveries on the last day, and the same before with other opens: (id, messages, opened, opened before).
    private func scene(_ deliveries: [(String, Int, Int, Int?)]) -> Scene {
        var scene = Scene()
        for date in [last, last.adding(days: -28)] {
            for late in 0...2 where date.adding(days: late) <= last { scene.loads[date.adding(days: late)] = .init() }
            let now = deliveries.compactMap { it in
                (date == last ? it.2 : it.3).map {
                    Scene.Messages(delivery: it.0, messages: it.1, impressed: it.1, clicked: $0, opened: $0)
                }
            }
            scene.add(now, on: date)
        }
        return scene
    }

    private func names(_ page: ParsedPage, _ caption: String) -> [String] {
        page.table(caption).dropFirst().map { $0[0] }
    }

    @Test func fewDeliveriesMakeOneListOfWhichTenAreShownOnScreen() throws {
        let page = try scene((0..<39).map { ("d\($0)", 1000, 100 + $0, nil) }).page()
        #expect(names(page, "all deliveries") == (0..<39).reversed().map { "d\($0)" })
        let others = page.element("deliveries")?.all("tbody").first { $0.attributes["class"] == "more" }
        #expect(others?.all("tr").count == 29)
        #expect(page.element("deliveries")?.all("label").map(\.text) == ["29 more"])
        #expect(names(page, best).isEmpty && names(page, worst).isEmpty)
    }

    @Test func aHandfulOfMessagesDoesNotMakeTheBestDelivery() throws {
        let page = try scene([("few", 99, 99, nil), ("good", 200, 100, nil), ("poor", 200, 10, nil)]).page()
        // It has no rank, and stands last.
        #expect(names(page, "all deliveries") == ["good", "poor", "few"])
        #expect(page.row("few", of: "all deliveries")?[1] == "–")
        #expect(page.element("deliveries")?.text.contains("2 of 100 messages or more") == true)
    }

    @Test func theMinimumIsThousandWhereTenDeliveriesHaveSoMany() throws {
        let large = (0..<40).map { ("d\($0)", 1000, 100 + $0, Int?.none) }
        let page = try scene(large + [("small", 999, 900, nil)]).page()
        #expect(names(page, best) == (20..<40).reversed().map { "d\($0)" })
        #expect(names(page, worst) == (0..<20).map { "d\($0)" })
    }

    @Test func sentIsTheBaseWhereMostDeliveriesBeganInThePeriodAndSayIt() throws {
        var scene = scene([("new", 200, 50, nil), ("other", 300, 60, nil), ("old", 200, 100, 90)])
        scene.name("new", "New", campaign: "C", variant: "A", day: last, sent: 400)
        scene.name("other", "Other", sent: 1000)
        // It began before the period, so its `sent` is for other days as well.
        scene.name("old", "Old", sent: 500)
        let page = try scene.page()
        #expect(
            page.table("all deliveries") == [
                ["delivery", "opened of sent", "campaign", "variant", "day", "opened", "sent", "messages", "clicked"],
                ["New new", "12.5 %", "C", "A", "19 Nov 2026°", "50", "400", "200", "50"],
                ["Other other", "6.0 %", "–", "–", "19 Nov 2026°", "60", "1000", "300", "60"],
                ["Old old", "–", "–", "–", "22 Oct 2026", "100", "–", "200", "100"],
            ])
        #expect(page.element("deliveries")?.text.contains("names 3, and of 2 that began in the period") == true)
    }

    /// It would be the first of the worst, and hide what is bad for another reason.
    @Test func whatFailedHasAListOfItsOwnAndNoRank() throws {
        let day = last.adding(days: -2)
        var scene = Scene.usual(days: 3) { daysAgo in
            daysAgo != 2
                ? [] : (0..<40).map { .init(delivery: "d\($0)", messages: 1000, impressed: 1000, opened: 100 + $0) }
        }
        for index in 0..<40 { scene.name("d\(index)", "Wave \(index)", day: day, sent: 1100) }
        scene.name("gone", "Gone", day: last.adding(days: -1), sent: 5000)
        // It was sent before the period.
        scene.name("then", "Then", day: last.adding(days: -28), sent: 5000)
        let page = try scene.page()
        #expect(page.table(worst)[1][0] == "Wave 0 d0")
        #expect(
            page.table("deliveries that failed").dropFirst() == [
                ["Gone gone", "–", "18 Nov 2026‡", "0", "5000", "0", "0"]
            ])
        #expect(page.element("deliveries")?.text.contains("‡ It failed") == true)
        #expect(page.element("deliveries")?.text.contains("Then") == false)
    }

    @Test func campaignsAreComparedByOpenedOfMessagesWithEnoughInBothPeriods() throws {
        var scene = scene([
            ("up", 200, 100, 50), ("down", 200, 10, 80), ("more", 200, 30, 120), ("new", 200, 100, nil),
        ])
        for (delivery, campaign) in [("up", "Rise"), ("down", "Fall"), ("more", "Fall"), ("new", "New")] {
            scene.name(delivery, delivery, campaign: campaign)
        }
        let page = try scene.page()
        #expect(
            page.row("Fall", of: "campaigns") == [
                "Fall", "2", "–", "–", "400", "40", "10.0 %", "400", "50.0 %", "−40.0 pt",
            ])
        #expect(page.row("Rise", of: "campaigns")?.last == "+25.0 pt")
        #expect(page.row("New", of: "campaigns")?.last == "–")
    }

    /// Of a delivery that began before, part of the opens is not in the period.
    @Test func sentOfACampaignIsThatOfItsDeliveriesThatBeganInThePeriod() throws {
        var scene = scene([("new", 200, 50, nil), ("old", 200, 100, 90), ("other", 200, 10, nil)])
        for delivery in ["new", "old"] { scene.name(delivery, delivery, campaign: "Spring", sent: 400) }
        scene.name("other", "other", campaign: "Autumn", sent: 500)
        let page = try scene.page()
        #expect(page.row("Spring", of: "campaigns")?[1...4] == ["2", "400†", "12.5 %", "400"])
        #expect(page.row("Autumn", of: "campaigns")?[1...3] == ["1", "500", "2.0 %"])
        #expect(
            page.element("deliveries")?.text.contains("† Of those of its deliveries that began in this period") == true)
        // Without such a campaign there is no mark to explain.
        scene.name("old", "old", campaign: nil, sent: 400)
        #expect(try scene.page().element("deliveries")?.text.contains("†") == false)
    }

    @Test func deliveriesWithoutMessagesInThePeriodAreNotListed() throws {
        var scene = scene([("now", 200, 50, nil)])
        scene.add([.init(delivery: "then", messages: 500, opened: 400)], on: last.adding(days: -40))
        #expect(names(try scene.page(), "all deliveries") == ["now"])
    }

    @Test func variantsStandSideBySideWithTheirIntervals() throws {
        var scene = scene([("a", 900, 100, nil), ("b", 900, 200, nil), ("c", 900, 300, nil)])
        for (delivery, variant) in [("a", "A"), ("b", "B"), ("c", "B")] {
            scene.name(delivery, delivery, campaign: "Spring", variant: variant, sent: 1000)
        }
        let page = try scene.page()
        #expect(
            page.table("variants").dropFirst() == [
                ["Spring", "B", "2", "2000", "500", "25.0 %", "23.2–26.9 %", "1.9"],
                ["Spring", "A", "1", "1000", "100", "10.0 %", "8.3–12.0 %", "–"],
            ])
        #expect(
            try self.scene([("a", 900, 100, nil)]).page().element("variants")?.text.contains("No campaign has two")
                == true)
    }

    /// Swift treats a letter with a combining accent and the single accented letter as equal. push.db does not.
    @Test func namesOfOtherBytesAreOthersEvenIfTheyLookTheSame() throws {
        let forms = ["\u{e9}", "e\u{301}"]
        // The second one is too small for a rank.
        var scene = scene([("a", 900, 100, nil), ("b", 50, 10, nil), ("c", 900, 300, nil), ("d", 900, 200, nil)])
        for (index, form) in forms.enumerated() {
            scene.name(["a", "b"][index], "Wave \(index)", campaign: form, sent: [1000, 80][index])
            scene.name(["c", "d"][index], "Spring \(index)", campaign: "Spring", variant: form, sent: 1000)
            scene.rename(["a", "b"][index], to: form)
        }
        let page = try scene.page()
        #expect(page.table("all deliveries").map { $0[6] } == ["sent", "1000", "1000", "1000", "80"])
        #expect(page.table("all deliveries").map { $0[7] } == ["messages", "900", "900", "900", "50"])
        #expect(page.table("campaigns").map { $0[2] } == ["sent", "2000", "1000", "80"])
        #expect(page.table("variants").map { $0[3] } == ["sent", "1000", "1000"])
        // Which letters a page has is seen by its bytes alone.
        let ids = page.element("deliveries")?.all("code").map { Array($0.text.utf8) } ?? []
        #expect(forms.allSatisfy { ids.contains(Array($0.utf8)) })
    }

    /// A delivery file may say anything below 2^63.
    @Test func sumsThatNoIntegerHoldsAreNotKnown() throws {
        var scene = scene([("a", 900, 100, nil), ("b", 900, 200, nil), ("c", 900, 300, nil)])
        for (delivery, variant) in [("a", "A"), ("b", "B"), ("c", "B")] {
            scene.name(delivery, delivery, campaign: "Spring", variant: variant, sent: .max)
        }
        let page = try scene.page()
        #expect(page.row("Sent", of: "headline figures, exact") == nil)
        #expect(page.row("Spring", of: "campaigns")?[2] == "–")
        #expect(page.table("variants").count == 3)
        // Against 1 that was sent before, no number is left for the change.
        var two = self.scene([("a", 900, 100, nil)])
        two.add([.init(delivery: "b", messages: 900, opened: 200)], on: last.adding(days: -28))
        two.name("a", "a", sent: .max)
        two.name("b", "b", sent: 1)
        #expect(try two.page().row("Sent", of: "headline figures, exact")?.last == "– %")
    }
}
