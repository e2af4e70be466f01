import Foundation
import Reference
import Support
import Testing

/// Thirty small log dates from 2025-10-01 on, whose messages are shared by neighbours, and two outputs of them: `out` holds ids
/// for ten days, `plain` for ever.
private enum OldLogs {

    static func pipeline(_ output: String, retention: String = "retention: {ids: 10}\n") -> String {
        """
        version: 1
        output: \(output)
        dedup: {window_days: 1}
        limits: {volume: off, reject_ratio: 0.9}
        \(retention)sources:
          - name: adobe
            format: collector
            files: logs/%Y-%m-%d*.log

        """
    }
}

extension Workplace {
    fileprivate static func withOldLogs(_ dates: Int = 30) throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(OldLogs.pipeline("out"), to: "push.yaml")
        try place.scratch.write(OldLogs.pipeline("plain", retention: ""), to: "plain.yaml")
        for number in 1...dates { try place.writeLog(number) }
        return place
    }

    /// The log date of a number: 1 is 2025-10-01.
    fileprivate static func date(_ number: Int) -> String {
        number <= 31 ? "2025-10-\(number < 10 ? "0" : "")\(number)" : "2025-11-\(number < 41 ? "0" : "")\(number - 31)"
    }

    /// Writes the log of a date: some messages of its own, some of the date before, and one that nobody else has.
    fileprivate func writeLog(_ number: Int, as suffix: String = "") throws {
        let date = Workplace.date(number)
        let day = "\(date.suffix(2))/\(date.contains("-10-") ? "Oct" : "Nov")/2025"
        let lines = (0..<12).flatMap { index -> [String] in
            let own = String(1000 * number + index, radix: 16)
            let former = String(1000 * (number - 1) + index, radix: 16)
            var lines = ["h\(own),d\(index % 3),7"]
            if index % 3 == 0 { lines += ["h\(own),d\(index % 3),2", "h\(own),d\(index % 3),1"] }
            if index % 4 == 0, number > 1 { lines += ["h\(former),d\(index % 3),7", "h\(former),d\(index % 3),1"] }
            return lines
        }
        let hits = lines.map { id in
            "192.0.2.1 - - [\(day):10:00:00 +0000] \"GET /r/?id=\(id) HTTP/1.1\" 200 0 \"-\" \"-\"\n"
        }
        try scratch.write(hits.joined() + "junk\n", to: "logs/\(date)\(suffix).log")
    }

    /// Loads both outputs up to a date.
    fileprivate func loadAll(through number: Int, _ options: String...) throws -> Program.Outcome {
        let range = ["backfill", "--from", Workplace.date(1), "--to", Workplace.date(number)]
        #expect(try run(range + ["-p", "plain.yaml"]).exit == 0)
        return try run(range + options)
    }

    fileprivate func night(_ number: Int, _ options: String...) throws -> Program.Outcome {
        #expect(try run("run", "--date", Workplace.date(number), "-p", "plain.yaml").exit == 0)
        return try run(["run", "--date", Workplace.date(number)] + options)
    }

    /// Whether both outputs have the same figures.
    fileprivate func isRight(_ location: SourceLocation = #_sourceLocation) throws {
        let others: Set = ["about", "publication"]
        #expect(
            try dump(besides: others) == dump("plain/push.db", besides: others), sourceLocation: location)
    }

    fileprivate func partitions(_ suffix: String = ".sqlite") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.path("out/partitions")).filter {
            $0.hasSuffix(suffix) && (suffix != ".sqlite" || !$0.hasSuffix(".settled.sqlite"))
        }.sorted()
    }
}

@Suite(.needsPushetl)
struct RetentionTests {
    private let place: Workplace

    init() throws {
        place = try Workplace.withOldLogs()
    }

    @Test func aNightClosesSettlesAndErasesOneLogDateEach() throws {
        // 2025-10-20 less 8 days is the last closed date, one day before it the last settled, two the last erased.
        #expect(try place.loadAll(through: 20, "--settle").exit == 0)
        #expect(try place.partitions().first == "2025-10-11.sqlite")
        #expect(try place.partitions(".settled.sqlite").count == 11)
        try place.isRight()
        for number in 21...24 {
            let outcome = try place.night(number)
            #expect(outcome.exit == 0)
            #expect(outcome.stderr == "")
            let (closed, settled) = (Workplace.date(number - 8), Workplace.date(number - 9))
            #expect(outcome.stdout.contains("  closed           1  through \(closed); loaded no more\n"))
            #expect(outcome.stdout.contains("  settled          1  \(settled)\n"))
            #expect(outcome.stdout.contains("  ids erased       1  \(Workplace.date(number - 10))\n"))
            try place.isRight()
        }
        #expect(try place.run("doctor").exit == 0)
        let status = try place.run("status").stdout
        #expect(status.contains("  2025-10  eeeeeeeeeeeeeescCCCCCCCCMMMMMM\n"))
        #expect(status.contains("  ids         since 2025-10-15, 10 log dates, "))
        // It can all be had again from what stays.
        try FileManager.default.removeItem(atPath: place.scratch.path("out/push.db"))
        try FileManager.default.removeItem(atPath: place.scratch.path("out/partitions/.kept"))
        #expect(try place.run("run", "--date", Workplace.date(24)).exit == 0)
        try place.isRight()
    }

    @Test func theFirstNightAsksBeforeItClosesManyDates() throws {
        let outcome = try place.loadAll(through: 20)
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr
                == "warning: 12 log dates up to 2025-10-12 would be closed at once, so nothing is closed; if that is meant, 'pushetl run --settle' does it, and 'pushetl backfill --last 1 --settle --dry-run' lists them\n"
        )
        #expect(try place.partitions().count == 20)
        let dry = try place.run(
            "backfill", "--from", "2025-10-20", "--to", "2025-10-20", "--dry-run", "--settle"
        ).stdout
        #expect(
            dry.contains(
                "  settled         11  2025-10-01 to 2025-10-11\n  ids erased      10  2025-10-01 to 2025-10-10"))
        #expect(try place.partitions(".settled.sqlite").isEmpty)
        #expect(try place.run("run", "--date", "2025-10-20", "--settle").exit == 0)
        #expect(try place.partitions(".settled.sqlite").count == 11)
        try place.isRight()
    }

    @Test func aClosedDateTakesNoNewFiles() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let before = place.outputBytes()
        let known = try place.run("run", "--date", "2025-10-05")
        #expect(known.exit == 0)
        #expect(known.stdout.hasPrefix("  closed           1  2025-10-05; loaded no more\n"))
        #expect(place.outputBytes() == before)
        for suffix in ["b", "c"] { try place.writeLog(3, as: suffix) }
        try FileManager.default.copyItem(
            atPath: place.scratch.path("logs/2025-10-03b.log"), toPath: place.scratch.path("logs/2025-10-05b.log"))
        try FileManager.default.copyItem(
            atPath: place.scratch.path("logs/2025-10-03b.log"), toPath: place.scratch.path("logs/2025-10-05c.log"))
        for command in [
            ["run", "--date", "2025-10-05", "--force"], ["backfill", "--from", "2025-10-04", "--to", "2025-10-06"],
        ] {
            let refused = try place.run(command)
            #expect(refused.exit == 65)
            #expect(refused.stderr == "error: 2025-10-05 is closed: 2 new files were not loaded\n")
        }
        #expect(place.outputBytes() == before)
    }

    @Test(arguments: ["missing", "held back", "stale", "damaged", "lost"])
    func whatNeedsSomethingIsNotPassed(need: String) throws {
        _ = try place.loadAll(through: 20, "--settle")
        let (late, ids) = ("2025-10-14", "2025-10-12")
        let partition = place.scratch.path("out/partitions/\(late).sqlite")
        let log = place.scratch.path("logs/\(late).log")
        var clause = ""
        switch need {
        case "missing":
            try FileManager.default.removeItem(atPath: partition)
            clause = "lacks the partition that it had"
        case "lost":
            try FileManager.default.removeItem(atPath: partition)
            try FileManager.default.moveItem(atPath: log, toPath: log + ".away")
            clause = "lacks the partition that it had"
        case "held back":
            try FileManager.default.removeItem(atPath: partition)
            try place.scratch.write(String(repeating: "junk\n", count: 100), to: "logs/\(late).log")
            #expect(try place.run("run", "--date", late).exit == 65)
            clause = "is held back"
        case "stale":
            try place.writeLog(3, as: "x")
            try FileManager.default.moveItem(
                atPath: place.scratch.path("logs/2025-10-03x.log"), toPath: place.scratch.path("logs/\(late)x.log"))
            clause = "is stale"
        default:
            try place.scratch.write("junk", to: "out/partitions/\(late).sqlite")
            clause = "is damaged"
        }
        var last = try place.run("run", "--date", "2025-10-21")
        for number in 22...24 { last = try place.run("run", "--date", Workplace.date(number)) }
        let text =
            "error: ids from \(ids) on stay: \(late) \(clause); load it, or let it pass with 'pushetl backfill --skip \(late)'\n"
        #expect(last.stderr.hasSuffix(text), "\(last.stderr)")
        #expect(last.exit == (need == "damaged" ? 74 : 65))
        #expect(try place.partitions().first == "\(ids).sqlite")
        // On purpose.
        let skipped = try place.run("backfill", "--skip", late)
        #expect(skipped.stdout.contains("  closed           3  through 2025-10-16; loaded no more\n"), "\(skipped)")
        #expect(skipped.exit == (need == "damaged" ? 74 : 0), "\(skipped.stderr)")
        #expect(try place.partitions().first == "2025-10-15.sqlite")
        #expect(try place.run("backfill", "--skip", late).exit == 64)
        #expect(try place.run("run", "--date", late).exit == (need == "lost" ? 66 : 65))
    }

    @Test func settingsAreFixedOnceADateIsSettled() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let before = place.outputBytes()
        let text = try place.scratch.text("push.yaml")
        let cases = [
            (text.replacing("version: 1", with: "version: 1\ntimezone: Europe/Madrid"), "timezone was UTC"),
            (
                text.replacing("window_days: 1", with: "window_days: 2").replacing("ids: 10", with: "ids: 20"),
                "dedup.window_days was 1 when log dates settled, and is 2"
            ),
        ]
        for (changed, message) in cases {
            try place.scratch.write(changed, to: "push.yaml")
            let outcome = try place.run("run", "--date", "2025-10-21")
            #expect(outcome.exit == 78)
            #expect(outcome.stderr.contains(message), "\(outcome.stderr)")
            #expect(place.outputBytes() == before)
        }
        let more = "  - {name: aaa, format: collector, required: false, files: more/%Y-%m-%d.log}\n"
        try FileManager.default.createDirectory(
            atPath: place.scratch.path("more"), withIntermediateDirectories: true)
        try place.scratch.write("", to: "more/2025-10-21.log")
        try place.scratch.write(text + more, to: "push.yaml")
        // A source at the end is welcome. Once a date has settled with it, it is fixed too.
        let range = ["--from", "2025-10-13", "--to", "2025-10-21"]
        #expect(try place.run(["backfill"] + range + ["--only", "all"]).exit == 0)
        #expect(try place.run("run", "--date", "2025-10-22").exit == 0)
        try place.scratch.write(text.replacing("sources:\n", with: "sources:\n" + more), to: "push.yaml")
        let swapped = try place.run("run", "--date", "2025-10-23")
        #expect(swapped.exit == 78)
        #expect(
            swapped.stderr.contains(
                "the order of the sources was adobe, aaa when log dates settled, and is aaa, adobe"),
            "\(swapped.stderr)")
    }

    @Test func aLostOrForeignSettledFileStopsThePublishing() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let path = place.scratch.path("out/partitions/2025-10-04.settled.sqlite")
        let kept = try Data(contentsOf: URL(fileURLWithPath: path))
        let other = try Data(
            contentsOf: URL(fileURLWithPath: place.scratch.path("out/partitions/2025-10-05.settled.sqlite")))
        let figures = try place.dump()
        for (content, detail) in [
            (nil, "is missing"), (other, "is not one that the record partitions/closed names"),
            (Data("junk".utf8), "is damaged (it is not a SQLite database)"),
            (kept.prefix(kept.count / 2), "is damaged ("),
        ] {
            try? FileManager.default.removeItem(atPath: path)
            try content?.write(to: URL(fileURLWithPath: path))
            let outcome = try place.run("run", "--date", "2025-10-21")
            #expect(outcome.exit == 74)
            #expect(
                outcome.stderr.contains("error: out/partitions/2025-10-04.settled.sqlite: \(detail)"),
                "\(outcome.stderr)")
            #expect(outcome.stderr.contains("from a backup") || outcome.stderr.contains("from the same backup"))
            #expect(try place.dump() == figures)
            #expect(try place.run("doctor").exit == 65)
        }
        // From a backup all is well again.
        try kept.write(to: URL(fileURLWithPath: path))
        #expect(try place.night(21).exit == 0)
        try place.isRight()
        // Given up for good.
        try FileManager.default.removeItem(atPath: path)
        #expect(try place.run("backfill", "--forget", "2025-10-04").exit == 0)
        #expect(try place.rows("SELECT count(*) FROM partitions WHERE log_date = '2025-10-04'") == ["0"])
        #expect(try place.night(22).exit == 0)
        #expect(try place.run("doctor").exit == 0)
        let again = try place.run("run", "--date", "2025-10-04")
        #expect(again.exit == 65)
        #expect(again.stderr == "error: 2025-10-04 is closed: 1 new file was not loaded\n")
        // What is open or whole is not forgotten by mistake.
        #expect(try place.run("backfill", "--forget", "2025-10-21").exit == 64)
        #expect(try place.run("backfill", "--forget", "2025-10-05").stderr.contains("add --force"))
        #expect(try place.rows("SELECT count(*) FROM partitions WHERE log_date = '2025-10-05'") == ["1"])
        #expect(try place.run("backfill", "--forget", "2025-10-05", "--force").exit == 0)
        #expect(try place.rows("SELECT count(*) FROM partitions WHERE log_date = '2025-10-05'") == ["0"])
    }

    @Test func withoutItsRecordNothingIsLoadedOrPublished() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let path = place.scratch.path("out/partitions/closed")
        let kept = try String(contentsOfFile: path, encoding: .utf8)
        let before = place.outputBytes().filter { !$0.key.hasSuffix("closed") }
        for text in [nil, "", "junk\n", kept.replacing("2025-10-12", with: "2025-10-11")] {
            try? FileManager.default.removeItem(atPath: path)
            if let text { try text.write(toFile: path, atomically: false, encoding: .utf8) }
            for command in [["run", "--date", "2025-10-21"], ["backfill", "--last", "3"], ["status"]] {
                let outcome = try place.run(command)
                #expect(outcome.exit == 74, "\(command)")
                #expect(outcome.stderr.contains("error: out/partitions/closed: is "), "\(outcome.stderr)")
            }
            #expect(place.outputBytes().filter { !$0.key.hasSuffix("closed") } == before)
        }
        try kept.write(toFile: path, atomically: false, encoding: .utf8)
        #expect(try place.night(21).exit == 0)
        try place.isRight()
    }

    @Test func aDamagedPartitionWithinReachIsReplacedFromTheSameFiles() throws {
        _ = try place.loadAll(through: 20, "--settle")
        // 2025-10-11 is settled, and 2025-10-12 needs its ids.
        for (date, exit) in [("2025-10-11", 74), ("2025-10-12", 74)] {
            try place.scratch.write("junk", to: "out/partitions/\(date).sqlite")
            let figures = try place.dump(besides: ["files", "outcomes", "partitions"])
            let night = try place.run("run", "--date", "2025-10-21")
            #expect(night.exit == exit)
            #expect(night.stderr.contains("out/partitions/\(date).sqlite: "), "\(night.stderr)")
            if date == "2025-10-11" {
                #expect(night.stderr.contains("later log dates need its ids, and nothing is published without them"))
                #expect(try place.dump(besides: ["files", "outcomes", "partitions"]) == figures)
            }
            #expect(try place.run("status").stdout.contains("  \(date)  "))
            // Another file is refused, exactly the former ones are not.
            try place.scratch.write("junk\n", to: "logs/\(date)z.log")
            #expect(try place.run("run", "--date", date).exit == 74)
            try FileManager.default.removeItem(atPath: place.scratch.path("logs/\(date)z.log"))
            let healed = try place.run("backfill", "--from", date, "--to", date)
            #expect(healed.exit == 0, "\(healed.stderr)")
            #expect(try place.run("run", "--date", "2025-10-21", "-p", "plain.yaml").exit == 0)
            try place.isRight()
        }
    }

    @Test func aPartitionThatIsPutBackChangesNothing() throws {
        _ = try place.loadAll(through: 20)
        let names = try place.partitions()
        let backup = names.compactMap { name in place.bytes("out/partitions/\(name)").map { (name, $0) } }
        #expect(try place.run("run", "--date", "2025-10-20", "--settle").exit == 0)
        // Of an erased date, the next command erases it again.
        for (name, bytes) in backup.prefix(4) {
            try bytes.write(to: URL(fileURLWithPath: place.scratch.path("out/partitions/\(name)")))
        }
        #expect(try place.run("doctor").stdout.contains("holds ids of a log date whose ids are to be erased"))
        #expect(try place.night(21).exit == 0)
        try place.isRight()
        #expect(try place.partitions().first == "2025-10-12.sqlite")
        // Of a closed date, another one than that which was closed is left out.
        try FileManager.default.copyItem(
            atPath: place.scratch.path("logs/2025-10-13.log"), toPath: place.scratch.path("logs/2025-10-13b.log"))
        #expect(try place.run("run", "--date", "2025-10-13", "-p", "plain.yaml").exit == 0)
        let other = try #require(place.bytes("plain/partitions/2025-10-13.sqlite"))
        try other.write(to: URL(fileURLWithPath: place.scratch.path("out/partitions/2025-10-13.sqlite")))
        let outcome = try place.run("run", "--date", "2025-10-22")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("is not the one with which its log date was closed"), "\(outcome.stderr)")
    }

    @Test func nothingIsClosedWhileASourceCannotBeListed() throws {
        _ = try place.loadAll(through: 20, "--settle")
        try FileManager.default.moveItem(
            atPath: place.scratch.path("logs"), toPath: place.scratch.path("elsewhere"))
        try FileManager.default.createDirectory(
            atPath: place.scratch.path("logs"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: place.scratch.path("elsewhere/2025-10-21.log"), toPath: place.scratch.path("logs/2025-10-21.log"))
        let more = "  - {name: old, format: collector, required: false, files: archive/%Y-%m-%d.log}\n"
        try place.scratch.write(place.scratch.text("push.yaml") + more, to: "push.yaml")
        let outcome = try place.run("run", "--date", "2025-10-21", "--force")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr.contains(
                "warning: source 'old': its folder is not there; nothing is closed, and ids stay\n"),
            "\(outcome.stderr)")
        #expect(try place.partitions().first == "2025-10-11.sqlite")
    }

    @Test func aSmallerWindowForANightSettlesNothing() throws {
        let narrow = try place.scratch.text("push.yaml")
        let wide = narrow.replacing("window_days: 1", with: "window_days: 3").replacing("ids: 10", with: "ids: 24")
        try place.scratch.write(wide, to: "push.yaml")
        _ = try place.run("backfill", "--from", "2025-10-01", "--to", "2025-10-20", "--settle")
        #expect(try place.partitions(".settled.sqlite").isEmpty)
        for ids in [10, 24] {
            try place.scratch.write(narrow.replacing("ids: 10", with: "ids: \(ids)"), to: "push.yaml")
            let outcome = try place.run("run", "--date", "2025-10-20")
            #expect(outcome.exit == 65)
            #expect(
                outcome.stderr.contains(
                    "warning: window_days was 3 when log dates were closed, and is 1: nothing is closed"))
            #expect(try place.partitions(".settled.sqlite").isEmpty)
        }
        try place.scratch.write(wide, to: "push.yaml")
        #expect(try place.run("run", "--date", "2025-10-20").exit == 0)
    }

    @Test func theFirstLogDateIsNotPassedWhenItIsLost() throws {
        _ = try place.loadAll(through: 20)
        try FileManager.default.removeItem(atPath: place.scratch.path("out/partitions/2025-10-01.sqlite"))
        for _ in 0..<2 {
            let outcome = try place.run("run", "--date", "2025-10-21", "--settle")
            #expect(outcome.exit == 65)
            #expect(outcome.stderr.contains("2025-10-01 lacks the partition that it had"), "\(outcome.stderr)")
        }
        #expect(try place.partitions(".settled.sqlite").isEmpty)
        #expect(try place.run("run", "--date", "2025-10-01", "--settle").exit == 0)
        #expect(try place.run("run", "--date", "2025-10-21", "-p", "plain.yaml").exit == 0)
        try place.isRight()
    }

    @Test func damageThatNobodyKnewOfIsNotPassed() throws {
        _ = try place.loadAll(through: 20)
        try FileManager.default.removeItem(atPath: place.scratch.path("out/partitions/.kept"))
        let path = place.scratch.path("out/partitions/2025-10-09.sqlite")
        try execute("UPDATE events SET block = zeroblob(length(block))", on: path)
        let outcome = try place.run("run", "--date", "2025-10-21", "--settle")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("2025-10-09 is damaged; load it"), "\(outcome.stderr)")
        #expect(try !place.partitions(".settled.sqlite").contains("2025-10-08.settled.sqlite"))
        #expect(try place.run("backfill", "--from", "2025-10-09", "--to", "2025-10-21", "--settle").exit == 0)
        #expect(try place.run("run", "--date", "2025-10-21", "-p", "plain.yaml").exit == 0)
        try place.isRight()
    }

    @Test func olderLogDatesAreLoadedMonthByMonth() throws {
        func load(_ from: String, _ to: String, _ options: String...) throws -> Program.Outcome {
            #expect(try place.run("backfill", "--from", from, "--to", to, "-p", "plain.yaml").exit == 0)
            return try place.run(["backfill", "--from", from, "--to", to] + options)
        }
        #expect(try load("2025-10-13", "2025-10-25", "--settle").exit == 0)
        // The dates between have files, so they stay open.
        let old = try load("2025-10-01", "2025-10-04")
        #expect(old.exit == 65)
        #expect(
            old.stderr.contains("ids from 2025-10-01 on stay: 2025-10-05 has files and is not loaded"),
            "\(old.stderr)")
        let rest = try load("2025-10-05", "2025-10-11")
        #expect(rest.exit == 0, "\(rest.stderr)")
        #expect(try place.partitions().first == "2025-10-16.sqlite")
        try place.isRight()
        // Within the window of what was closed it is too late.
        #expect(try place.run("run", "--date", "2025-10-12").exit == 65)
    }

    @Test func theRecordAndAllSettledFilesCannotVanishUnseen() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let figures = try place.dump()
        for name in try place.partitions(".settled.sqlite") + ["closed"] {
            try FileManager.default.removeItem(atPath: place.scratch.path("out/partitions/\(name)"))
        }
        let outcome = try place.run("run", "--date", "2025-10-21")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.contains("out/partitions/closed: is missing"))
        #expect(try place.dump() == figures)
    }

    @Test func thePipelineFileSaysHowLong() throws {
        let text = OldLogs.pipeline("out")
        for (value, message) in [
            ("{ids: 9}", "5:18: 'ids' must be at least 10, twice window_days (1) and 8 days for late files, not 9"),
            ("{ids: -1}", "5:18: 'ids' must be at least 10, twice window_days (1) and 8 days for late files, not -1"),
            ("{ids: ten}", "5:18: 'ids' must be a whole number in decimal digits, not the text 'ten'"),
            ("{ids: 40000}", "5:18: 'ids' must be from 10 to 36525, not 40000"),
            ("{days: 40}", "5:13: unknown key 'days'"), ("{}", "5:1: missing key 'ids' in 'retention'"),
            ("90", "5:12: 'retention' must be a mapping, not the number '90'"),
        ] {
            try place.scratch.write(text.replacing("{ids: 10}", with: value), to: "push.yaml")
            let outcome = try place.run("validate")
            #expect(outcome.exit == 78)
            #expect(outcome.stderr.contains(message) || outcome.stdout.contains(message), "\(outcome)")
        }
    }

    @Test func otherCommandsSayWhatIsErased() throws {
        _ = try place.loadAll(through: 20, "--settle")
        let erased = try place.run("explain", "h\(String(3001, radix: 16))")
        #expect(erased.exit == 0)
        #expect(erased.stdout.hasSuffix("log dates before 2025-10-11 hold no ids any more\n"))
        let rejects = try place.run("rejects", "--date", "2025-10-03")
        #expect(rejects.stdout == "")
        #expect(
            rejects.stderr
                == "warning: 2025-10-03: its records are erased with its ids; --summary prints how many were rejected, and why\n"
        )
        #expect(try place.run("rejects", "--date", "2025-10-03", "--summary").stdout.contains("malformed_line"))
        _ = try place.run("run", "--date", "2025-10-21", "--metrics", "push.prom")
        let metrics = try place.scratch.text("push.prom")
        #expect(metrics.contains("\npushetl_ids_since_timestamp_seconds 1760227200\n"))
        #expect(metrics.contains("\npushetl_ids_bytes "))
    }

    /// Partitions of all schemas settle with all columns, which are counted from their events.
    @Test(.needs(.faketime), arguments: [2, 3, 5, 6])
    func whatEarlierVersionsLoadedSettlesToo(schema: Int) throws {
        let faketime = Program(executable: URL(fileURLWithPath: try #require(Tool.faketime.path)))
        let fixtures = Workplace.packageFolder.appendingPathComponent("Tests/Fixtures/schema\(schema)")
        let names = try FileManager.default.contentsOfDirectory(atPath: fixtures.path).filter {
            $0.hasSuffix(".sqlite.gz")
        }
        var dumps: [[String]] = []
        for retention in ["", "retention: {ids: 8}\n"] {
            let place = try Workplace.withHits(
                [],
                pipeline: Workplace.onePipeline.replacing("%d.log", with: "%d.txt").replacing(
                    "sources:", with: "dedup: {window_days: 0}\n\(retention)sources:"))
            for name in names + ["push.db.gz"] {
                let packed = Bytes(try Data(contentsOf: fixtures.appendingPathComponent(name)))
                let path = (name == "push.db.gz" ? "out/" : "out/partitions/") + name.dropLast(3)
                try place.scratch.write(Unpacked(packed).text, to: path)
            }
            let line = Workplace.hit("h1,d1,7").replacing("19/Nov/2026", with: "01/Jan/2027")
            try place.scratch.write(line + "\n", to: "logs/2027-01-01.txt")
            let outcome = try faketime.run(
                [
                    "-m", "--exclude-monotonic", "-f", "@2027-01-02 10:00:00", place.program.executable.path, "run",
                    "--date", "2027-01-01", "--settle", "--quiet",
                ].filter { !retention.isEmpty || $0 != "--settle" }, in: place.scratch.url,
                environment: ["PUSHETL_PIPELINE": "push.yaml", "NO_FAKE_STAT": "1", "TZ": "UTC"])
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            dumps.append(try place.dump(besides: ["publication"]))
            let partitions = try FileManager.default.contentsOfDirectory(atPath: place.scratch.path("out/partitions"))
            #expect(partitions.count { $0.hasSuffix(".settled.sqlite") } == (retention.isEmpty ? 0 : names.count))
            #expect(partitions.contains("2026-11-19.sqlite") == retention.isEmpty)
        }
        #expect(dumps[0] == dumps[1])
    }

    @Test func aJobOnShardsSettlesTheSame() throws {
        func job(_ arguments: String...) throws -> (outcome: Program.Outcome, steps: [String]) {
            let job = try SparkJob(place.program, in: place.scratch.url)
            let outcome = try job.run(arguments + ["--shards", "3", "-p", "push.yaml"])
            return (outcome, job.steps)
        }
        let range = ["--from", Workplace.date(1), "--to", Workplace.date(20)]
        #expect(try place.run(["backfill"] + range + ["-p", "plain.yaml"]).exit == 0)
        let first = try SparkJob(place.program, in: place.scratch.url)
        let outcome = try first.run(range + ["--shards", "3", "-p", "push.yaml", "--settle"])
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(outcome.stdout.contains("  settled         11  2025-10-01 to 2025-10-11\n"), "\(outcome.stdout)")
        try place.isRight()
        #expect(!place.scratch.exists("out/partitions/2025-10-10.json"))
        let others = [
            "partitions/2025-10-20.backup.sqlite", "shards/0/partitions/2025-10-12.sqlite.gpg",
            "shards/0/partitions/2025-10-12.backup/notes", "shards/0/partitions/notes.tmp",
            "shards/007/partitions/notes",
        ]
        for name in others { try place.scratch.write("mine", to: "out/\(name)") }
        defer { for name in others { #expect((try? place.scratch.text("out/\(name)")) == "mine", "\(name)") } }
        for number in 21...23 {
            #expect(try place.run("run", "--date", Workplace.date(number), "-p", "plain.yaml").exit == 0)
            let (outcome, _) = try job("--date", Workplace.date(number))
            #expect(outcome.exit == 0, "\(outcome.stderr)")
            #expect(
                outcome.stdout.contains("  ids erased       1  \(Workplace.date(number - 10))\n"), "\(outcome.stdout)")
            try place.isRight()
        }
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 0, "\(doctor.stdout)")
        for shard in 0..<3 {
            let names = try FileManager.default.contentsOfDirectory(
                atPath: place.scratch.path("out/shards/\(shard)/partitions"))
            #expect(names.filter { $0.hasSuffix(".sqlite") }.count == 10)
            #expect(names.filter { $0.hasPrefix(".kept.") }.count == 1)
        }
    }
}
