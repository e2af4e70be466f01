import Foundation
import Support
import Testing

/// Days before today, in UTC.
private func date(_ daysAgo: Int) -> String {
    Date(timeIntervalSinceNow: -86_400 * Double(daysAgo)).formatted(.iso8601.year().month().day())
}

extension Workplace {
    fileprivate func write(_ daysAgo: Int, _ text: String = "") throws {
        try scratch.write(Workplace.hit("h\(daysAgo + 1),d,7") + "\n" + text, to: "logs/\(date(daysAgo)).log")
        settle()
    }

    fileprivate func load(_ daysAgo: Int...) throws {
        for day in daysAgo {
            try write(day)
            #expect(try run("run", "--date", date(day)).exit == 0)
        }
    }

    /// What `status --check` says of the log dates.
    fileprivate func check(_ options: String...) throws -> (Int32, String) {
        let outcome = try run(["status", "--check", "--quiet"] + options)
        #expect(outcome.stdout == "")
        return (outcome.exit, outcome.stderr)
    }

    fileprivate static func empty() throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(onePipeline, to: "push.yaml")
        try place.scratch.makeFolder("logs")
        return place
    }
}

@Suite(.needsPushetl)
struct StatusCheckTests {
    @Test func nothingIsNeededWhereAllIsLoaded() throws {
        let place = try Workplace.empty()
        try place.load(2, 1)
        // Today may still get files.
        try place.write(0)
        #expect(try place.check() == (0, ""))
        #expect(try place.run("status", "--check").stdout.contains("  complete    2\n"))
        #expect(try place.run("status", "--check", "--json").object()["needs"] as? [String] == [])
        #expect(try place.run("status", "--json").object()["needs"] == nil)
    }

    @Test(arguments: [["status"], ["status", "--check"]])
    func aRangeWithoutLoadedDatesIsNotAnEmptyOutput(_ command: [String]) throws {
        let place = try Workplace.empty()
        try place.load(2, 1)
        let range = ["--from", "2020-01-01", "--to", "2020-01-31"]
        #expect(try place.run(command + range).stdout == "out/push.db: no log date of this range is loaded\n")
        let outcome = try place.run(command + ["--from", "2020-02-01", "--to", "2020-01-31"])
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.contains("--from 2020-02-01 is after --to 2020-01-31; give the earlier date first."))
    }

    @Test func aDateThatIsLoadedAndNotPublishedIsNamedAtAnyAge() throws {
        let place = try Workplace.empty()
        try place.load(60, 1)
        try place.write(60, Workplace.hit("hff,d,7") + "\n")
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", date(60), "--wait", "0")
        }
        #expect(outcome.exit == 75)
        let sentence = "error: \(date(60)): is loaded and not published; the next 'run' or 'backfill' does that\n"
        #expect(try place.check() == (65, sentence))
        #expect(try place.run("run", "--date", date(1)).exit == 0)
        #expect(try place.check() == (0, ""))
    }

    @Test func yesterdayMustBeLoaded() throws {
        let place = try Workplace.empty()
        try place.load(2)
        #expect(try place.check() == (65, "error: \(date(1)): is not loaded, and has no files\n"))
        #expect(try place.check("--to", "-2") == (0, ""))
        try place.write(1)
        #expect(try place.check() == (65, "error: \(date(1)): is not loaded, and has 1 file\n"))
        let json = try place.run("status", "--check", "--json").object()
        #expect(
            json["needs"] as? [[String: String]] == [
                ["log_date": date(1), "need": "missing", "message": "\(date(1)): is not loaded, and has 1 file"]
            ])
        #expect((json["errors"] as? [[String: String]])?.first?["code"] == "missing")
        try place.load(1)
        #expect(try place.check() == (0, ""))
    }

    @Test func yesterdayIsThatOfThePipelinesZone() throws {
        let place = try Workplace.empty()
        // At any instant, at least one of these zones has another date than UTC.
        for zone in ["Pacific/Kiritimati", "Etc/GMT+12"] {
            let time = try #require(TimeZone(identifier: zone))
            let yesterday = Date(timeIntervalSinceNow: -86_400).formatted(
                Date.ISO8601FormatStyle(timeZone: time).year().month().day())
            try place.scratch.write("timezone: \(zone)\n" + Workplace.onePipeline, to: "push.yaml")
            #expect(try place.check() == (65, "error: \(yesterday): is not loaded, and has no files\n"))
        }
    }

    @Test func staleAndPartialDatesOfTheLastThirtyAreNamed() throws {
        let place = try Workplace.empty()
        try place.load(31, 30, 3, 2, 1)
        for day in [31, 30, 3] { try place.write(day, Workplace.hit("hff,d,7") + "\n") }
        let changed = { (dates: String, first: Int) in
            "error: \(dates): the first: stale: logs/\(date(first)).log has changed\n"
        }
        #expect(try place.check() == (65, changed("\(date(30)), \(date(3)) (2 log dates)", 30)))
        let all = "\(date(31)) to \(date(30)), \(date(3)) (3 log dates)"
        #expect(try place.check("--from", "-31") == (65, changed(all, 31)))
        #expect(try place.check("--from", "-29", "--to", "-4") == (0, ""))

        try place.scratch.write(Workplace.twoSources, to: "push.yaml")
        try place.scratch.makeFolder("more")
        #expect(try place.run("run", "--date", date(2), "--force").exit == 65)
        let lines = [
            "error: \(date(31)) to \(date(30)), \(date(3)), \(date(1)) (4 log dates): each was loaded with another pipeline "
                + "file, or by earlier rules of reading\n",
            "error: \(date(2)): partial: source 'second' has no files\n",
        ]
        let (exit, text) = try place.check("--from", "-2", "--to", "-2")
        #expect(exit == 65)
        #expect(text.hasPrefix("warning: 4 log dates were loaded with another pipeline file, "))
        #expect(text.split(separator: "\n").dropFirst().map { $0 + "\n" } == lines)
    }

    @Test func logDatesWithTheSameReasonAreOneLine() throws {
        let place = try Workplace.empty()
        try place.load(1)
        for day in 2...26 { try place.write(day) }
        let text = "\(date(26)) to \(date(2)) (25 log dates): each is not loaded, and has 1 file"
        #expect(try place.check() == (65, "error: \(text)\n"))
        let json = try place.run("status", "--check", "--json").object()
        #expect(json["errors"] as? [[String: String]] == [["code": "missing", "message": text]])
        #expect((json["needs"] as? [[String: String]])?.count == 25)
        // The numbers may differ.
        try place.scratch.write(Workplace.onePipeline.replacing("%d.log", with: "%d*.log"), to: "push.yaml")
        try place.scratch.write(Workplace.hit("h9,d,7") + "\n", to: "logs/\(date(20))b.log")
        let first = "\(date(26)) to \(date(2)) (25 log dates): the first is not loaded, and has 1 file"
        let (exit, lines) = try place.check("--from", "-26", "--to", "-2")
        #expect(exit == 65)
        #expect(lines.contains("error: \(first)\n"), "\(lines)")
    }

    @Test func heldBackAndDamagedDatesAreNamedAtAnyAge() throws {
        let place = try Workplace.empty()
        try place.load(60, 1)
        try place.write(50, "junk\n")
        #expect(try place.run("run", "--date", date(50)).exit == 65)
        let partition = "out/partitions/\(date(60)).sqlite"
        try place.scratch.write("no database, but a text that is long enough to be one. ", to: partition)
        for options in [[], ["--from", "-3"]] {
            let outcome = try place.run(["status", "--check"] + options)
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr == """
                    error: \(date(60)): damaged: it is not a SQLite database
                    error: \(date(50)): held back: 1 of 2 records were rejected, more than limits.reject_ratio (0.05) allows

                    """)
            #expect(outcome.stdout.contains("  held back   1") == options.isEmpty)
        }
    }
}
