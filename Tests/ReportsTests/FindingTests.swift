import Calendar
import Support
import Testing

@testable import Reports
@testable import Warehouse

/// What stands out, on figures of which it is known, and on figures without anything.
@Suite struct FindingTests {
    private let last = Scene.lastDate

    private func findings(_ scene: Scene, _ request: ReportRequest = ReportRequest()) throws -> [String] {
        let section = try #require(try scene.page(request).element("findings"))
        let items = section.all("li")
        return (items.isEmpty ? section.all("p") : items).map {
            $0.text.replacing("\u{A0}", with: " ").replacing(/\ See [a-z]+$/, with: "")
        }
    }

    /// Fifty-six complete days of two platforms.
    private func scene(_ messages: (_ daysAgo: Int) -> [Scene.Messages]) throws -> Scene {
        let scene = try Scene()
        for day in 0..<56 {
            try scene.load(last.adding(days: -day))
            try scene.add(last.adding(days: -day), messages(day))
        }
        try scene.addUp()
        return scene
    }

    private let usual = [Scene.Messages(), Scene.Messages(platform: "ios")]

    @Test func nothingStandsOut() throws {
        #expect(
            try findings(try scene { _ in usual }) == [
                "Nothing stands out: opened changed by less than 5 %, no action of a platform fell below a third of its share."
            ])
        #expect(
            try findings(try scene { _ in usual }, ReportRequest(comparison: .none)) == [
                "Nothing stands out. Without days to compare with, and without delivery files, little can."
            ])
    }

    @Test func aChangeOfOpenedIsMadeOfThoseOfThePlatforms() throws {
        let scene = try scene { day in
            [
                Scene.Messages(opened: day < 28 ? 150 : 200),
                Scene.Messages(platform: "ios", opened: day < 28 ? 210 : 200),
            ]
        }
        #expect(
            try findings(scene) == [
                "Opened fell by 1,120 (−10.0 %) against 28 days before, from 11,200 to 10,080: android −1,400, ios +280. "
                    + "Of messages it is 18.0 %, before 20.0 %."
            ])
        // The same from SQL.
        let sums = "SELECT sum(iif(day > '2026-10-22', opened, -opened)) FROM daily_totals"
        #expect(try scene.integer(sums) == -1120)
        #expect(try scene.integer(sums + " WHERE platform = 'ios'") == 280)
    }

    /// Few opens change by chance alone.
    @Test(arguments: [(200, 191, false), (200, 188, true), (2, 1, true), (1, 2, true)])
    func aSmallChangeIsNone(before: Int, now: Int, isTold: Bool) throws {
        let scene = try scene { day in [Scene.Messages(opened: day < 28 ? now : before)] }
        #expect(try findings(scene)[0].hasPrefix("Opened") == isTold)
    }

    /// It is not said that it changed by less.
    @Test func aLargeChangeOfFewOpensMayBeChance() throws {
        let scene = try scene { day in [Scene.Messages(opened: day == 3 ? 20 : day == 40 ? 12 : 0)] }
        #expect(try findings(scene)[0].contains("opened changed by no more than chance alone may make") == true)
    }

    @Test func opensThatWereNoneBeforeAreNamedWithoutAShare() throws {
        let scene = try scene { day in [Scene.Messages(opened: day < 28 ? 100 : 0)] }
        #expect(
            try findings(scene)[0]
                == "Opened rose by 2,800 against 28 days before, from 0 to 2,800: android +2,800. Of messages it is 10.0 %, "
                + "before 0.0 %.")
    }

    @Test func aChangeThatAPartialDayMakesIsNone() throws {
        let scene = try scene { day in
            day == 4 ? [Scene.Messages(messages: 1, impressed: 1, clicked: 0, opened: 0)] : usual
        }
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out") == true)
        let strong = try self.scene { day in (3...8).contains(day) ? [Scene.Messages(opened: 0)] : usual }
        #expect(try findings(strong)[0].hasPrefix("Opened fell") == true)
        try strong.execute(
            "UPDATE partitions SET status = 'partial' WHERE log_date BETWEEN '2026-11-11' AND '2026-11-16'")
        #expect(try findings(strong)[0].hasPrefix("Nothing stands out") == true)
    }

    /// Twelve deliveries with 90 % known, and others.
    private func sent(_ others: [(id: String, day: LogDate, messages: Int, sent: Int)]) throws -> Scene {
        let scene = try scene { _ in usual }
        let day = last.adding(days: -5)
        let all = (0..<12).map { (id: "w\($0)", day: day, messages: 900, sent: 1000) } + others
        for it in all where it.messages > 0 {
            try scene.add(it.day, [.init(delivery: it.id, messages: it.messages, impressed: 0, clicked: 0, opened: 0)])
        }
        try scene.addUp()
        for it in all { try scene.name(it.id, "Wave \(it.id)", day: it.day, sent: it.sent) }
        return scene
    }

    @Test func deliveriesThatFailedAreNamedWithTheMedian() throws {
        let day = last.adding(days: -3)
        let scene = try sent([("x", day, 179, 1000), ("y", day, 0, 4000), ("edge", day, 180, 1000)])
        #expect(
            try findings(scene)[0]
                == "2 deliveries failed: Wave y with 0 messages of 4,000 sent (0.0 %), Wave x with 179 messages of 1,000 sent "
                + "(17.9 %). The median of 15 deliveries is 90.0 %.")
    }

    @Test func fewSentTheLastDayAndDaysWithoutAllFilesMakeNoFailure() throws {
        let missing = last.adding(days: -7)
        let scene = try sent([
            ("few", last.adding(days: -3), 0, 499), ("new", last, 0, 4000), ("lost", missing, 0, 4000),
        ])
        try scene.execute("UPDATE partitions SET status = 'partial' WHERE log_date = '\(missing)'")
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out: no delivery failed") == true)
    }

    /// Its hits of the next day are a handful, which is no fault of the delivery.
    @Test func aDeliveryThatWasSentOnADayWithoutLogsDidNotFailAndIsNoVariantToCompare() throws {
        let missing = last.adding(days: -7)
        let next = missing.adding(days: 1)
        let scene = try sent([("late", next, 20, 4000), ("b", next, 900, 1000)])
        for id in ["late", "b"] {
            let day = id == "b" ? next : missing
            try scene.name(id, id, campaign: "Spring", variant: id, day: day, sent: id == "b" ? 1000 : 4000)
        }
        #expect(try findings(scene)[0].hasPrefix("A delivery failed: late with 20 messages") == true)
        try scene.execute("DELETE FROM partitions WHERE log_date = '\(missing)'")
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out: no delivery failed") == true)
        let page = try scene.page()
        #expect(page.element("variants")?.text.contains("No campaign has two variants") == true)
        #expect(page.row("late late", of: "all deliveries, continued")?.contains("12 Nov 2026*") == true)
        #expect(page.element("deliveries")?.text.contains("* The log date is missing or partial") == true)
        // Neither is it compared, though the first page has it among what was sent.
        #expect(page.row("Sent", of: "headline figures, exact")?[2] == "17000")
        #expect(page.row("Sent", of: "headline figures, exact")?[4] == "13000")
    }

    @Test(arguments: [(100, 146, true), (100, 140, false)])
    func variantsDifferFromThreeStandardErrorsOn(a: Int, b: Int, differs: Bool) throws {
        let scene = try scene { _ in usual }
        let day = last.adding(days: -5)
        for (id, opened) in [("a", a), ("b", b)] {
            try scene.add(day, [.init(delivery: id, messages: 900, impressed: 900, clicked: opened, opened: opened)])
        }
        try scene.addUp()
        for id in ["a", "b"] {
            try scene.name(id, id, campaign: "Spring", variant: id.uppercased(), day: day, sent: 1000)
        }
        let found = try findings(scene)
        #expect(
            found
                == (differs
                    ? [
                        "Variants of Spring differ: B was opened by 14.6 % of 1,000 sent (12.5–16.9 %), A by 10.0 % of 1,000 "
                            + "sent (8.3–12.0 %); z is 3.1."
                    ]
                    : [
                        "Nothing stands out: no delivery failed, variants of one campaign do not differ, opened changed by "
                            + "less than 5 %, no action of a platform fell below a third of its share."
                    ]))
        // Fewer than 1,000 sent are not judged.
        try scene.execute("UPDATE delivery_results SET sent = 999 WHERE delivery_id = 'b'")
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out") == true)
    }

    @Test func anActionOfAPlatformThatFellBelowAThirdOfItsShareIsNamed() throws {
        let scene = try scene { day in
            [
                Scene.Messages(impressed: 1000, clicked: 500, opened: 100),
                Scene.Messages(platform: "ios", impressed: 1000, clicked: day < 28 ? 100 : 500, opened: 100),
            ]
        }
        #expect(
            try findings(scene) == [
                "The share of click in the events of ios fell: 2,800 of 33,600 events (8.3 %), before 14,000 of 44,800 events "
                    + "(31.3 %)."
            ])
    }

    @Test func aPlatformWithoutAnyEventIsNamed() throws {
        let scene = try scene { day in day < 28 ? [usual[0]] : usual }
        let found = try findings(scene)
        #expect(found.count == 3)
        #expect(found.dropFirst().allSatisfy { $0.contains("in the events of ios fell: 0 of 0 events (–), before ") })
    }

    // MARK: Statistics

    /// Brown, Cai and DasGupta, 2001, and Newcombe, 1998: Wilson's interval without continuity correction.
    @Test(arguments: [
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718),
    ])
    func wilsonsIntervalIsThePublishedOne(part: Int, whole: Int, lower: Double, upper: Double) throws {
        let interval = try #require(Proportion(part: part, whole: whole).interval)
        #expect(abs(interval.lowerBound - lower) < 0.0001 && abs(interval.upperBound - upper) < 0.0001)
    }

    /// 351 of 605 against 41 of 195 by hand: pooled 0.49, standard error 0.041165.
    @Test func zIsThatOfTwoProportionsPooled() throws {
        let z = try #require(Proportion(part: 351, whole: 605).z(above: Proportion(part: 41, whole: 195)))
        #expect(abs(z - 8.9859) < 0.001)
        #expect(Proportion(part: 0, whole: 10).z(above: Proportion(part: 0, whole: 20)) == 0)
        #expect(Proportion(part: 11, whole: 10).z(above: Proportion(part: 0, whole: 20)) == nil)
    }

    // MARK: In short

    @Test func theTextHasAtMost25LinesOf72Columns() throws {
        let day = last.adding(days: -3)
        let scene = try scene { day in
            [
                Scene.Messages(impressed: 1000, clicked: 500, opened: day < 28 ? 100 : 300),
                Scene.Messages(platform: "ios", impressed: 1000, clicked: day < 28 ? 100 : 500, opened: 100),
                Scene.Messages(platform: "web", impressed: 1000, clicked: 300, opened: day < 28 ? 1 : 100),
            ]
        }
        for id in ["a", "b", "c", "d", "e", "f"] {
            try scene.add(day, [.init(delivery: id, messages: 900, opened: id < "d" ? 20 : 800)])
        }
        try scene.addUp()
        let long = String(repeating: "wide name ", count: 20) + String(repeating: "W", count: 200) + "\u{9b}31m"
        for (index, id) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            try scene.name(id, long + id, campaign: "\(index % 3)" + long, variant: id + long, day: day, sent: 1000)
        }
        for id in ["x", "y", "z", "u"] { try scene.name(id, long + id, day: day, sent: 3000) }
        let lines = try scene.report().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 25, "\(lines.joined(separator: "\n"))")
        #expect(lines.allSatisfy { $0.count <= 72 && !$0.unicodeScalars.contains("\u{9b}") })
        #expect(lines.contains("What stands out") && lines.contains { $0.hasPrefix("Opened of sent") })
        #expect(lines.contains { $0.hasSuffix("more on the page") })
    }

    @Test func theTextSaysWhatThePageSays() throws {
        #expect(
            try scene { _ in usual }.report().text == """
                Push messages, 23 Oct – 19 Nov 2026
                All 28 log dates are complete. 18 Nov – 19 Nov 2026 still grow: opens
                and late hits are coming in. No day is final yet: all are provisional
                until a log date more than 30 days later is loaded.

                What stands out
                Nothing stands out: opened changed by less than 5 %, no action of a
                platform fell below a third of its share.

                Messages known from any log  56.0 k   ±0.0 % from 56.0 k
                Impressed                    50.4 k   ±0.0 % from 50.4 k
                Clicked (with dismissals)    16.8 k   ±0.0 % from 16.8 k
                Opened                       11.2 k   ±0.0 % from 11.2 k
                Opened of messages           20.0 %   ±0.0 pt from 20.0 %
                Opened within 24 h            9,360   ±0.0 % from 9,360

                """)
    }
}
