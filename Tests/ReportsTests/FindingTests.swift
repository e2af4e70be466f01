import Calendar
import Support
import Testing

@testable import Partitions
@testable import Reports

/// What stands out, on figures of which it is known, and on figures without anything.
@Suite struct FindingTests {
    private let last = Scene.lastDate

    private func findings(_ scene: Scene, _ request: ReportRequest? = nil) throws -> [String] {
        let section = try #require(try scene.page(request).element("findings"))
        let items = section.all("li")
        return (items.isEmpty ? section.all("p") : items).map {
            $0.text.replacing("\u{A0}", with: " ").replacing(/\ See [a-z]+$/, with: "")
        }
    }

    private let usual = [Scene.Messages(), Scene.Messages(platform: .ios)]

    @Test func nothingStandsOut() throws {
        #expect(
            try findings(Scene.usual { _ in usual }) == [
                "Nothing stands out: opened did not change by more than it usually does, no action of a platform fell below "
                    + "half of its share."
            ])
        #expect(
            try findings(Scene.usual { _ in usual }, ReportRequest(comparison: .none)) == [
                "Nothing stands out: no action of a platform fell below half of its share."
            ])
        let one = Scene.usual(days: 1)
        #expect(try findings(one) == ["Nothing stands out: there is too little to compare."])
    }

    @Test func aChangeOfOpenedIsMadeOfThoseOfThePlatforms() throws {
        let scene = Scene.usual { day in
            [
                Scene.Messages(opened: day < 28 ? 150 : 200),
                Scene.Messages(platform: .ios, opened: day < 28 ? 210 : 200),
            ]
        }
        #expect(
            try findings(scene) == [
                "Opened fell by 1,040 (−10.0 %) against 4 weeks earlier, from 10,400 to 9,360 on the 26 of 28 days that can be "
                    + "compared: android −1,300, ios +260. Of messages it is 18.0 %, before 20.0 %."
            ])
        // The same from SQL, without the days whose opens are still coming in and their counterparts.
        let sums =
            "SELECT sum(iif(day > '2026-10-22', opened, -opened)) FROM daily_totals "
            + "WHERE day NOT IN ('2026-11-18', '2026-11-19', '2026-10-21', '2026-10-22')"
        #expect(try scene.integer(sums) == -1040)
        #expect(try scene.integer(sums + " AND platform = 'ios'") == 260)
    }

    /// Few opens change by chance alone.
    @Test(arguments: [(200, 191, false), (200, 188, true), (2, 1, false), (3, 1, true), (1, 3, true)])
    func aSmallChangeIsNone(before: Int, now: Int, isTold: Bool) throws {
        let scene = Scene.usual { day in [Scene.Messages(opened: day < 28 ? now : before)] }
        #expect(try findings(scene)[0].hasPrefix("Opened") == isTold)
    }

    /// Days that scatter by half of their opens say that another such day is nothing.
    @Test func whatIsUsualIsNotTold() throws {
        let scene = Scene.usual { day in
            [Scene.Messages(opened: [100, 200, 300, 150, 250][day * 7 % 5] - (day < 28 ? 20 : 0))]
        }
        #expect(try findings(scene)[0].contains("opened did not change by more than it usually does"))
        // Three days that are opened half as often as the days before, which are alike.
        let fallen = Scene.usual(days: 28) { day in [Scene.Messages(opened: day < 5 ? 100 : 200)] }
        let request = ReportRequest(first: last.adding(days: -4), last: last.adding(days: -2))
        #expect(
            try findings(fallen, request)[0]
                == "Opened fell by 300 (−50.0 %) against a week earlier, from 600 to 300: android −300. Of messages it is "
                + "10.0 %, before 20.0 %.")
        // The last day itself still grows.
        #expect(try findings(fallen, ReportRequest(first: last))[0].hasPrefix("Nothing stands out: no action"))
    }

    @Test func opensThatWereNoneBeforeAreNamedWithoutAShare() throws {
        let scene = Scene.usual { day in [Scene.Messages(opened: day < 28 ? 100 : 0)] }
        #expect(
            try findings(scene)[0]
                == "Opened rose by 2,600 against 4 weeks earlier, from 0 to 2,600 on the 26 of 28 days that can be compared: "
                + "android +2,600. Of messages it is 10.0 %, before 0.0 %.")
    }

    @Test func aChangeThatPartialDaysMakeIsNone() throws {
        let scene = Scene.usual { day in
            day == 4 ? [Scene.Messages(messages: 1, impressed: 1, clicked: 0, opened: 0)] : usual
        }
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out") == true)
        var strong = Scene.usual { day in
            (2...8).contains(day) ? [Scene.Messages(clicked: 20, opened: 0)] : usual
        }
        let found = try findings(strong)
        #expect(found[0].hasPrefix("Opened fell"))
        #expect(found.contains { $0.hasPrefix("Fewer messages of android were clicked since 11 Nov") })
        for daysAgo in 2...8 { strong.loads[last.adding(days: -daysAgo)]?.status = .partial }
        #expect(try findings(strong)[0].hasPrefix("Nothing stands out"))
    }

    /// Twelve deliveries with 90 % known, and others.
    private func sent(_ others: [(id: String, day: LogDate, messages: Int, sent: Int)], days: Int = 14) -> Scene {
        var scene = Scene.usual(days: days) { _ in usual }
        let day = last.adding(days: -5)
        let all = (0..<12).map { (id: "w\($0)", day: day, messages: 900, sent: 1000) } + others
        for it in all where it.messages > 0 {
            scene.add(
                [.init(delivery: it.id, messages: it.messages, impressed: it.messages, clicked: 0, opened: 0)],
                on: it.day)
        }
        for it in all { scene.name(it.id, "Wave \(it.id)", day: it.day, sent: it.sent) }
        return scene
    }

    @Test func deliveriesThatFailedAreNamedWithTheMedian() throws {
        let day = last.adding(days: -3)
        let scene = sent([("x", day, 179, 1000), ("y", day, 0, 4000), ("edge", day, 180, 1000)])
        #expect(
            try findings(scene)[0]
                == "2 deliveries failed: Wave y with 0 messages of 4,000 sent (0.0 %), Wave x with 179 messages of 1,000 sent "
                + "(17.9 %) arrived or were seen. Of 15 deliveries that can be compared, of 16, half have 90.0 % or more."
        )
    }

    @Test func fewSentTheLastDayAndDaysWithoutAllFilesMakeNoFailure() throws {
        let missing = last.adding(days: -7)
        var scene = sent([
            ("few", last.adding(days: -3), 0, 499), ("new", last, 0, 4000), ("lost", missing, 0, 4000),
        ])
        scene.loads[missing]?.status = .partial
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out: no delivery failed") == true)
    }

    /// Its hits of the next day are a handful, which is no fault of the delivery.
    @Test func aDeliveryThatWasSentOnADayWithoutLogsDidNotFailAndIsNoVariantToCompare() throws {
        let missing = last.adding(days: -7)
        let next = missing.adding(days: 1)
        var scene = sent([("late", next, 20, 4000), ("b", next, 900, 1000)], days: 56)
        for id in ["late", "b"] {
            let day = id == "b" ? next : missing
            scene.name(id, id, campaign: "Spring", variant: id, day: day, sent: id == "b" ? 1000 : 4000)
        }
        #expect(try findings(scene)[0].hasPrefix("A delivery failed: late with 20 messages") == true)
        scene.loads[missing] = nil
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out: no delivery failed") == true)
        let page = try scene.page()
        #expect(page.element("variants")?.text.contains("No campaign has two variants") == true)
        #expect(page.row("late late", of: "all deliveries, campaigns")?.contains("12 Nov 2026*") == true)
        #expect(page.element("deliveries")?.text.contains("* The log date is missing or not complete") == true)
        // Neither is it compared, though the first page has it among what was sent.
        #expect(page.row("Sent", of: "headline figures, exact")?[3] == "17000")
        #expect(page.row("Sent", of: "headline figures, exact")?[5] == "13000")
    }

    @Test(arguments: [(100, 146, true), (100, 140, false)])
    func variantsDifferFromThreeStandardErrorsOn(a: Int, b: Int, differs: Bool) throws {
        var scene = Scene.usual { _ in usual }
        let day = last.adding(days: -5)
        for (id, opened) in [("a", a), ("b", b)] {
            scene.add([.init(delivery: id, messages: 900, impressed: 900, clicked: opened, opened: opened)], on: day)
        }
        for id in ["a", "b"] {
            scene.name(id, id, campaign: "Spring", variant: id.uppercased(), day: day, sent: 1000)
        }
        let found = try findings(scene)
        #expect(
            found
                == (differs
                    ? [
                        "Variants of Spring differ: B was opened by 14.6 % of 1,000 sent (95 % interval 12.5–16.9 %), A by "
                            + "10.0 % of 1,000 sent (8.3–12.0 %). B led on its one delivery."
                    ]
                    : [
                        "Nothing stands out: variants of one campaign do not differ, opened did not change by more than it "
                            + "usually does, no action of a platform fell below half of its share."
                    ]))
        // Fewer than 1,000 sent are not judged.
        scene.name("b", "b", campaign: "Spring", variant: "B", day: day, sent: 999)
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out") == true)
    }

    /// Two variants with as many opens as by hand: what the deliveries of each scatter decides.
    @Test(arguments: [([120, 130, 125, 145], true), ([40, 220, 60, 200], false)])
    func deliveriesThatScatterMakeNoDifference(opened: [Int], differs: Bool) throws {
        var scene = Scene.usual(days: 14) { _ in usual }
        let day = last.adding(days: -5)
        for (index, opened) in ([100, 80, 90, 50] + opened).enumerated() {
            let date = day.adding(days: -(index % 4))
            scene.add([.init(delivery: "v\(index)", messages: 900, clicked: opened, opened: opened)], on: date)
        }
        for index in 0..<8 {
            scene.name(
                "v\(index)", "v\(index)", campaign: "Spring", variant: index < 4 ? "A" : "B",
                day: day.adding(days: -(index % 4)), sent: 1000)
        }
        let found = try findings(scene)
        let sentence =
            "Variants of Spring differ: B was opened by 13.0 % of 4,000 sent (95 % interval 12.0–14.1 %), A by 8.0 % of 4,000 "
            + "sent (7.2–8.9 %). B led on 4 of its 4 deliveries."
        #expect(found.filter { $0.hasPrefix("Variants") } == (differs ? [sentence] : []))
        // One of a day without all files is not compared, and it is said.
        scene.loads[day]?.status = .partial
        if differs {
            #expect(
                try findings(scene).last?.hasSuffix(
                    "B led on 3 of its 3 deliveries; of 8 deliveries of the campaign, 6 can be compared.") == true)
        }
    }

    /// χ² by hand: 4 · 10² / (1000 · 0.1 · 0.9) and 4 · 30² / (1000 · 0.2 · 0.8), over 6 degrees.
    @Test func zIsOverTheRootOfTheDispersion() throws {
        func group(_ parts: [Int]) -> [Proportion] { parts.map { Proportion(part: $0, whole: 1000) } }
        let groups = [group([90, 110, 90, 110]), group([170, 230, 170, 230])]
        let scatter = ProportionGroups(groups)
        #expect(abs(scatter.dispersion - (400.0 / 90 + 3600.0 / 160) / 6) < 1e-9 && scatter.degrees == 6)
        let (a, b) = (Proportion(adding: groups[0]), Proportion(adding: groups[1]))
        let (plain, z) = (try #require(b.z(above: a)), try #require(scatter.z(of: b, above: a)))
        #expect(abs(z - plain / scatter.dispersion.squareRoot()) < 1e-9)
        // Less than chance makes is taken for chance, and one of each says nothing about scatter.
        #expect(ProportionGroups([group([100, 100])]).dispersion == 1)
        #expect(ProportionGroups([group([100]), group([300])]).dispersion == 1)
    }

    /// The quantiles of 0.99865, that of 3 standard errors.
    @Test(arguments: [(6, 4.90, 0.2), (10, 3.96, 0.05), (30, 3.27, 0.02), (1000, 3.0, 0.02)])
    func aBoundOfFewDaysIsThatOfStudentsT(degrees: Int, quantile: Double, tolerance: Double) {
        #expect(abs(Chance.bound(degrees: degrees) - quantile) < tolerance)
    }

    /// An app release that loses two thirds of the clicks of a platform, on days of the default report: 17 to 26 days ago it is
    /// in more than the last 7 days, 3 days ago in two of them.
    @Test(arguments: [3, 4, 8, 17, 26])
    func aReleaseThatLosesClicksIsNamedWhereverItBegins(daysAgo: Int) throws {
        let scene = Scene.usual(days: daysAgo + 29) { day in
            [
                Scene.Messages(impressed: 1000, clicked: 300, opened: 100),
                Scene.Messages(platform: .ios, impressed: 1000, clicked: day <= daysAgo ? 100 : 300, opened: 100),
            ]
        }
        let (begin, days) = (last.adding(days: -daysAgo), min(7, daysAgo - 1))
        let range = { (first: Int, last: Int) in
            DateText.range(self.last.adding(days: -first), to: self.last.adding(days: -last))
                .replacing("\u{A0}", with: " ")
        }
        let expected =
            "Fewer messages of ios were clicked since \(DateText.short(begin).replacing("\u{A0}", with: " ")): 10.0 % of "
            + "\(NumberText.exact(days * 1000)) messages on \(days) days (\(range(days + 1, 2))), before 30.0 % of "
            + "28,000 messages on 28 days (\(range(daysAgo + 28, daysAgo + 1)))."
        #expect(try findings(scene) == [expected])
        // Also where nothing is compared; and not for a period that ended before.
        #expect(try findings(scene, ReportRequest(comparison: .none)) == [expected])
        let earlier = ReportRequest(last: last.adding(days: -daysAgo - 1), comparison: .none)
        #expect(try findings(scene, earlier)[0].hasPrefix("Nothing stands out"))
    }

    @Test(arguments: [(49, true), (50, false)])
    func aShareHasFallenBelowHalfOfOneHundredExpected(clicked: Int, isTold: Bool) throws {
        func found(_ messages: Int) throws -> Bool {
            let scene = Scene.usual(days: 20) { day in
                [
                    Scene.Messages(
                        messages: messages, impressed: messages, clicked: messages * (day < 9 ? clicked : 100) / 1000)
                ]
            }
            return try findings(scene)[0].hasPrefix("Fewer messages of android were clicked")
        }
        #expect(try found(1000) == isTold)
        // On 7 days of 100 messages, 70 clicks were to be expected.
        #expect(try found(100) == false)
    }

    /// A delivery that nobody can click, larger than a week of the others.
    @Test func oneLargeDeliveryOfAnotherKindIsNoLoss() throws {
        var scene = Scene.usual(days: 20) { _ in usual }
        scene.add([.init(delivery: "d2", messages: 20_000, clicked: 0, opened: 0)], on: last.adding(days: -4))
        #expect(try findings(scene)[0].hasPrefix("Nothing stands out"))
        // Nor is it one where large deliveries that everybody clicks are over.
        let before = Scene.usual(days: 20) { day in
            day > 8 && day % 3 == 0 ? usual + [.init(delivery: "d2", messages: 20_000, clicked: 18_000)] : usual
        }
        #expect(try findings(before)[0].hasPrefix("Nothing stands out"))
    }

    @Test func opensWithoutAClickThatTripledAreNamed() throws {
        func scene(_ openedWithoutClick: Int) -> Scene {
            Scene.usual(days: 37) { day in
                [.init(), .init(platform: .ios, openedWithoutClick: day < 9 ? openedWithoutClick : nil)]
            }
        }
        #expect(
            try findings(scene(61)) == [
                "More opens of ios came without a click: 30.5 % of 1,400 opens on 7 days (11 Nov – 17 Nov 2026), "
                    + "before 10.0 % of 5,600 opens on 28 days (14 Oct – 10 Nov 2026)."
            ])
        #expect(try scene(61).page().element("findings")?.all("a").map { $0.attributes["href"] } == ["#quality"])
        #expect(try findings(scene(59))[0].hasPrefix("Nothing stands out"))
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

    @Test func theTextHasAtMost26LinesOf72Columns() throws {
        let day = last.adding(days: -3)
        var scene = Scene.usual { day in
            [
                Scene.Messages(impressed: 1000, clicked: 500, opened: day < 28 ? 100 : 300),
                Scene.Messages(platform: .ios, impressed: 1000, clicked: day < 28 ? 100 : 500, opened: 100),
                Scene.Messages(platform: .web, impressed: 1000, clicked: 300, opened: day < 28 ? 1 : 100),
            ]
        }
        for id in ["a", "b", "c", "d", "e", "f"] {
            scene.add([.init(delivery: id, messages: 900, opened: id < "d" ? 20 : 800)], on: day)
        }
        let long = String(repeating: "wide name ", count: 20) + String(repeating: "W", count: 200) + "\u{9b}31m"
        for (index, id) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            scene.name(id, long + id, campaign: "\(index % 3)" + long, variant: id + long, day: day, sent: 1000)
        }
        for id in ["x", "y", "z", "u"] { scene.name(id, long + id, day: day, sent: 3000) }
        let lines = try scene.report().text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= 26, "\(lines.joined(separator: "\n"))")
        #expect(lines.allSatisfy { $0.count <= 72 && !$0.unicodeScalars.contains("\u{9b}") })
        #expect(
            lines.contains("What stands out") && lines.contains("Compared with 4 weeks earlier, 25 Sep – 22 Oct 2026."))
        #expect(lines.contains { $0.hasPrefix("Opened of sent") })
        #expect(lines.contains { $0.hasSuffix("more on the page") })
    }

    @Test func theTextSaysWhatThePageSays() throws {
        let scene = Scene.usual { _ in usual }
        #expect(
            try scene.report().text == """
                Push messages, 23 Oct – 19 Nov 2026
                All 28 log dates are complete.

                What stands out
                Nothing stands out: opened did not change by more than it usually does,
                no action of a platform fell below half of its share.

                Compared with 4 weeks earlier, 25 Sep – 22 Oct 2026.
                Messages (known from any log)  56.0 k   ±0.0 % from 56.0 k
                Opened                         11.2 k   ±0.0 % from 11.2 k
                Opened of messages             20.0 %   ±0.0 pt from 20.0 %

                """)
    }
}
