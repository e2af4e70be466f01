import Foundation
import SQLite
import Support
import Testing

extension Workplace {
    /// Runs the program by a shell, with other words of the shell before and after its arguments.
    fileprivate func shell(_ before: String = "", _ arguments: String, _ after: String = "") throws -> Program.Outcome {
        try Program(executable: URL(fileURLWithPath: "/bin/sh")).run(
            ["-c", "\(before) '\(program.executable.path)' \(arguments) \(after)"], in: scratch.url,
            environment: ["PUSHETL_PIPELINE": "push.yaml"])
    }

    /// Like `withHits`, with a second log date.
    fileprivate static func twoDates() throws -> Workplace {
        let place = try withHits([hit("h1,d,7"), hit("h2,d,7")])
        try place.scratch.write((hit("h3,d,7") + "\n"), to: "logs/2026-11-20.log")
        return place
    }
}

/// What hinders a command: streams and files that cannot be written, a locked output, and unfinished earlier work.
@Suite(.needsPushetl)
struct ObstacleTests {
    @Test(arguments: [
        "run --date 2026-11-19", "status", "validate", "explain h1",
        "backfill --from 2026-11-19 --to 2026-11-19 --dry-run",
    ])
    func anUnwritableStdoutEndsWith74(arguments: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        for stream in [">/dev/full", ">&-"] {
            let outcome = try place.shell("", arguments, stream)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr.hasPrefix("error: the result cannot be written to stdout: "))
        }
        if arguments.hasPrefix("run") { #expect(try place.rows("SELECT sum(events) FROM days") == ["1"]) }
    }

    @Test func anUnwritableStderrChangesNothing() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        for stream in ["2>/dev/full", "2>&-"] {
            #expect(try place.shell("", "run --date 2026-11-18", stream).exit == 66)
            #expect(try place.shell("", "run --date 2026-11-19", stream).exit == 0)
        }
    }

    @Test func aFileSizeLimitIsAnErrorLikeAFullDisk() throws {
        let hits = (1...3000).map { Workplace.hit("h\(String($0, radix: 16)),d\($0),7") }
        let place = try Workplace.withHits(hits)
        // In blocks of 512 bytes: enough for the partition and not for push.db, then for neither.
        for limit in [600, 1] {
            let outcome = try place.shell("ulimit -f \(limit);", "run --date 2026-11-19")
            #expect(outcome.exit == 74, "\(limit): \(outcome)")
            #expect(outcome.stderr.hasPrefix("error: "))
            #expect(!place.scratch.exists("out/push.db-journal"))
        }
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM days") == ["3000"])
        // The first command loaded the date, and the last one published it.
        let history = "SELECT log_dates, exit_code, records FROM runs ORDER BY started_at, exit_code DESC"
        #expect(try place.rows(history) == ["2026-11-19|74|3000", "2026-11-19|0|3000"])
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        #expect(try place.rows("SELECT count(*) FROM runs") == ["2"])
    }

    @Test(arguments: [["run", "--date", "2026-11-25"], ["backfill", "--from", "2026-11-25", "--to", "2026-11-26"]])
    func aCommandWithoutFilesPublishesWhatAnEarlierOneLoaded(arguments: [String]) throws {
        let place = try Workplace.twoDates()
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = place.outputBytes()
        #expect(try place.run("run", "--date", "2026-11-25").exit == 66)
        #expect(place.outputBytes() == before)

        try place.scratch.remove("out/push.db")
        let outcome = try place.run(arguments)
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr.contains(
                "no source has files; push.db is brought up to date with what is loaded; looked for logs/"))
        #expect(outcome.stdout.contains("out/push.db: published, 1 log date"))
        #expect(try place.rows("SELECT sum(events) FROM days") == ["2"])
        #expect(try place.rows("SELECT log_dates, exit_code FROM runs") == ["|66"])

        let again = try place.run(arguments)
        #expect(again.exit == 66)
        #expect(again.stderr.contains("no source has files; nothing changed; looked for logs/"))
        #expect(again.stdout.isEmpty || again.stdout.contains("no files"))
    }

    @Test func theHistoryHasTheExitCodeOfARunWithADamagedPartition() throws {
        let place = try Workplace.twoDates()
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write("no database", to: "out/partitions/2026-11-19.sqlite")
        #expect(try place.run("run", "--date", "2026-11-20").exit == 74)
        #expect(try place.rows("SELECT exit_code FROM runs ORDER BY log_dates") == ["0", "74"])
    }

    @Test func rejectsOfAnUnreadableOutputEndWith74() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write("", to: "out/partitions")
        for arguments in [["rejects"], ["rejects", "--date", "2026-11-19"]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 74)
            #expect(outcome.stderr.contains("out/partitions"))
        }
        #expect(try place.run("rejects", "--output", "elsewhere").exit == 0)
    }

    @Test func rejectsAreListedWithoutADamagedPartition() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), "x", "x", "x"])
        try place.scratch.write((Workplace.hit("h3,d,7") + "\nbroken\n"), to: "logs/2026-11-20.log")
        let pipeline = try place.scratch.text("push.yaml") + "limits: {reject_ratio: 1}\n"
        try place.scratch.write(pipeline, to: "push.yaml")
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        try place.scratch.write("no database", to: "out/partitions/2026-11-19.sqlite")
        let outcome = try place.run("rejects")
        #expect(outcome.exit == 74)
        #expect(outcome.stdout.hasPrefix("logs/2026-11-20.log:2: malformed_line: "))
        #expect(outcome.stderr.contains("warning: "))
        #expect(outcome.stderr.contains("out/partitions/2026-11-19.sqlite: is not a SQLite database"))
    }

    @Test func optionsWithAnEmptyValueAreRefused() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        for arguments in [["--output", ""], ["--pipeline", ""]] {
            let outcome = try place.shell("", "run --date 2026-11-19 \(arguments[0]) ''")
            #expect(outcome.exit == 64)
            #expect(outcome.stderr.contains("and was given an empty name"))
        }
        #expect(!place.scratch.exists("push.db"))
    }

    @Test func explainTakesAURLAndUsesOnlyItsID() throws {
        let place = try Workplace.withHits([Workplace.hit("h1685a5,d57fd6,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        for path in [
            "https://t.example.com/r/?id=h1685a5%2Cd57fd6,7&mcId=990099", "GET /r/?x=1&id=h1685a5,d,7 HTTP/1.1",
        ] {
            let outcome = try place.run("explain", path)
            #expect(outcome.exit == 0)
            #expect(outcome.stdout.hasPrefix("message 1685a5 (as in a URL)"))
            #expect(!(outcome.stdout + outcome.stderr).contains("990099"))
        }
        let unknown = try place.run("explain", "/r/?mcId=990099&id=h77,d,7")
        #expect(!(unknown.stdout + unknown.stderr).contains("990099"))
    }

    @Test func aSignalEndsTheWaitForALockedOutput() throws {
        let place = try Workplace.twoDates()
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let holder = try Connection(path: place.scratch.path("out/push.db"))
        let outcome = try holder.inDatabase { database in
            try database.execute(sql: "BEGIN EXCLUSIVE")
            // Once the partition is there, the program waits for the output DB.
            let partition = "out/partitions/2026-11-20.sqlite"
            let running = try place.start(["run", "--date", "2026-11-20"], until: partition)
            usleep(200_000)
            running.send(SIGTERM)
            let outcome = try running.wait()
            try database.execute(sql: "ROLLBACK")
            return outcome
        }
        #expect(outcome.exit == 143)
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM days") == ["3"])
        #expect(
            try place.rows("SELECT log_dates, exit_code FROM runs ORDER BY log_dates, exit_code") == [
                "2026-11-19|0", "2026-11-20|0", "2026-11-20|143",
            ])
    }

    @Test func filesWhoseNamesOnlyLookEqualAreDifferent() throws {
        let place = try Workplace.withHits([], pipeline: Workplace.manyFiles)
        // é as one character, and as an e followed by an accent.
        let names = ["2026-11-19-\u{E9}.log", "2026-11-19-e\u{301}.log"]
        for (number, name) in names.enumerated() {
            try place.scratch.write((Workplace.hit("h\(number + 1),d,7") + "\n"), to: "logs/" + name)
        }
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT count(*), sum(records) FROM files") == ["3|2"])
        #expect(try place.rows("SELECT sum(events) FROM days") == ["2"])
        try place.scratch.remove("logs/" + names[0])
        #expect(try place.run("status").stdout.contains("logs/\(names[0]) is gone"))
    }

    @Test func idSpacesThatOnlyLookEqualAreDifferent() throws {
        let source = { (name: String, space: String) in
            "  - {name: \(name), format: collector, id_space: \"\(space)\", files: logs/%Y-%m-%d.log}\n"
        }
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7")],
            pipeline: "version: 1\noutput: out\nsources:\n" + source("a", "\u{E9}") + source("b", "e\u{301}"))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT events, messages FROM days") == ["2|2"])
    }
}
