import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct ReportTests {
    private func loaded() throws -> Workplace {
        let place = try Workplace.withHits(
            (1...50).map { Workplace.hit("h\(String($0, radix: 16)),d57fd6,\($0 % 2 == 0 ? 7 : 1)") })
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        return place
    }

    /// Loads an earlier log date, so that there is something to compare with.
    private func loadEarlier(_ date: String, _ day: String, _ place: Workplace) throws {
        let hit = Workplace.hit("h999,d57fd6,7").replacing("19/Nov/2026", with: day)
        try place.scratch.write(hit + "\n", to: "logs/\(date).log")
        #expect(try place.run("run", "--date", date).exit == 0)
    }

    @Test func theReportIsWrittenToTheWorkingFolder() throws {
        let place = try loaded()
        try loadEarlier("2026-10-20", "20/Oct/2026", place)
        let outcome = try place.run("report")
        #expect(outcome.exit == 0 && outcome.stderr.isEmpty)
        let bytes = try #require(place.bytes("report.html"))
        #expect(outcome.stdout.hasPrefix("report.html: written, \(bytes.count / 1000)."))
        #expect(
            outcome.stdout.hasSuffix(
                " kB, 2026-10-23 to 2026-11-19, compared with 2026-09-25 to 2026-10-22, 50 messages\n"))
        let page = try ParsedPage(String(decoding: bytes, as: UTF8.self))
        #expect(page.row("Messages", of: "headline figures, exact")?[2] == "50")
    }

    @Test func withoutAnOutputItSaysWhatToDo() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run("report")
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr
                == "error: out/push.db: does not exist yet; load a log date with 'pushetl run', or give its folder with --output\n"
        )
        #expect(!place.scratch.exists("report.html") && !place.scratch.exists("out"))
    }

    @Test(arguments: [
        (
            ["--from", "2026-11-20", "--to", "2026-11-19"],
            "--from 2026-11-20 is after --to 2026-11-19; give the earlier date first."
        ),
        (["--from", "2026-11-31"], "2026-11 has 30 days"),
        (
            ["--from", "2026-12-01"],
            "the first day, 2026-12-01, is after the last one, 2026-11-19; give --to, or an earlier --from."
        ),
        (["--from", "0001-01-01"], "0001-01-01 to 2026-11-19 is too long for a page; give at most 3,660 days."),
        (["--compare", "year"], "year"), (["--out", ""], "--out takes a file, and was given an empty name."),
        (["--json", "--out", "-"], "--json and --out - would both write to standard output: give one of them."),
    ])
    func wrongUsageSaysWhatIsWrong(arguments: [String], text: String) throws {
        let place = try loaded()
        let outcome = try place.run(["report"] + arguments)
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.contains(text), "\(outcome.stderr)")
        #expect(!place.scratch.exists("report.html"))
    }

    @Test func standardOutputGetsThePageAndNothingElse() throws {
        let place = try loaded()
        #expect(try place.run("report", "--out", "page.html").exit == 0)
        let outcome = try place.run("report", "--out", "-")
        #expect(outcome.exit == 0)
        #expect(Data(outcome.stdout.utf8) == place.bytes("page.html"))
        #expect(!place.scratch.exists("report.html"))
    }

    @Test func anExistingPageIsReplacedAndAFailureLeavesIt() throws {
        let place = try loaded()
        try place.scratch.write("old", to: "r.html")
        #expect(try place.run("report", "--out", "r.html").exit == 0)
        #expect(place.bytes("r.html")?.starts(with: Data("<!DOCTYPE html>".utf8)) == true)
        // A folder of that name cannot be replaced.
        try place.scratch.makeFolder("folder.html")
        let outcome = try place.run("report", "--out", "folder.html")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr == "error: folder.html: cannot be written: is a directory\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.scratch.root)
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    /// As root, a device that is replaced by a file breaks the system.
    @Test func whatIsNoFileIsWrittenToAndALinkIsFollowed() throws {
        let place = try loaded()
        #expect(try place.run("report", "--out", "page.html").exit == 0)
        let page = try #require(place.bytes("page.html"))

        try place.scratch.write("old", to: "target.html")
        #expect(symlink("target.html", place.scratch.path("link.html")) == 0)
        #expect(try place.run("report", "--out", "link.html").exit == 0)
        #expect(place.bytes("target.html") == page)
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: place.scratch.path("link.html")) == "target.html")

        let fifo = place.scratch.path("fifo")
        #expect(mkfifo(fifo, 0o600) == 0)
        let running = try place.start(["report", "--out", "fifo"], until: "fifo")
        let reader = try #require(FileHandle(forReadingAtPath: fifo))
        #expect(try reader.readToEnd() == page)
        #expect(try running.wait().exit == 0)
        var status = stat()
        #expect(stat(fifo, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    @Test func aLinkInPlaceOfTheTemporaryFileIsNotFollowed() throws {
        let place = try loaded()
        try place.scratch.write("precious", to: "mine")
        #expect(symlink("mine", place.scratch.path(".r.html.tmp")) == 0)
        #expect(try place.run("report", "--out", "r.html").exit == 0)
        #expect(try place.scratch.text("mine") == "precious")
    }

    @Test func aReportChangesNothingInTheOutputAndIsTheSameEachTime() throws {
        let place = try loaded()
        let before = place.outputBytes()
        #expect(try place.run("report", "--out", "a.html").exit == 0)
        #expect(try place.run("report", "--out", "b.html").exit == 0)
        #expect(place.bytes("a.html") == place.bytes("b.html"))
        #expect(place.outputBytes() == before)
    }

    @Test func theTextIsPrintedAndThePageIsWrittenOnlyWhereAskedFor() throws {
        let place = try loaded()
        let outcome = try place.run("report", "--text")
        #expect(outcome.exit == 0 && outcome.stderr.isEmpty)
        #expect(outcome.stdout.hasPrefix("Push messages, 23 Oct – 19 Nov 2026\nCheck: 1 of 28 log dates is complete."))
        #expect(outcome.stdout.contains("\nNothing is compared: no log date 4 weeks earlier is complete.\n"))
        #expect(outcome.stdout.contains("\nOpened" + String(repeating: " ", count: 29) + "25\n"))
        #expect(!place.scratch.exists("report.html"))
        let both = try place.run("report", "--text", "--out", "r.html")
        #expect(both.stdout == outcome.stdout && place.scratch.exists("r.html"))
        for arguments in [["--text", "--json"], ["--text", "--out", "-"]] {
            #expect(try place.run(["report"] + arguments).exit == 64)
        }
    }

    /// As `status --check` would.
    @Test func withCheckItEndsAsStatusDoes() throws {
        let place = try loaded()
        let status = try place.run("status", "--check", "--quiet")
        let report = try place.run("report", "--text", "--check")
        #expect(status.exit == 65 && report.exit == 65)
        #expect(report.stderr == status.stderr && report.stdout.hasPrefix("Push messages, "))
    }

    @Test func noPipelineFileIsNeededIfTheOutputIsGiven() throws {
        let place = try loaded()
        try place.scratch.remove("push.yaml")
        #expect(try place.run("report").exit == 78)
        #expect(try place.run("report", "--output", "out").exit == 0)
    }

    @Test func theFactsAreInTheJSON() throws {
        let place = try loaded()
        let report = ["report", "--json", "--to", "2026-11-19", "--from", "2026-11-18", "--compare", "week"]
        // Nothing is loaded that it could be compared with.
        #expect(try place.run(report).object()["compared_period"] == nil)
        try loadEarlier("2026-11-12", "12/Nov/2026", place)
        let json = try place.run(report).object()
        #expect(json["command"] as? String == "report" && json["exit_code"] as? Int == 0)
        #expect(json["path"] as? String == "report.html")
        #expect(json["bytes"] as? Int == place.bytes("report.html")?.count)
        let period = json["period"] as? [String: Any]
        #expect(
            period?["from"] as? String == "2026-11-18" && period?["to"] as? String == "2026-11-19"
                && period?["days"] as? Int == 2)
        #expect((json["compared_period"] as? [String: Any])?["to"] as? String == "2026-11-12")
        #expect(json["messages"] as? Int == 50 && json["loaded_log_dates"] as? Int == 1)
    }

    @Test func relativeDaysAreThoseOfTheZoneOfPushDB() throws {
        let place = try loaded()
        let json = try place.run("report", "--from", "-3", "--to", "yesterday", "--compare", "none", "--json").object()
        #expect((json["period"] as? [String: Any])?["days"] as? Int == 3)
    }

    /// The sample logs go the whole way: from files to the tables of the page.
    @Test func thePageOfTheSampleLogsHasTheFiguresOfPushDB() throws {
        let place = try Workplace.withSamples()
        #expect(try place.run("backfill", "-q", "--from", "2026-11-17", "--to", "2026-11-19").exit == 0)
        #expect(try place.run("report", "--from", "2026-11-17", "--to", "2026-11-19", "--compare", "none").exit == 0)
        let page = try ParsedPage(String(decoding: try #require(place.bytes("report.html")), as: UTF8.self))
        let database = "warehouse/push.db"
        let during = "day BETWEEN '2026-11-17' AND '2026-11-19'"
        for (name, column) in [
            ("messages", "messages"), ("impressed", "impressed"), ("clicked", "clicked"), ("opened", "opened"),
        ] {
            let sum = try place.rows("SELECT sum(\(column)) FROM daily_funnel WHERE \(during)", database)
            #expect(page.row(name, of: "the funnel of all platforms")?[1] == sum.first)
        }
        let platforms = try place.rows(
            """
            SELECT platform, sum(impressed), sum(opened_impressed), sum(messages) FROM daily_funnel WHERE \(during)
            GROUP BY platform
            """, database)
        let shown = page.table("platforms").dropFirst().map { ([$0[0]] + $0.suffix(3)).joined(separator: "|") }
        #expect(shown.sorted() == platforms)
        let rejects = try place.rows(
            "SELECT reason, sum(records) FROM outcomes WHERE outcome = 'rejected' GROUP BY reason", database)
        #expect(page.table("rejected records").dropFirst().map { "\($0[0])|\($0[1])" }.sorted() == rejects)
        let late = try place.rows("SELECT sum(events) FROM daily_lateness WHERE days_late = 1 AND \(during)", database)
        #expect(page.row("1 day later", of: "events by lateness")?[1] == late.first)
        // Opens within 24 hours are those of the one day that two log dates follow.
        let soon = try place.rows("SELECT sum(opened_24h) FROM daily_totals WHERE day = '2026-11-17'", database)
        #expect(page.row("24 h", of: "opens by the time since the message's first event")?[1] == soon.first)
    }
}
