import Calendar
import Reports
import Support
import Testing

/// Which deliveries the page lists, and by which rate.
@Suite struct DeliveryTests {
    private let last = Scene.lastDate
    private let best = "deliveries with the highest rate of opens"
    private let worst = "deliveries with the lowest rate of opens"
    private let movers = "deliveries whose rate of opens changed most"

    /// Deliveries on the last day, and the same before with other opens: (id, messages, opened, opened before).
    private func scene(_ deliveries: [(String, Int, Int, Int?)]) throws -> Scene {
        let scene = try Scene()
        for index in 0..<56 { try scene.load(last.adding(days: -index)) }
        try scene.add(
            last, deliveries.map { .init(delivery: $0.0, messages: $0.1, impressed: $0.1, clicked: $0.2, opened: $0.2) }
        )
        try scene.add(
            last.adding(days: -28),
            deliveries.compactMap { it in
                it.3.map { .init(delivery: it.0, messages: it.1, impressed: it.1, clicked: $0, opened: $0) }
            })
        try scene.addUp()
        return scene
    }

    private func names(_ page: ParsedPage, _ caption: String) -> [String] {
        page.table(caption).dropFirst().map { $0[0] }
    }

    @Test func aHandfulOfMessagesDoesNotMakeTheBestDelivery() throws {
        let page = try scene([("few", 99, 99, nil), ("good", 200, 100, nil), ("poor", 200, 10, nil)]).page()
        #expect(names(page, best) == ["good"])
        #expect(names(page, worst) == ["poor"])
        #expect(page.element("deliveries")?.text.contains("2 with 100 messages or more") == true)
    }

    @Test func theMinimumIsThousandWhereTenDeliveriesHaveSoMany() throws {
        let large = (0..<10).map { ("d\($0)", 1000, 100 + $0, Int?.none) }
        let page = try scene(large + [("small", 999, 900, nil)]).page()
        #expect(names(page, best) == ["d9", "d8", "d7", "d6", "d5"])
        #expect(names(page, worst) == ["d0", "d1", "d2", "d3", "d4"])
    }

    @Test func listsHaveTwentyAtMost() throws {
        let page = try scene((0..<100).map { ("d\($0)", 1000, 100 + $0, 100) }).page()
        #expect(names(page, best).count == 20 && names(page, worst).count == 20 && names(page, movers).count == 20)
        #expect(names(page, movers).first == "d99")
    }

    @Test func sentIsTheBaseWhereMostDeliveriesBeganInThePeriodAndSayIt() throws {
        let scene = try scene([("new", 200, 50, nil), ("other", 300, 60, nil), ("old", 200, 100, 90)])
        try scene.name("new", "New", sent: 400)
        try scene.name("other", "Other", sent: 1000)
        // It began before the period, so its `sent` is for other days as well.
        try scene.name("old", "Old", sent: 500)
        let page = try scene.page()
        #expect(
            page.table(best) == [
                ["delivery", "opened of sent", "opened", "sent", "messages", "impressed", "clicked"],
                ["New new", "12.5 %", "50", "400", "200", "200", "50"],
            ])
        #expect(names(page, worst) == ["Other other"])
        #expect(page.element("deliveries")?.text.contains("names 3, and of 2 that began in the period") == true)
    }

    @Test func moversAreComparedByOpenedOfMessagesWithEnoughInBothPeriods() throws {
        let page = try scene([("up", 200, 100, 50), ("down", 200, 10, 80), ("new", 200, 100, nil)]).page()
        #expect(names(page, movers) == ["down", "up"])
        #expect(page.row("up", of: movers) == ["up", "200", "100", "50.0 %", "200", "50", "25.0 %", "+25.0 pt"])
    }

    @Test func deliveriesWithoutMessagesInThePeriodAreNotListed() throws {
        let scene = try scene([("now", 200, 50, nil)])
        try scene.add(last.adding(days: -40), [.init(delivery: "then", messages: 500, opened: 400)])
        try scene.addUp()
        #expect(names(try scene.page(), best) == ["now"])
    }
}
