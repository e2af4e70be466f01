import Calendar
import Foundation
import Messages
import Output
import Support
import Testing

@testable import Partitions
@testable import Reports

@Suite struct ArchiveTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func keep(_ scene: Scene) throws -> [String: ExportedFile.State] {
        let archive = ReportArchive(in: scratch.path("kept"), comparison: .previous)
        let files = try archive.write(scene.output(), with: SerialWorkers())
        return Dictionary(
            uniqueKeysWithValues: files.map { (String($0.path.dropFirst(scratch.path("kept").count + 1)), $0.state) })
    }

    /// The last log date is Thursday, 2026-11-19.
    @Test func theIndexLinksToEachWeekAndMonthThatHasEndedAndTheyLinkBack() throws {
        let scene = Scene.usual()
        let weeks = (39...46).map { "2026/W\($0).html" }
        #expect(Set(try keep(scene).keys) == Set(weeks + ["2026-09.html", "2026-10.html", "index.html"]))
        let index = try ParsedPage(try scratch.text("kept/index.html"))
        let links = index.all("a").compactMap { $0.attributes["href"] }
        // A week that two months share stands in both.
        #expect(Set(links) == Set(weeks + ["2026-09.html", "2026-10.html"]) && links.count == 12)
        for path in Set(links) {
            let page = try ParsedPage(try scratch.text("kept/\(path)"))
            let back = page.all("a").compactMap { $0.attributes["href"] }.filter { !$0.hasPrefix("#") }
            #expect(back == [path.contains("/") ? "../index.html" : "index.html"])
            #expect(page.all("footer").isEmpty)
        }
        #expect(
            index.table("Nov\u{A0}2026").map { $0.joined(separator: " ") } == [
                "week Mon Tue Wed Thu Fri Sat Sun", "W44             1", "W45 2 3 4 5 6 7 8", "W46 9 10 11 12 13 14 15",
                "W47 16 17 18 19 20 21 22",
            ])
    }

    @Test func theIndexMarksDatesThatAreNotComplete() throws {
        var scene = Scene.usual(days: 12)
        scene.loads[Scene.lastDate.adding(days: -9)]?.status = .partial
        scene.loads[Scene.lastDate.adding(days: -8)] = nil
        scene.hold(Scene.lastDate.adding(days: -7), because: "2026-11-12: held back")
        scene.warn("trailing_bytes", of: Scene.lastDate.adding(days: -6))
        _ = try keep(scene)
        let index = try ParsedPage(try scratch.text("kept/index.html"))
        #expect(index.row("W46", of: "Nov\u{A0}2026") == ["W46", "9", "10 P", "11 M", "12 H", "13 W", "14", "15"])
    }

    /// What nobody knows yet has no page, nor has a time without log dates.
    @Test func weeksWithoutFiguresHaveNoPage() throws {
        var scene = Scene.usual(days: 3)
        let early = try #require(LogDate("2024-02-29"))
        scene.loads[early] = .init()
        scene.add([.init()], on: early)
        #expect(Set(try keep(scene).keys) == ["2024/W09.html", "2024-02.html", "index.html"])
        try scratch.remove("kept")
        #expect(try keep(Scene()) == ["index.html": .written])
        #expect(try scratch.text("kept/index.html").contains("Nothing is loaded yet"))
    }

    /// Without the day, and with it; the pages that compare with it are others too, and those of the weeks that follow.
    @Test func onlyPagesThatShowWhatChangedAreWritten() throws {
        var scene = Scene.usual(days: 74)
        #expect(Set(try keep(scene).values) == [.written])
        #expect(Set(try keep(scene).values) == [.unchanged])
        let changed = try #require(LogDate("2026-09-09"))
        scene.add([.init(platform: .web)], on: changed)
        let written = try keep(scene).filter { $0.value == .written }.keys.sorted()
        #expect(written == ["2026-09.html", "2026-10.html", "2026/W37.html", "2026/W38.html"])
        // The next night: Friday, 2026-11-20. All days before 2026-10-20 are final.
        let next = Scene.lastDate.adding(days: 1)
        scene.loads[next] = .init()
        scene.add([.init()], on: next)
        let pages = try keep(scene).filter { $0.value == .written }.keys.sorted()
        // Also the pages of the days on which the delivery began: they have what came of it as a whole.
        #expect(pages.contains("2026-10.html") && pages.last == "index.html" && !pages.contains("2026/W41.html"))
        #expect(pages.contains("2026/W46.html"))
    }
}
