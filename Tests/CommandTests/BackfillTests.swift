import Foundation
import Support
import Testing

/// Three log dates of one source, with one file each.
private func threeDates(pipeline: String = Workplace.onePipeline) throws -> Workplace {
    let place = try Workplace.withHits([Workplace.hit("h3,d,7")], pipeline: pipeline)
    try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-17.log")
    try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-18.log")
    place.settle()
    return place
}

private let range = ["backfill", "--from", "2026-11-16", "--to", "2026-11-20"]

extension Workplace {
    fileprivate func backfill(_ arguments: String...) throws -> Program.Outcome {
        try run(range + arguments)
    }

    /// The log dates that a backfill would load.
    fileprivate func wanted(_ arguments: String...) throws -> [String] {
        let outcome = try run(range + ["--dry-run", "--json"] + arguments)
        let dates = try outcome.logDates()
        return dates.filter { $0["load"] as? Bool == true }.compactMap { $0["log_date"] as? String }
    }

    /// What a dry run reports of a log date.
    fileprivate func state(_ date: String) throws -> [String: Any] {
        let outcome = try run(range + ["--dry-run", "--json"])
        return try #require(try outcome.logDates().first { $0["log_date"] as? String == date })
    }
}

@Suite(.needsPushetl)
struct BackfillTests {
    @Test func aDryRunSaysWhatItWouldDoAndWhyAndWritesNothing() throws {
        let place = try threeDates()
        let outcome = try place.backfill("--dry-run")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stdout == """
                2026-11-16  -                   no files
                2026-11-17  load  1 file  85 B  missing
                2026-11-18  load  1 file  85 B  missing
                2026-11-19  load  1 file  86 B  missing
                2026-11-20  -                   no files

                would load 3 of 5 log dates: 3 files, 256 B; nothing was written

                """)
        #expect(outcome.stderr == "")
        #expect(!place.scratch.exists("out"))

        #expect(try place.run("run", "--date", "2026-11-18").exit == 0)
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-18.log")
        try place.scratch.remove("logs/2026-11-17.log")
        let before = place.outputBytes()
        #expect(
            try place.backfill("--dry-run").stdout == """
                2026-11-16  -                   no files
                2026-11-17  -                   no files
                2026-11-18  load  1 file  85 B  stale: logs/2026-11-18.log has changed
                2026-11-19  load  1 file  86 B  missing
                2026-11-20  -                   no files

                would load 2 of 5 log dates: 2 files, 171 B; nothing was written

                """)
        #expect(place.outputBytes() == before)
    }

    @Test func aDryRunCanPrintOneJSONObject() throws {
        let place = try threeDates()
        #expect(try place.run("run", "--date", "2026-11-18").exit == 0)
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-18.log")
        let outcome = try place.backfill("--dry-run", "--json")
        let object = try outcome.object()
        #expect(object["dry_run"] as? Bool == true)
        #expect(object["exit_code"] as? Int == 0)
        #expect(object["files"] as? Int == 3)
        let dates = try outcome.logDates()
        #expect(dates.map { $0["status"] as? String } == ["missing", "missing", "complete", "missing", "missing"])
        #expect(dates.map { $0["load"] as? Bool } == [false, true, true, true, false])
        try #require(dates.count == 5)
        #expect(dates[2]["stale"] as? Bool == true)
        #expect(dates[2]["shrunk"] as? Bool == false)
        #expect(
            dates[2]["reasons"] as? [[String: String]] == [["reason": "changed_file", "path": "logs/2026-11-18.log"]])
    }

    @Test func missingDatesAreLoadedOnce() throws {
        let place = try threeDates()
        let first = try place.backfill()
        #expect(first.exit == 0)
        #expect(first.stdout.contains("2026-11-17  complete  1 file  85 B  1 record  1 event  "))
        #expect(first.stdout.contains("\n\n  loaded           3\n  no files         2  2026-11-16, 2026-11-20\n"))
        #expect(
            try place.rows("SELECT command, log_dates, exit_code, records FROM runs") == [
                "backfill --from 2026-11-16 --to 2026-11-20|2026-11-17 2026-11-18 2026-11-19|0|3"
            ])
        let before = place.outputBytes()
        let second = try place.backfill()
        #expect(second.exit == 0)
        #expect(second.stdout.hasPrefix("nothing to load\n  up to date       3\n"))
        #expect(second.stderr == "")
        #expect(place.outputBytes() == before)
        #expect(try place.backfill("--only", "missing").exit == 0)
        #expect(try place.backfill("--only", "stale").exit == 0)
        #expect(place.outputBytes() == before)
    }

    @Test func loadingUnchangedDatesAgainWritesNothing() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let before = place.outputBytes()
        let again = try place.backfill("--only", "all", "--jobs", "3")
        #expect(again.exit == 0)
        #expect(again.stdout.contains("  unchanged        3  read again, with the same content\n"))
        #expect(place.outputBytes() == before)
    }

    @Test func aLostOutputIsPublishedAgainWithoutLoading() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let before = try place.dump()
        try place.scratch.remove("out/push.db")
        let again = try place.backfill()
        #expect(again.exit == 0)
        #expect(again.stdout.contains("nothing to load\n"))
        #expect(again.stdout.contains("out/push.db: published, 3 log dates, "))
        #expect(try place.dump() == before)
    }

    @Test func newAndChangedFilesMakeADateStaleAndMissingFilesMakeItShrunk() throws {
        let place = try threeDates(pipeline: Workplace.manyFiles)
        #expect(try place.backfill().exit == 0)
        try place.scratch.write(Workplace.hit("h7,d,7"), to: "logs/2026-11-17-late.log")
        try place.scratch.write(Workplace.hit("h8,d,7"), to: "logs/2026-11-18.log")
        try place.scratch.remove("logs/2026-11-19.log")
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-19-b.log")
        #expect(try place.wanted() == ["2026-11-17", "2026-11-18"])
        #expect(try place.wanted("--only", "stale") == ["2026-11-17", "2026-11-18"])
        #expect(try place.wanted("--only", "missing") == [])
        #expect(try place.wanted("--only", "all") == ["2026-11-17", "2026-11-18", "2026-11-19"])
        let shrunk = try place.state("2026-11-19")
        #expect(shrunk["shrunk"] as? Bool == true)
        #expect(shrunk["stale"] as? Bool == false)
        #expect(
            shrunk["reasons"] as? [[String: String]] == [
                ["reason": "new_file", "path": "logs/2026-11-19-b.log"],
                ["reason": "gone_file", "path": "logs/2026-11-19.log"],
            ])

        place.settle()
        let outcome = try place.backfill()
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("was stale: logs/2026-11-17-late.log is new\n"))
        #expect(outcome.stdout.contains("was stale: logs/2026-11-18.log has changed\n"))
        #expect(
            outcome.stdout.contains(
                "  shrunk           1  2026-11-19; some of their files are gone, so they stay as they are"))
        #expect(try place.rows("SELECT path FROM files WHERE log_date = '2026-11-19'") == ["logs/2026-11-19.log"])
        #expect(try place.wanted() == [])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT path FROM files WHERE log_date = '2026-11-19'") == ["logs/2026-11-19-b.log"])
        #expect(try place.state("2026-11-19")["shrunk"] as? Bool == false)
    }

    @Test func aDateThatLostAllItsFilesIsKept() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        try place.scratch.remove("logs/2026-11-18.log")
        #expect(try place.state("2026-11-18")["shrunk"] as? Bool == true)
        let before = place.outputBytes()
        #expect(try place.backfill("--only", "all").exit == 0)
        #expect(place.outputBytes() == before)
    }

    @Test func aFileWithTheSameBytesAndOtherTimesIsUnchanged() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let log = place.scratch.path("logs/2026-11-18.log")
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: log)
        // Another file with the same name and bytes.
        try FileManager.default.copyItem(
            atPath: place.scratch.path("logs/2026-11-17.log"), toPath: place.scratch.path("copy"))
        try place.scratch.remove("logs/2026-11-17.log")
        try place.scratch.move("copy", to: "logs/2026-11-17.log")
        place.settle()
        let before = place.outputBytes()
        #expect(try place.wanted() == [])
        #expect(try place.run("status").stdout.contains("CCC\n"))
        #expect(place.outputBytes() == before)
        // A backfill remembers the new times and writes nothing else.
        #expect(try place.backfill().stdout.hasPrefix("nothing to load\n"))
        let remembering = place.outputBytes()
        let changed = remembering.keys.filter { remembering[$0] != before[$0] }.sorted()
        #expect(changed == ["partitions/.kept/2026-11-17.inputs", "partitions/.kept/2026-11-18.inputs"])
        #expect(try place.backfill().exit == 0)
        #expect(place.outputBytes() == remembering)
    }

    @Test func otherBytesWithTheSameSizeAndTimeAreAChange() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let log = place.scratch.path("logs/2026-11-18.log")
        var status = stat()
        #expect(stat(log, &status) == 0)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        handle.write(Data(Workplace.hit("h6,d,7").utf8))
        try handle.close()
        var times = [status.st_atim, status.st_mtim]
        #expect(utimensat(AT_FDCWD, log, &times, 0) == 0)
        var after = stat()
        #expect(stat(log, &after) == 0)
        #expect(after.st_size == status.st_size && after.st_ino == status.st_ino)
        #expect(after.st_mtim.tv_nsec == status.st_mtim.tv_nsec)
        #expect(try place.wanted() == ["2026-11-18"])
        #expect(try place.backfill().exit == 0)
        #expect(try place.wanted() == [])
    }

    @Test(arguments: ["not JSON", "", "{\"version\":\"v\",\"files\":[]}"])
    func theRememberedInputsMayBeLost(_ text: String) throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let before = place.outputBytes()
        let name = "partitions/.kept/2026-11-18.inputs"
        try place.scratch.write(text, to: "out/" + name)
        #expect(try place.wanted() == [])
        #expect(try place.backfill().stdout.hasPrefix("nothing to load\n"))
        #expect(place.outputBytes() == before)
        try place.scratch.remove("out/" + name)
        #expect(try place.backfill().exit == 0)
        #expect(place.outputBytes() == before)
    }

    @Test func aCommentDoesNotChangeThePipelineButAKeyDoes() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        try place.scratch.write(("# a comment\n" + Workplace.onePipeline), to: "push.yaml")
        #expect(try place.wanted() == [])
        try place.scratch.write((Workplace.onePipeline + "    require_mcid: true\n"), to: "push.yaml")
        #expect(try place.wanted() == ["2026-11-17", "2026-11-18", "2026-11-19"])
        #expect(try place.state("2026-11-18")["reasons"] as? [[String: String]] == [["reason": "changed_pipeline"]])
        let outcome = try place.backfill()
        #expect(outcome.stdout.contains("was stale: the pipeline has changed\n"))
        #expect(try place.rows("SELECT sum(events) FROM daily_actions") == [""])
        #expect(try place.wanted() == [])
    }

    @Test func aPartialDateIsLoadedAgainAndStaysPartial() throws {
        let place = try threeDates(pipeline: Workplace.twoSources)
        for date in ["17", "18"] { try place.scratch.write(Workplace.hit("h5,d,2"), to: "more/2026-11-\(date).log") }
        place.settle()
        let outcome = try place.backfill()
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr == """
                warning: 2026-11-19: source 'second' has no files (more/2026-11-19.log), so the date is partial; load it \
                again when they are there, or say 'required: false'
                error: 2026-11-19: loaded in part, see the warnings; it is published as partial

                """)
        #expect(try place.wanted() == ["2026-11-19"])
        #expect(try place.wanted("--only", "missing") == [])
        #expect(try place.wanted("--only", "stale") == [])
        let before = place.outputBytes()
        let again = try place.backfill()
        #expect(again.exit == 65)
        #expect(again.stdout.contains("was partial: source 'second' has no files; nothing new\n"))
        #expect(place.outputBytes() == before)
    }

    @Test func aDateThatFailsDoesNotStopTheOthers() throws {
        let place = try threeDates()
        try place.scratch.write((Workplace.hit("h2,d,7") + "\njunk"), to: "logs/2026-11-17.log")
        try place.scratch.makeFolder("out/partitions/2026-11-18.sqlite")
        let outcome = try place.backfill("--json")
        #expect(outcome.exit == 74)
        let dates = try outcome.logDates()
        #expect(dates.map { $0["verdict"] as? String } == ["held_back", "failed", "complete"])
        #expect(dates.map { $0["exit_code"] as? Int } == [65, 74, 0])
        #expect(
            dates.map { ($0["before"] as? [String: Any])?["status"] as? String } == ["missing", "damaged", "missing"])
        let warning = "warning: out/partitions/2026-11-18.sqlite: the database is damaged (it is a folder); "
        #expect(outcome.stderr.hasPrefix(warning))
        let errors = outcome.stderr.split(separator: "\n").dropFirst().map(String.init)
        try #require(errors.count >= 3)
        #expect(errors[0].hasPrefix("error: 2026-11-17: held back: 1 of 2 records were rejected"))
        #expect(errors[0].hasSuffix("; the first of each reason:"))
        let detail = "combined: expected a space at byte 5, before the identity; found the end of the line"
        #expect(errors[1] == "  logs/2026-11-17.log:2: malformed_line: \(detail): ***")
        #expect(errors[2].hasPrefix("error: 2026-11-18: "))
        #expect(errors[2].contains("out/partitions/2026-11-18.sqlite"))
        #expect(place.scratch.exists("out/partitions/2026-11-19.sqlite"))

        try place.scratch.remove("out/partitions/2026-11-18.sqlite")
        #expect(try place.wanted() == ["2026-11-18"])
        let next = try place.backfill()
        #expect(next.exit == 65)
        #expect(next.stdout.contains("  held back        1  2026-11-17; not read again, since nothing has changed\n"))
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-18", "2026-11-19"])
    }

    @Test func aDamagedPartitionCountsAsMissing() throws {
        let place = try threeDates()
        #expect(try place.backfill().exit == 0)
        let before = try place.dump()
        try place.scratch.write("no database", to: "out/partitions/2026-11-18.sqlite")
        let dry = try place.backfill("--dry-run")
        #expect(dry.stdout.contains("2026-11-18  load   1 file  85 B  damaged: it is not a SQLite database\n"))
        let status = try place.run("status")
        #expect(status.stdout.contains("CDC\n"))
        #expect(status.stdout.contains("\n  2026-11-18  damaged: it is not a SQLite database\n"))
        #expect(dry.stderr + status.stderr == "")
        #expect(try place.wanted("--only", "missing") == ["2026-11-18"])
        #expect(try place.wanted("--only", "stale") == [])
        #expect(try place.backfill().stdout.contains("was damaged: it is not a SQLite database\n"))
        #expect(try place.dump() == before)
    }

    @Test func wrongUsageOfBackfillEndsWith64() throws {
        let place = try threeDates()
        let backwards = try place.run("backfill", "--from", "2026-11-20", "--to", "2026-11-19")
        #expect(backwards.exit == 64)
        #expect(
            backwards.stderr.contains("--from 2026-11-20 is after --to 2026-11-19; give the earlier date first."))
        #expect(try place.run("backfill", "--from", "2026-11-20").exit == 64)
        #expect(try place.backfill("--only", "some").exit == 64)
        #expect(try place.run("backfill", "--from", "0001-01-01", "--to", "2026-11-19").exit == 64)
        #expect(try place.run("run", "--catch-up", "-1").exit == 64)
    }

    @Test(arguments: [[], ["--dry-run"], ["--only", "all"]])
    func aRangeWithoutFilesEndsWith66(_ arguments: [String]) throws {
        let place = try threeDates()
        let outcome = try place.run(["backfill", "--from", "2026-11-01", "--to", "2026-11-03"] + arguments)
        #expect(outcome.exit == 66)
        #expect(
            outcome.stderr == """
                error: 2026-11-01 to 2026-11-03: no source has files; nothing changed; looked for logs/%Y-%m-%d.log; the \
                latest log date with files is 2026-11-19

                """)
        #expect(!place.scratch.exists("out"))
    }

    @Test func aPatternWithoutADateWorksOnlyWithRun() throws {
        let place = try threeDates(pipeline: Workplace.onePipeline.replacing("%Y-%m-%d.log", with: "2026-11-19.log"))
        let sentence = """
            push.yaml:6:12: 'files' of source 'adobe' (logs/2026-11-19.log) has no date in it, so past log dates cannot be \
            loaded; write the date as '%Y-%m-%d', or load this pipeline only with 'run'

            """
        for arguments in [range, range + ["--dry-run"], ["run", "--date", "2026-11-19", "--catch-up", "2"]] {
            let outcome = try place.run(arguments)
            #expect(outcome.exit == 78)
            #expect(outcome.stderr == sentence)
        }
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-11-19", "--catch-up", "0").exit == 0)
        try place.scratch.write(Workplace.hit("h44,d,7"), to: "logs/2026-11-19.log")
        #expect(try place.run("status").stdout.contains(" C\n"))
    }

    @Test func aBackfillDuringAnotherCommandEndsWith75() throws {
        let place = try threeDates()
        try place.whileLocked { () throws in
            #expect(try place.backfill().exit == 75)
            #expect(try place.backfill("--dry-run").exit == 0)
        }
    }
}
