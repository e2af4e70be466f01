import Foundation
import Support
import Testing

private func dated(_ lines: [String]) throws -> (Workplace, former: [String]) {
    let place = try Workplace.withHits(lines)
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    return (place, try dump(place.scratch.path("out/push.db")))
}

@Test func aDateThatIsNoneIsWrongUsage() throws {
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
    #expect(!FileManager.default.fileExists(atPath: place.scratch.path("out")))
}

@Test func aFolderThatDoesNotExistIsNamed() throws {
    let pipeline = Workplace.onePipeline.replacing("logs/%Y", with: "lgos/%Y")
    let place = try Workplace.withHits([], pipeline: pipeline)
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 66)
    #expect(
        outcome.stderr.contains("warning: source 'adobe': the folder lgos does not exist; check 'files' in push.yaml\n")
    )
}

@Test func aWrongPipelineEndsWith78AndNamesEveryFault() throws {
    let place = try Workplace.withHits([], pipeline: Workplace.onePipeline.replacing("format:", with: "fromat:"))
    try place.scratch.write("version: 1\ntimezone: Europe/Madird\n".utf8, to: "other.yaml")
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
    let (place, former) = try dated([Workplace.hit("h1,d,7")])
    let lines = (0..<94).map { Workplace.hit("h\(String($0 + 1, radix: 16)),d,7") } + Array(repeating: "junk", count: 6)
    try place.scratch.write(lines.joined(separator: "\n").utf8, to: "logs/2026-11-19.log")
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 65)
    #expect(outcome.stdout.contains("6  malformed_line, first at logs/2026-11-19.log:95"))
    #expect(
        outcome.stderr.contains(
            "error: 2026-11-19: held back: 6 of 100 records were rejected, more than limits.reject_ratio (0.05) allows; "
                + "former content stands; fix the files or the pipeline, raise the limit, or give --force"))
    #expect(try dump(place.scratch.path("out/push.db")) == former)
    // At the limit it loads.
    try place.scratch.write(
        ([Workplace.hit("h99,d,7")] + lines.dropLast()).joined(separator: "\n").utf8, to: "logs/2026-11-19.log")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
}

@Test func aPartialLoadReplacesACompleteOneOnlyByForce() throws {
    let pipeline =
        Workplace.onePipeline + """
              - name: second
                format: collector
                files: more/%Y-%m-%d.log

            """
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
    let partial = try place.run("run", "--date", "2026-11-19")
    #expect(partial.exit == 65)
    #expect(
        partial.stderr.contains("warning: source 'second' has no files (more/2026-11-19.log), so the date is partial"))
    #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|1"])

    try place.scratch.write(Workplace.hit("h2,d,7").utf8, to: "more/2026-11-19.log")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(try place.rows("SELECT status, events FROM partitions") == ["complete|2"])

    try FileManager.default.removeItem(atPath: place.scratch.path("more"))
    let kept = try place.run("run", "--date", "2026-11-19")
    #expect(kept.exit == 65)
    #expect(kept.stderr.contains("so the complete partition that stands was kept; --force would replace it"))
    #expect(try place.rows("SELECT status, events FROM partitions") == ["complete|2"])
    #expect(try place.run("run", "--date", "2026-11-19", "--force").exit == 65)
    #expect(try place.rows("SELECT status, events FROM partitions") == ["partial|1"])
}

@Test func faultyFilesArePublishedInPartOrHeldBackAsThePipelineWants() throws {
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
    try place.scratch.write(pipeline.utf8, to: "push.yaml")
    let date = "2026-11-19"
    let outcome = try place.run("run", "--date", date, "--pipeline", "push.yaml")
    #expect(outcome.exit == 65)
    #expect(outcome.stderr.contains("the file ends in the middle of a gzip member; its complete lines count"))
    #expect(outcome.stderr.contains("the file is damaged; "))
    #expect(try place.rows("SELECT DISTINCT status FROM files ORDER BY 1") == ["damaged", "ok", "truncated"])
    #expect(try place.rows("SELECT status FROM partitions") == ["partial"])

    try place.scratch.write(pipeline.replacing("skip", with: "fail").utf8, to: "push.yaml")
    let held = try place.run("run", "--date", date, "--pipeline", "push.yaml", "--output", "other")
    #expect(held.exit == 65)
    #expect(held.stderr.contains("held back: SampleLogs/faulty/2026-11-19/"))
    #expect(!FileManager.default.fileExists(atPath: place.scratch.path("other/push.db")))
}

@Test func bothDatabasesMoveTimesWithoutADateOfTenCharactersAlike() throws {
    let lines = ["9999-12-31T23:59:59-01:00", "0000-01-01T00:00:00+14:00"].enumerated().map { number, time in
        "{\"request\":\"GET /r/?id=h\(number + 1),d,7\",\"time\":\"\(time)\"}"
    }
    let place = try Workplace.withHits(
        lines,
        pipeline: Workplace.onePipeline.replacing("format: collector", with: "format: collector\n    layout: json"))
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    for database in ["out/push.db", "out/partitions/2026-11-19.sqlite"] {
        #expect(
            try place.rows("SELECT day, first_at, last_at FROM daily_actions ORDER BY day", database) == [
                "0000-01-01|0000-01-01 00:00:00|0000-01-01 00:00:00",
                "9999-12-31|9999-12-31 23:59:59|9999-12-31 23:59:59",
            ])
    }
}

@Test func anOutputThatIsNoDatabaseIsLeftAsItIs() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write("precious notes".utf8, to: "out/push.db")
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 74)
    #expect(
        outcome.stderr.contains(
            "out/push.db: is not a SQLite database; it was left as it is; move the file away and run again, which makes "
                + "it anew"))
    #expect(try place.scratch.text("out/push.db") == "precious notes")
    // The partition is in place, and the next command publishes it.
    try FileManager.default.removeItem(atPath: place.scratch.path("out/push.db"))
    #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(try place.rows("SELECT sum(events) FROM daily_actions") == ["1"])
}

@Test func anOutputThatIsAFileIsAnError() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write("a file".utf8, to: "out")
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 74)
    #expect(
        outcome.stderr.contains(
            "error: out: mkdir failed: not a directory; nothing is lost; fix that and run again"))
    #expect(try place.scratch.text("out") == "a file")
}

@Test func aLogThatIsAFolderOrGoneIsNoFile() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write([], to: "logs/2026-11-18.log/inside")
    #expect(try place.run("run", "--date", "2026-11-18").exit == 66)
}

@Test func theOutputIsHeldByOneCommandAtATime() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try FileManager.default.createDirectory(
        atPath: place.scratch.path("out/partitions"), withIntermediateDirectories: true)
    let held = open(place.scratch.path("out/partitions/.lock"), O_RDWR | O_CREAT, 0o666)
    defer { close(held) }
    #expect(flock(held, LOCK_EX | LOCK_NB) == 0)
    let text = "pushetl run --date 2026-11-01, process 4711, since 2026-11-20T02:00:00Z"
    #expect(write(held, text, text.utf8.count) == text.utf8.count)
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 75)
    #expect(outcome.stderr.contains("another command is writing there (\(text)); try again when it has ended"))
}

@Test func aLockWhoseHolderIsDeadIsNoLock() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write("pushetl run, process 1, since 2026".utf8, to: "out/partitions/.lock")
    try place.scratch.write("half a partition".utf8, to: "out/partitions/.2026-11-19.sqlite.1-2.tmp")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(
        try FileManager.default.contentsOfDirectory(atPath: place.scratch.path("out/partitions"))
            .filter { $0 != ".kept" } == ["2026-11-19.sqlite"])
}

@Test func aDamagedPartitionIsNamedTheOthersPublishAndLoadingItAgainRepairsIt() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write(Workplace.hit("h2,d,7").utf8, to: "logs/2026-11-20.log")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    try place.scratch.write("no database".utf8, to: "out/partitions/2026-11-19.sqlite")
    let outcome = try place.run("run", "--date", "2026-11-20")
    #expect(outcome.exit == 74)
    #expect(
        outcome.stderr.contains(
            "out/partitions/2026-11-19.sqlite: is not a SQLite database; it was left as it is; push.db goes without that "
                + "log date until it is loaded again: 'pushetl run --date 2026-11-19'"))
    #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-20"])
    #expect(try place.scratch.text("out/partitions/2026-11-19.sqlite") == "no database")
    #expect(try place.run("status").stdout.contains("DC"))
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
}

@Test(arguments: [("out/push.db", 1), ("out/partitions/2026-11-19.sqlite", 2)])
func aDatabaseOfANewerSchemaIsLeftAsItIs(_ name: String, known: Int) throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    try execute("PRAGMA user_version = 99", on: place.scratch.path(name))
    let former = place.bytes(name)
    let outcome = try place.run("run", "--date", "2026-11-19")
    #expect(outcome.exit == 74)
    #expect(outcome.stderr.contains("\(name): was written by a newer pushetl (schema 99, this one knows \(known))"))
    #expect(place.bytes(name) == former)
}

@Test func aLostOutputIsMadeAnewFromThePartitions() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write(Workplace.hit("h2,d,7").utf8, to: "logs/2026-11-20.log")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
    let former = try dump(place.scratch.path("out/push.db"))
    try FileManager.default.removeItem(atPath: place.scratch.path("out/push.db"))
    #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
    #expect(try dump(place.scratch.path("out/push.db")) == former)
}

@Test(arguments: [(SIGHUP, Int32(129)), (SIGINT, Int32(130)), (SIGTERM, Int32(143))])
func aSignalStopsARunAndLeavesNothingBehind(_ signal: Int32, _ code: Int32) throws {
    let place = try Workplace()
    let loggen = try #require(Program.named("loggen"))
    let made = try loggen.run(
        ["--preset", "easy", "--records", "400000", "--from", "2026-11-19", "--out", "."], in: place.scratch.url)
    #expect(made.exit == 0)
    let running = try place.program.start(
        ["run", "--date", "2026-11-19", "--pipeline", "push.yaml"], in: place.scratch.url)
    while !FileManager.default.fileExists(atPath: place.scratch.path("warehouse/partitions/.lock")) { usleep(1000) }
    kill(running.process.processIdentifier, signal)
    let outcome = try running.wait()
    #expect(outcome.exit == code)
    #expect(outcome.stderr == "error: stopped; nothing is lost, and the same command does the rest\n")
    #expect(!FileManager.default.fileExists(atPath: place.scratch.path("warehouse")))
}

@Test func aSignalEndsTheWaitForAReader() throws {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    try place.scratch.write(Workplace.hit("h2,d,7").utf8, to: "logs/2026-11-20.log")
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    let database = place.scratch.path("out/push.db")
    let former = try dump(database)
    let outcome = try whileRead(database) {
        let running = try place.program.start(
            ["run", "--date", "2026-11-20", "--pipeline", "push.yaml"], in: place.scratch.url)
        let partition = place.scratch.path("out/partitions/2026-11-20.sqlite")
        while running.process.isRunning, !FileManager.default.fileExists(atPath: partition) { usleep(1000) }
        usleep(300_000)
        kill(running.process.processIdentifier, SIGINT)
        return try running.wait()
    }
    #expect(outcome.exit == 130)
    #expect(try dump(database) == former)
    // The partition stands, and the next command publishes it.
    #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
    #expect(try rows("SELECT log_date FROM partitions", of: database) == ["2026-11-19", "2026-11-20"])
}
