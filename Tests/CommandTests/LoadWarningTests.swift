import Foundation
import Support
import Testing

/// Days before today, in UTC.
private func date(_ daysAgo: Int) -> String {
    Date(timeIntervalSinceNow: -86_400 * Double(daysAgo)).formatted(.iso8601.year().month().day())
}

/// What is missing where `web2` has no file.
private let missing = "logs/…/web2/a-….log had a file on each of the last 7 log dates"
private let accepted = missing + "; accepted with --force"
private let kept = "SELECT log_date, warnings FROM partitions WHERE warnings IS NOT NULL ORDER BY 1"
private let loads = "SELECT verdict, detail FROM loads WHERE log_date = '\(date(1))' ORDER BY started_at, finished_at"

extension Workplace {
    fileprivate func write(_ daysAgo: Int, hosts: ClosedRange<Int> = 1...2, more: String = "") throws {
        for host in hosts {
            let line = Workplace.hit("h\(daysAgo)\(host),d,7") + "\n"
            try scratch.write(line + more, to: "logs/\(date(daysAgo))/web\(host)/a-\(date(daysAgo)).log")
        }
        settle()
    }

    /// With eight loaded log dates, up to yesterday. The second host has no file of one of them.
    fileprivate static func withoutAFile(on daysAgo: Int = 1) throws -> Workplace {
        let place = try Workplace()
        let pipeline = onePipeline.replacing("logs/%Y-%m-%d.log", with: "logs/%Y-%m-%d/*/*.log")
        try place.scratch.write(pipeline, to: "push.yaml")
        for day in daysAgo...daysAgo + 7 { try place.write(day, hosts: day == daysAgo ? 1...1 : 1...2) }
        for day in 1..<max(daysAgo, 1) { try place.write(day) }
        let outcome = try place.run("backfill", "--last", "\(daysAgo + 7)", "--metrics", "push.prom")
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "warning: \(date(daysAgo)): \(missing)\n")
        return place
    }

    /// What `status --check` says of the log dates.
    fileprivate func check() throws -> (Int32, String) {
        let outcome = try run("status", "--check", "--quiet")
        return (outcome.exit, outcome.stderr)
    }

    fileprivate func metrics() throws -> [String] {
        try scratch.text("push.prom").split(separator: "\n").filter { $0.hasPrefix("pushetl_warnings") }
            .map(String.init)
    }

    /// The page without line ends and non-breaking spaces.
    fileprivate func page() throws -> String {
        #expect(try run("report").exit == 0)
        return try scratch.text("report.html").replacing("\u{A0}", with: " ")
    }
}

@Suite(.needsPushetl)
struct LoadWarningTests {
    private let need =
        "error: \(date(1)): \(missing); load it again when they are there, or accept it as it is: "
        + "'pushetl run --date \(date(1)) --force'\n"

    @Test func aMissingHostStaysVisible() throws {
        let place = try Workplace.withoutAFile()
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files"])
        #expect(try place.rows(loads) == ["complete|\(missing)"])
        #expect(try place.check() == (65, need))
        let need = try place.run("status", "--check", "--json").object()["needs"] as? [[String: String]]
        #expect(need?.map { $0["need"] } == ["missing_usual_files"])

        let status = try place.run("status")
        #expect(status.exit == 0)
        #expect(
            status.stdout.replacing("\n    ", with: " ").contains("\n  \(date(1))  warning: \(missing)\n"))
        #expect(status.stdout.contains("\n  complete    8\n  warnings    1  \(date(1))\n"))
        let state = try #require(try place.run("status", "--json").logDates().last)
        #expect(state["warnings"] as? [String] == ["missing_usual_files"])
        #expect(state["warning_messages"] as? [String] == [missing])
        #expect(try place.run("status", "--json").logDates().first?["warnings"] == nil)

        let text = try place.run("report", "--text", "--from", "-8", "--to", "-1").stdout
        #expect(text.contains("Check: All 8 log dates are complete."))
        #expect(text.replacing("\n", with: " ").contains("Warning of "))
        #expect(text.replacing("\n", with: " ").contains(": \(missing)."))
        #expect(try place.page().contains(": \(missing).</p>"))

        #expect(try place.metrics() == ["pushetl_warnings{code=\"missing_usual_files\"} 1"])
        // A night in which nothing is loaded.
        #expect(try place.run("run", "--date", "2020-01-01", "--metrics", "push.prom").exit == 66)
        #expect(try place.metrics() == ["pushetl_warnings{code=\"missing_usual_files\"} 1"])
    }

    @Test func theSameWarningsAgainChangeNothing() throws {
        let place = try Workplace.withoutAFile()
        let before = place.bytes("out/push.db")
        #expect(try place.run("run").stderr == "warning: \(missing)\n")
        #expect(place.bytes("out/push.db") == before)
        // Nor do they from another folder: the history has paths as the pipeline has them.
        try place.scratch.makeFolder("elsewhere")
        let elsewhere = place.scratch.url.appendingPathComponent("elsewhere")
        let outcome = try place.program.run(["run", "-p", "../push.yaml"], in: elsewhere)
        #expect(outcome.exit == 0 && outcome.stderr.contains("/logs/…/web2/"))
        #expect(place.bytes("out/push.db") == before)
    }

    @Test func aWarningGoesWithALoadWithoutIt() throws {
        let place = try Workplace.withoutAFile()
        try place.write(1)
        #expect(try place.check() == (65, "error: \(date(1)): stale: logs/\(date(1))/web2/a-\(date(1)).log is new\n"))
        #expect(try place.run("run", "--metrics", "push.prom").stderr == "")
        #expect(try place.rows(kept).isEmpty)
        #expect(try place.rows(loads) == ["complete|\(missing)", "complete|"])
        #expect(try place.check() == (0, ""))
        #expect(try place.metrics().isEmpty)
        #expect(try !place.run("status").stdout.contains("warning"))
        #expect(try !place.page().contains("Warning of"))
    }

    @Test func aDayIsAcceptedAsItIs() throws {
        let place = try Workplace.withoutAFile()
        let force = ["run", "--date", date(1), "--force", "--metrics", "push.prom"]
        #expect(try place.run(force).stderr == "warning: \(accepted)\n")
        for _ in 0..<2 {
            #expect(try place.check() == (0, ""))
            #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files_accepted"])
            #expect(try place.rows(loads) == ["complete|\(missing)", "complete|\(accepted)"])
            #expect(try place.metrics() == ["pushetl_warnings{code=\"missing_usual_files_accepted\"} 1"])
            #expect(try place.run("report", "--text", "--from", "-8").stdout.hasPrefix("Push messages"))
            #expect(try !place.run("report", "--text", "--from", "-8").stdout.contains("Check"))
            // It stays accepted as long as it is as it was.
            #expect(try place.run("run").stderr == "warning: \(accepted)\n")
        }
        try place.write(1, hosts: 1...1, more: Workplace.hit("hff,d,7") + "\n")
        #expect(try place.run("run").stderr == "warning: \(missing)\n")
        #expect(try place.check() == (65, need))
    }

    @Test func onlyTheLastSevenLogDatesAreChecked() throws {
        #expect(try Workplace.withoutAFile(on: 7).check().0 == 65)
        let place = try Workplace.withoutAFile(on: 8)
        #expect(try place.check() == (0, ""))
        #expect(try place.rows(kept) == ["\(date(8))|missing_usual_files"])
    }

    @Test func allWarningsOfALoadAreKept() throws {
        let place = try Workplace()
        try place.scratch.write(Workplace.twoSources.replacing("%d.log", with: "%d*.log.gz"), to: "push.yaml")
        let hit = [UInt8]((Workplace.hit("h1,d,7") + "\n").utf8)
        for name in ["a", "b"] {
            let plain = place.scratch.path("logs/\(date(1))\(name).log")
            try place.scratch.write(hit, to: "logs/\(date(1))\(name).log")
            _ = try Tool.output(of: "gzip '\(plain)' && (printf 'no member' >> '\(plain).gz')", in: place.scratch)
        }
        let outcome = try place.run("run")
        #expect(outcome.exit == 65)
        let lines = outcome.stderr.split(separator: "\n").filter { $0.hasPrefix("warning: ") }.map { $0.dropFirst(9) }
        #expect(lines.count == 3)
        #expect(try place.rows(kept) == ["\(date(1))|missing_source,trailing_bytes"])
        let detail =
            "\(date(1)): loaded in part, see the warnings; it is published as partial\n" + lines.joined(separator: "\n")
        #expect(try place.rows(loads) == ["partial|\(detail)"])
        let state = try #require(try place.run("status", "--json").logDates().last)
        #expect(state["warning_messages"] as? [String] == lines.map(String.init))
    }

    /// A load that is held back says what it found, and the partition keeps its own warnings.
    @Test func aHeldLoadLeavesTheWarningsOfWhatStands() throws {
        let place = try Workplace.withoutAFile()
        try place.write(1, hosts: 1...1, more: "junk\n")
        #expect(try place.run("run").exit == 65)
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files"])
        let details = try place.rows(loads)
        #expect(details.count == 2)
        #expect(details.last?.hasPrefix("held_back|\(date(1)): held back: 1 of 2 records were rejected") == true)
        #expect(details.last?.hasSuffix("\n\(missing)") == true)
        #expect(details.last?.contains("junk") == false)
        #expect(try place.run("report", "--text").stdout.contains("Warning of"))
    }

    @Test(arguments: [
        // The row of another date; a definition; a file that cannot be read, of which the history is lost.
        ("DELETE FROM days", true), ("ALTER TABLE partitions ADD COLUMN mine", true), ("", false),
    ])
    func aRebuildKeepsTheWarningsThatItCanRead(sql: String, areKept: Bool) throws {
        let place = try Workplace.withoutAFile()
        if sql.isEmpty {
            try place.scratch.write("no database", to: "out/push.db")
        } else {
            try execute(sql, on: place.scratch.path("out/push.db"))
        }
        let outcome = try place.run("run", "--date", "2020-01-01")
        #expect(outcome.stderr.contains("it was rebuilt from the partitions"))
        #expect(try place.rows(kept) == (areKept ? ["\(date(1))|missing_usual_files"] : []))
        #expect(try place.check() == (areKept ? (65, need) : (0, "")))
        #expect(try place.run("doctor", "--quiet").exit == 0)
        // Where they are unknown, the same load tells them again.
        #expect(try place.run("run").exit == 0)
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files"])
        #expect(try place.rows("SELECT count(*) FROM loads WHERE log_date = '\(date(1))'") == ["1"])
    }

    /// The history cannot tell them, and a command compares all rows.
    @Test func withoutItsDigestsTheWarningsOfPushDBStand() throws {
        let place = try Workplace.withoutAFile()
        let before = try place.dump()
        try place.scratch.remove("out/partitions/.kept")
        #expect(try place.run("run", "--date", "2020-01-01").stderr.contains("push.db: was") == false)
        #expect(try place.dump() == before)
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files"])
    }

    @Test func warningsWaitForAReader() throws {
        let place = try Workplace.withoutAFile()
        // Two loads of one date and one second would have one key.
        usleep(1_100_000)
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", date(1), "--force", "--wait", "0")
        }
        #expect(outcome.stderr.contains("accepted with --force"))
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files"])
        try place.write(0)
        #expect(try place.run("run", "--date", date(0)).exit == 0)
        #expect(try place.rows(kept) == ["\(date(1))|missing_usual_files_accepted"])
    }

    /// A partition that was installed by a command of which nothing else is known.
    @Test func ofALoadThatIsUnknownNoWarningsAreKept() throws {
        let place = try Workplace.withoutAFile()
        _ = try Tool.output(of: "cp -r out other", in: place.scratch)
        try place.write(1)
        #expect(try place.run("run", "--output", "other").exit == 0)
        _ = try Tool.output(of: "cp other/partitions/\(date(1)).sqlite out/partitions/", in: place.scratch)
        _ = try place.run("run", "--date", "2020-01-01")
        #expect(try place.rows(kept).isEmpty)
        #expect(try place.rows("SELECT files FROM partitions WHERE log_date = '\(date(1))'") == ["2"])
    }

    /// Log dates of which the ids are erased keep what the history tells.
    @Test func anErasedLogDateKeepsItsWarnings() throws {
        let place = try Workplace()
        let pipeline = Workplace.onePipeline.replacing(
            "sources:", with: "dedup: {window_days: 0}\nretention: {ids: 8}\nsources:"
        ).replacing("%d.log", with: "%d.log.gz")
        try place.scratch.write(pipeline, to: "push.yaml")
        for day in 1...20 {
            try place.scratch.write(Workplace.hit("h\(day),d,7") + "\n", to: "logs/\(date(day)).log")
            let end = day == 20 ? " && (printf 'no member' >> logs/\(date(day)).log.gz)" : ""
            _ = try Tool.output(of: "gzip logs/\(date(day)).log" + end, in: place.scratch)
        }
        place.settle()
        #expect(try place.run("backfill", "--last", "20", "--settle").exit == 0)
        #expect(!place.scratch.exists("out/partitions/\(date(20)).sqlite"))
        for _ in 0..<2 {
            #expect(try place.rows(kept) == ["\(date(20))|trailing_bytes"])
            try execute("DELETE FROM days", on: place.scratch.path("out/push.db"))
            #expect(try place.run("run", "--date", "2020-01-01").stderr.contains("rebuilt"))
        }
        let status = try place.run("status").stdout.replacing("\n    ", with: " ")
        #expect(status.contains("are not gzip data and were ignored"))
    }

    @Test(arguments: [["status"], ["report"], ["export", "csv", "--out", "csv"]])
    func aFileThatTheNextRunMendsIsNotToBeMovedAway(command: [String]) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write("no database", to: "out/push.db")
        let outcome = try place.run(command)
        #expect(outcome.exit == 74)
        let advice = "'doctor' says what is wrong, and the next 'run' or 'backfill' rebuilds it"
        #expect(
            outcome.stderr
                == "error: out/push.db: the database is damaged (it is not a SQLite database); \(advice)\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run(command).exit == 0)
    }
}
