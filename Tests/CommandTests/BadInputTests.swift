import Foundation
import Support
import Testing

/// A loaded date, and the content of its push.db.
private func loaded(_ lines: [String]) throws -> (Workplace, content: [String]) {
    let place = try Workplace.withHits(lines)
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    return (place, try place.dump())
}

@Suite(.needsPushetl)
struct BadInputTests {
    @Test func anInvalidDateIsWrongUsage() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        for (date, reason) in [
            ("2026-02-30", "2026-02 has 28 days"), ("2026-13-19", "there is no month 13"),
            ("20261119", "give a date as YYYY-MM-DD"),
            ("", "give a date as YYYY-MM-DD"),
        ] {
            let outcome = try place.run("run", "--date", date)
            #expect(outcome.exit == 64)
            #expect(outcome.stderr.hasPrefix("error: The value '\(date)' is invalid for '--date <date>': \(reason)"))
        }
        #expect(try place.run("run", "--memory", "lots").exit == 64)
        #expect(try place.run("run", "--jobs", "0").exit == 64)
        #expect(try place.run("rnu").exit == 64)
    }

    @Test func aDateWithoutFilesEndsWith66AndWritesNothing() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run("run", "--date", "2026-11-18")
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr
                == "error: 2026-11-18: no source has files; nothing changed; looked for logs/2026-11-18.log; the latest log "
                + "date with files is 2026-11-19\n")
        #expect(!place.scratch.exists("out"))
    }

    @Test func aMissingFolderIsNamed() throws {
        let pipeline = Workplace.onePipeline.replacing("logs/%Y", with: "lgos/%Y")
        let place = try Workplace.withHits([], pipeline: pipeline)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr.hasPrefix("push.yaml:6:12: warning: there is no folder 'lgos', did you mean 'logs'?\n")
        )
    }

    @Test func anInvalidPipelineEndsWith78AndNamesEveryFault() throws {
        let place = try Workplace.withHits([], pipeline: Workplace.onePipeline.replacing("format:", with: "fromat:"))
        try place.scratch.write("version: 1\ntimezone: Europe/Madird\n", to: "other.yaml")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 78)
        #expect(outcome.stderr.contains("push.yaml:5:5: unknown key 'fromat', did you mean 'format'?\n"))
        #expect(try place.run("run", "--date", "2026-11-19", "--pipeline", "none.yaml").exit == 78)
        let both = try place.run("validate", "push.yaml", "other.yaml")
        #expect(both.exit == 78)
        #expect(both.stderr.contains("other.yaml:2:11: "))
        #expect(both.stderr.contains("Europe/Madrid"))
    }

    @Test func tooManyRejectsHoldTheDateBack() throws {
        let (place, content) = try loaded([Workplace.hit("h1,d,7")])
        let lines =
            (0..<94).map { Workplace.hit("h\(String($0 + 1, radix: 16)),d,7") } + Array(repeating: "junk", count: 6)
        try place.scratch.write(lines.joined(separator: "\n"), to: "logs/2026-11-19.log")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(outcome.stdout.contains("6  malformed_line, first at logs/2026-11-19.log:95"))
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-19: held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows; "
                    + "the former content is kept; fix the files or the pipeline, raise the limit, or give --force"))
        #expect(try place.dump() == content)
        // At the limit the date is loaded.
        try place.scratch.write(
            ([Workplace.hit("h99,d,7")] + lines.dropLast()).joined(separator: "\n"), to: "logs/2026-11-19.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    }

    @Test func aPartialLoadReplacesACompleteOneOnlyWithForce() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.twoSources)
        let partial = try place.run("run", "--date", "2026-11-19")
        #expect(partial.exit == 65)
        #expect(
            partial.stderr.contains(
                "warning: source 'second' has no files (more/2026-11-19.log), so the date is partial"))
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|1"])

        try place.scratch.write(Workplace.hit("h2,d,7"), to: "more/2026-11-19.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT status, events FROM partitions") == ["complete|2"])

        try place.scratch.remove("more")
        let kept = try place.run("run", "--date", "2026-11-19")
        #expect(kept.exit == 65)
        #expect(kept.stderr.contains("so the complete partition was kept; --force would replace it"))
        #expect(try place.rows("SELECT status, events FROM partitions") == ["complete|2"])
        #expect(try place.run("run", "--date", "2026-11-19", "--force").exit == 65)
        #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|1"])
    }

    @Test func damagedFilesAreSkippedOrHoldTheDateBack() throws {
        let place = try Workplace.withSamples()
        let pipeline = """
            version: 1
            output: out
            limits: {reject_ratio: 1, damaged_files: skip}
            sources:
              - name: adobe
                format: collector
                files: SampleLogs/faulty/%Y-%m-%d/*.log.gz

            """
        try place.scratch.write(pipeline, to: "push.yaml")
        let date = "2026-11-19"
        let outcome = try place.run("run", "--date", date, "--pipeline", "push.yaml")
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("the file ends in the middle of a gzip member; its complete lines count"))
        #expect(outcome.stderr.contains("the file is damaged; "))
        #expect(try place.rows("SELECT DISTINCT status FROM files ORDER BY 1") == ["damaged", "ok", "truncated"])
        #expect(try place.rows("SELECT status FROM partitions") == ["partial"])

        try place.scratch.write(pipeline.replacing("skip", with: "fail"), to: "push.yaml")
        let held = try place.run("run", "--date", date, "--pipeline", "push.yaml", "--output", "other")
        #expect(held.exit == 65)
        #expect(held.stderr.contains("held back: SampleLogs/faulty/2026-11-19/"))
        #expect(!place.scratch.exists("other/push.db"))
    }

    @Test func timesOutsideTheYears0To9999MoveToTheSameDayInBothDatabases() throws {
        let lines = ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+14:00"].enumerated().map { number, time in
            "{\"request\":\"GET /r/?id=h\(number + 1),d,7\",\"time\":\"\(time)\"}"
        }
        let place = try Workplace.withHits(lines, pipeline: Workplace.jsonLines)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        for database in ["out/push.db", "out/partitions/2026-11-19.sqlite"] {
            let days = try place.rows("SELECT day FROM daily_actions ORDER BY day", database)
            #expect(days == ["0000-01-01", "9999-12-31"])
        }
    }

    @Test func anOutputThatIsNoDatabaseIsKept() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write("precious notes", to: "out/push.db")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr.contains(
                "out/push.db: is not a SQLite database; it was left as it is; move the file away and run again, which makes "
                    + "it anew"))
        #expect(try place.scratch.text("out/push.db") == "precious notes")
        // The partition was installed, and the next command publishes it.
        try place.scratch.remove("out/push.db")
        #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT sum(events) FROM daily_actions") == ["1"])
    }

    @Test func anOutputFolderThatIsAFileIsAnError() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write("a file", to: "out")
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr.contains(
                "error: out: mkdir failed: not a directory; nothing is lost; fix that and run again"))
        #expect(try place.scratch.text("out") == "a file")
    }

    @Test func aFolderIsNoLogFile() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write([], to: "logs/2026-11-18.log/inside")
        #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
    }

    @Test func onlyOneCommandAtATimeWritesToTheOutput() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let text = "pushetl run --date 2026-11-01, process 4711, since 2026-11-20T02:00:00Z"
        let outcome = try place.whileLocked(text) { try place.run("run", "--date", "2026-11-19") }
        #expect(outcome.exit == 75)
        #expect(outcome.stderr.contains("another command is writing there (\(text)); try again when it has ended"))
    }

    @Test func theLockOfADeadCommandIsIgnored() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write("pushetl run, process 1, since 2026", to: "out/partitions/.lock")
        try place.scratch.write("half a partition", to: "out/partitions/.2026-11-19.sqlite.1-2.tmp")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(
            try place.scratch.names("out/partitions")
                .filter { $0 != ".kept" } == ["2026-11-19.sqlite"])
    }

    @Test func aDamagedPartitionIsLeftOutUntilItsDateIsLoadedAgain() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write("no database", to: "out/partitions/2026-11-19.sqlite")
        let outcome = try place.run("run", "--date", "2026-11-20")
        #expect(outcome.exit == 74)
        #expect(
            outcome.stderr.contains(
                "out/partitions/2026-11-19.sqlite: is not a SQLite database; it was left as it is; push.db lacks that "
                    + "log date until it is loaded again: 'pushetl run --date 2026-11-19'"))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
        #expect(try place.scratch.text("out/partitions/2026-11-19.sqlite") == "no database")
        #expect(try place.run("status").stdout.contains("DC"))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
    }

    @Test(arguments: [("out/push.db", 5), ("out/partitions/2026-11-19.sqlite", 6)] as [(String, Int)])
    func aDatabaseWithANewerSchemaIsKept(_ name: String, known: Int) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try execute("PRAGMA user_version = 99", on: place.scratch.path(name))
        let before = place.bytes(name)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("\(name): was written by a newer pushetl (schema 99, this one knows \(known))"))
        #expect(place.bytes(name) == before)
    }

    @Test func aLostOutputIsRebuiltFromThePartitions() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        let before = try place.dump()
        try place.scratch.remove("out/push.db")
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        #expect(try place.dump() == before)
    }

    @Test(.needsLoggen)
    func aSignalStopsARunAndLeavesNothingBehind() throws {
        try expectNothingBehind(SIGINT, 130)
    }

    @Test(
        .enabled(if: Long.isOn, "PUSHETL_LONG=1 runs it"),
        .needsLoggen,
        arguments: [(SIGHUP, 129), (SIGTERM, 143)] as [(Int32, Int32)])
    func otherSignalsStopARunAndLeaveNothingBehind(signal: Int32, code: Int32) throws {
        try expectNothingBehind(signal, code)
    }

    private func expectNothingBehind(_ signal: Int32, _ code: Int32) throws {
        let place = try Workplace.withLoggen("--preset easy --records 400000 --from 2026-11-19")
        let running = try place.start(["run", "--date", "2026-11-19"], until: "warehouse/partitions/.lock")
        running.send(signal)
        let outcome = try running.wait()
        #expect(outcome.exit == code)
        #expect(outcome.stderr == "error: stopped; nothing is lost, and the same command does the rest\n")
        #expect(!place.scratch.exists("warehouse"))
    }

    @Test func aSignalEndsTheWaitForAReader() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = try place.dump()
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            let partition = "out/partitions/2026-11-20.sqlite"
            let running = try place.start(["run", "--date", "2026-11-20"], until: partition)
            usleep(300_000)
            running.send(SIGINT)
            return try running.wait()
        }
        #expect(outcome.exit == 130)
        #expect(try place.dump() == before)
        // The partition was installed, and the next command publishes it.
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
    }
}
