import Calendar
import Messages
import Reports
import Support
import Testing

@testable import Partitions

/// The page itself, also where there is little to show.
@Suite struct PageTests {
    private let last = Scene.lastDate

    /// The page, after what must hold for every page.
    private func checked(_ scene: Scene, _ request: ReportRequest? = nil) throws -> ParsedPage {
        let html = try scene.report(request).html
        let page = try ParsedPage(html)
        for word in ["<script", "http", "url(", "@import", "NaN", "inf\"", "-0\""] {
            #expect(!html.contains(word), "\(word)")
        }
        let ids = page.everything.compactMap { $0.attributes["id"] }
        #expect(Set(ids).count == ids.count)
        for image in page.all("svg") {
            let names = image.children.prefix(2)
            #expect(names.map(\.name) == ["title", "desc"] && names.allSatisfy { !$0.text.isEmpty })
            let named = image.attributes["aria-labelledby"]?.split(separator: " ").map(String.init)
            #expect(named == names.compactMap { $0.attributes["id"] })
        }
        for figure in page.all("figure") {
            #expect(figure.all("svg").count == 2 && figure.all("details").first?.all("table").count == 1)
        }
        for table in page.all("table") {
            let widths = Set(table.all("tr").map(\.children.count))
            #expect(widths.count == 1, "\(table.all("caption").first?.text ?? "")")
        }
        return page
    }

    private func trust(_ page: ParsedPage) -> String {
        page.element("trust")?.text.replacing("\u{A0}", with: " ") ?? ""
    }

    /// What the operator is told.
    private func logDates(_ page: ParsedPage) -> String {
        page.element("operator")?.text.replacing("\u{A0}", with: " ") ?? ""
    }

    @Test func aUsualPageHasItsSectionsInOrder() throws {
        let page = try checked(Scene.usual())
        #expect(
            page.all("section").map { $0.attributes["id"] } == [
                "trust", "findings", "headline", "trend", "funnel", "platforms", "hours", "delay", "deliveries",
                "variants", "definitions", "operator", "quality", "lateness", "rejects",
            ])
        #expect(trust(page).contains("Complete All 28 log dates are complete. See log dates"))
        #expect(logDates(page).contains("18 Nov – 19 Nov 2026 still grow"))
        // Nobody has to look at it.
        #expect(page.all("details").first { $0.attributes["class"] == "operator" }?.attributes["open"] == nil)
    }

    @Test func daysThatAreAllFinalAreNotProvisional() throws {
        let scene = Scene.usual(days: 70)
        let page = try checked(scene, ReportRequest(first: last.adding(days: -40), last: last.adding(days: -34)))
        #expect(logDates(page).contains("All days with events are final"))
        #expect(!logDates(page).contains("provisional"))
    }

    @Test func withoutAnyLogDateThePageSaysWhatToDo() throws {
        let scene = Scene()
        #expect(trust(try checked(scene)).contains("Nothing is loaded yet"))
        #expect(try scene.report().period == nil)
        let asked = try checked(scene, ReportRequest(first: last, last: last))
        #expect(trust(asked).contains("No log date is loaded yet."))
    }

    @Test func oneDate() throws {
        let page = try checked(Scene.usual(days: 1))
        #expect(trust(page).contains("1 of 28 log dates is complete; 27 lie outside of those loaded."))
        let headline = page.element("headline")?.text
        #expect(headline?.contains("There is nothing to compare with") == true)
        #expect(headline?.contains("not comparable") == false)
        #expect(headline?.contains("Messages1,000known from any log") == true)
    }

    /// Early events of the first log date fall on days before it. They are no figures to compare with.
    @Test func strayEventsOnDaysThatAreNotLoadedAreNotCompared() throws {
        var scene = Scene.usual(days: 1)
        scene.add([.init(late: 1000)], on: last.adding(days: -1))
        let page = try checked(scene, ReportRequest(first: last))
        #expect(page.row("android", of: "platforms")?.count == 5)
        #expect(
            page.element("headline")?.text.contains(
                "There is nothing to compare with: no log date a week earlier is complete.") == true)
    }

    @Test func aPeriodBeforeTheFirstLogDate() throws {
        let page = try checked(
            Scene.usual(), ReportRequest(first: LogDate("2020-01-01"), last: LogDate("2020-01-31")))
        #expect(trust(page).contains("No log date of these days is loaded"))
        #expect(page.all("section").map { $0.attributes["id"] } == ["trust", "definitions", "operator"])
    }

    @Test func noImpressions() throws {
        let page = try checked(Scene.usual(days: 1) { _ in [.init(impressed: 0, opened: 0)] })
        #expect(page.element("platforms")?.text.contains("No message of this period has an impression") == true)
        #expect(page.row("android", of: "platforms")?[1] == "–")
        #expect(page.element("hours")?.text.contains("There was no open") == true)
    }

    @Test func withoutImpressionsAndArrivalsItIsNotKnownHowSoonMessagesWereOpened() throws {
        let scene = Scene.usual(days: 3) { _ in [.init(impressed: 0)] }
        #expect(
            try checked(scene).element("delay")?.text.contains("Of no open in this period it is known how soon it came")
                == true)
    }

    @Test func daysThatAreAllPartialAreShownAndNotCompared() throws {
        var scene = Scene.usual()
        for date in scene.loads.keys { scene.loads[date]?.status = .partial }
        let page = try scene.page()
        let trust = page.element("trust")?.text.replacing("\u{A0}", with: " ") ?? ""
        #expect(trust.contains("28 of 28 log dates need a look: 23 Oct – 19 Nov are partial."))
        #expect(page.row("Messages", of: "headline figures, exact") == ["Messages", "28", "28000", "0", "–", "–", "–"])
        #expect(page.element("findings")?.text.contains("there is too little to compare") == true)
        #expect(page.element("headline")?.text.contains("There is nothing to compare with") == true)
    }

    @Test func aLogDateThatWasHeldBackAfterTheLastOneIsNamed() throws {
        var scene = Scene.usual(days: 29)
        scene.hold(last.adding(days: 1), because: "held back: 6 of 100 records")
        let text = trust(try checked(scene))
        #expect(text.contains("Check 1 of 29 log dates needs a look: 20 Nov is held back. See why"))
        // A period that ends earlier is complete.
        let page = try checked(scene, ReportRequest(first: nil, last: last.adding(days: -1)))
        #expect(trust(page).contains("Complete All 28 log dates are complete."))
    }

    @Test func aPlatformWithoutMessages() throws {
        var scene = Scene.usual(days: 29)
        scene.add([.init(opensOn: .web)], on: last)
        #expect(try checked(scene).row("web", of: "platforms") == ["web", "–", "–", "–", "0", "0", "0"])
    }

    @Test func gapsPartialAndHeldBackLogDatesAreNamed() throws {
        var scene = Scene.usual(days: 28)
        for daysAgo in [15, 16] { scene.loads[last.adding(days: -daysAgo)] = nil }
        scene.loads[last.adding(days: -9)]?.status = .partial
        scene.hold(last.adding(days: -7), because: "held back: 6 of 100 records")
        let page = try checked(scene)
        #expect(
            trust(page).contains(
                "Check 4 of 28 log dates need a look: 3 Nov – 4 Nov are missing; 10 Nov is partial; 12 Nov is held back."
            ))
        #expect(page.all("details").first { $0.attributes["class"] == "operator" }?.attributes["open"] == "open")
        #expect(page.row("2026-11-12", of: "log dates")?.last == "held back: 6 of 100 records")
        // The line is broken where log dates are missing or partial.
        let line = page.element("trend")?.all("path").first { $0.attributes["class"] == "line blue" }
        #expect(line?.attributes["d"]?.filter { $0 == "M" }.count == 4)
        #expect(page.row("2026-11-03", of: "messages of each day")?[3] == "not loaded")
    }

    /// Their codes stand elsewhere.
    @Test func warningsWhoseSentencesSomebodyHasEditedAreNamedByTheirCodes() throws {
        var scene = Scene.usual(days: 28)
        scene.warn("silent_hours", of: last.adding(days: -9))
        scene.edit("UPDATE _warnings SET sentences = 'none of ours'")
        let page = try checked(scene)
        #expect(trust(page).contains("1 of 28 log dates needs a look: 10 Nov lacks hours."))
        #expect(logDates(page).contains("10 Nov 2026: silent_hours."))
    }

    @Test func warningsOfLoadsAreNamed() throws {
        var scene = Scene.usual(days: 28)
        let (first, second) = (last.adding(days: -9), last.adding(days: -1))
        let sentences = ["source '<a>' lacks logs/<web2>/a.log, which the last 7 dates had", "\u{9b}31m ignored"]
        scene.warn(
            "missing_usual_files,trailing_bytes", sentences, gaps: ["lacks <web2>/a.log"], of: first)
        scene.warn("trailing_bytes", of: second)
        let page = try checked(scene)
        #expect(
            trust(page)
                == "Can these figures be trusted?Check 1 of 28 log dates needs a look: 10 Nov lacks <web2>/a.log. See why"
        )
        let told = sentences[0] + "; \\u{9b}31m ignored"
        let lines = page.element("operator")?.all("li").map { $0.text.replacing("\u{A0}", with: " ") }
        #expect(lines == ["10 Nov 2026: \(told).", "18 Nov 2026: trailing_bytes."])
        #expect(page.row("2026-11-10", of: "log dates")?.last == told.replacing(",", with: ""))
        let text = try scene.report().text
        #expect(text.contains("\nCheck: 1 of 28 log dates needs a look: 10 Nov lacks <web2>/a.log.\n"))
        #expect(text.hasSuffix("\n18 Nov 2026: trailing_bytes.\n") && !text.contains("\u{9b}"))

        for day in 0..<28 {
            scene.warn("accepted,missing_usual_files", of: last.adding(days: -day), isAccepted: true)
        }
        let accepted = try checked(scene)
        #expect(
            trust(accepted).hasPrefix(
                "Can these figures be trusted?Complete 0 of 28 log dates are complete; 28 were accepted with gaps."))
        #expect(!logDates(accepted).contains("missing_usual_files"))
    }

    @Test func labelsAreTextWhateverIsInThem() throws {
        let labels = [
            "<script>alert(1)</script>", "</bdi></table>", "\" onload='x'", "🎉 & co", "מבצע חדש",
            "a\u{9b}31m\u{202e}b\n",
            "\u{fffe}",
        ]
        var scene = Scene()
        for date in [last, last.adding(days: -28)] {
            scene.loads[date] = .init()
            scene.add(
                labels.indices.map {
                    .init(delivery: "d\($0)", messages: 200 + $0, opened: date == last ? 10 * $0 + 50 : 20)
                }, on: date)
        }
        for (index, label) in labels.enumerated() { scene.name("d\(index)", label) }
        let page = try checked(scene)
        let shown = Set(page.element("deliveries")?.all("bdi").map(\.text) ?? [])
        #expect(
            shown.isSuperset(of: [
                "<script>alert(1)</script>", "</bdi></table>", "\" onload='x'", "🎉 & co", "מבצע חדש",
                "a\\u{9b}31m\\u{202e}b\\u{a}", "\\u{fffe}",
            ]))
    }

    @Test func threeThousandDeliveries() throws {
        // Hundreds of them have enough messages for a rank.
        var scene = Scene.usual(days: 2)
        scene.add(
            (0..<3000).map { .init(delivery: "x\($0)", messages: $0 < 300 ? 100 : 1, opened: $0 % 100) }, on: last)
        let report = try scene.report()
        #expect(report.html.utf8.count < 300_000)
        let page = try checked(scene)
        #expect(
            page.element("deliveries")?.text.contains("3,001 deliveries had messages or were sent in this period")
                == true)
    }

    /// The program writes its own version alone, so it is edited.
    @Test func aDatabaseOfAFormerVersionIsNotRead() throws {
        var scene = Scene()
        scene.edit("PRAGMA user_version = 6; UPDATE about SET value = '6' WHERE key = 'schema_version'")
        #expect(throws: OutputError(.former, at: try scene.output().path)) { try scene.report() }
    }
}
