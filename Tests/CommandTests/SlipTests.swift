import Foundation
import Support
import Testing

/// What an operator changes for a night and takes back: holds, names, limits and files.
@Suite(.needsPushetl)
struct SlipTests {
    private let place: Workplace

    /// Three log dates are loaded, of 1,200 events each.
    init() throws {
        place = try Workplace()
        for day in 17...19 { try place.writeHits(day) }
        try place.write(Workplace.onePipeline)
        #expect(try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19").exit == 0)
    }

    private static let wrong = Workplace.onePipeline.replacing("collector\n", with: "collector\n    layout: w3c\n")
    private static let held = "SELECT log_date, reason FROM held"
    private static let loaded = "SELECT log_date, status, events FROM partitions"

    private func catchUp(_ day: Int) throws -> Program.Outcome {
        try place.run("run", "--date", "2026-11-\(day)", "--catch-up", "7", "--quiet")
    }

    @Test func aSlipThatWasTakenBackIsOver() throws {
        try place.write(SlipTests.wrong)
        let before = try place.rows(SlipTests.loaded)
        let outcome = try catchUp(19)
        #expect(outcome.exit == 65)
        // One cause is one message, with its log dates and one sample.
        #expect(outcome.stderr.split(separator: "\n").count == 1, "\(outcome.stderr)")
        #expect(
            outcome.stderr.hasPrefix("error: 2026-11-17 to 2026-11-19 (3 log dates): held back: 1,200 of 1,200 records")
        )
        #expect(outcome.stderr.contains("such as logs/2026-11-19.log:1: malformed_line"))
        let reasons = (17...19).map { "2026-11-\($0)|too_many_rejects" }
        #expect(try place.rows(SlipTests.held) == reasons)
        #expect(try place.rows(SlipTests.loaded) == before)
        // As before: each command ends the holds of all log dates, whatever it was asked for.
        try place.write(Workplace.onePipeline)
        #expect(try place.run("status").stdout.contains("no longer held back"))
        #expect(try place.rows(SlipTests.held) == reasons)
        try place.writeHits(20)
        let run = try place.run("run", "--date", "2026-11-20", "--quiet")
        #expect(run.exit == 0 && run.stderr == "")
        #expect(try place.rows(SlipTests.held) == [])
        #expect(!place.scratch.exists("out/partitions/.held"))
        let check = try place.run("status", "--check", "--from", "2026-11-17", "--to", "2026-11-20", "--quiet")
        #expect(check.exit == 0 && check.stderr == "")
        let report = try place.run("report", "--text")
        #expect(!report.stdout.lowercased().contains("held back"))
    }

    @Test func aHoldStaysWhileTheFilesAreOthers() throws {
        try place.write(SlipTests.wrong)
        #expect(try catchUp(19).exit == 65)
        try place.write(Workplace.onePipeline)
        try place.writeHits(18, more: 1)
        #expect(try place.run("run", "--date", "2026-11-17").exit == 0)
        #expect(try place.rows(SlipTests.held) == ["2026-11-18|too_many_rejects"])
        #expect(try catchUp(19).exit == 0)
        #expect(try place.rows(SlipTests.held) == [])
        #expect(try place.rows(SlipTests.loaded)[1] == "2026-11-18|complete|1201")
    }

    @Test func theFirstNightIsHeldBack() throws {
        try place.scratch.remove("out")
        try place.write(SlipTests.wrong)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 65)
        #expect(try place.rows(SlipTests.held) == ["2026-11-19|too_many_rejects"])
        #expect(try place.rows("SELECT verdict FROM loads") == ["held"])
        #expect(try place.rows("SELECT exit_code FROM runs") == ["65"])
        let text = try place.rows("SELECT detail FROM held")[0]
        #expect(text == "held back: 1,200 of 1,200 records were rejected, more than limits.reject_ratio (0.05) allows")
        // The same load again is held since then.
        let since = try place.rows("SELECT held_at FROM held")
        #expect(since[0].wholeMatch(of: /20[0-9-]{8} [0-9:]{8}/) != nil)
        usleep(1_100_000)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 65)
        #expect(try place.rows("SELECT held_at FROM held") == since)
        try place.write(Workplace.onePipeline)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows(SlipTests.held) == [])
    }

    @Test func otherLimitsReadAHeldDateAgain() throws {
        try place.scratch.write(
            place.scratch.text("logs/2026-11-19.log") + String(repeating: "junk\n", count: 120),
            to: "logs/2026-11-20.log")
        #expect(try catchUp(20).exit == 65)
        #expect(try place.rows(SlipTests.held) == ["2026-11-20|too_many_rejects"])
        try place.write(Workplace.onePipeline + "limits: {reject_ratio: 0.08}\n")
        #expect(try catchUp(19).exit == 0)
        let again = try place.run("run", "--date", "2026-11-21", "--catch-up", "7", "--quiet")
        #expect(again.exit == 65)
        #expect(again.stderr.contains("120 of 1,320 records"))
        #expect(again.stderr.contains("0.08"))
        // What is loaded is not affected: a limit is no meaning.
        #expect(!again.stderr.contains("another pipeline file"))
        try place.write(Workplace.onePipeline + "limits: {reject_ratio: 0.1}\n")
        #expect(try place.run("run", "--date", "2026-11-21", "--catch-up", "7", "--quiet").exit == 0)
        #expect(try place.rows("SELECT count(*) FROM partitions WHERE log_date = '2026-11-20'") == ["1"])
    }

    @Test func aSourceIsRenamedAndRenamedBack() throws {
        let renamed = Workplace.onePipeline.replacing("adobe", with: "tracking")
        func sources() throws -> [String] { try place.rows("SELECT DISTINCT source FROM files ORDER BY source") }
        try place.write(renamed)
        let status = try place.run("status", "--check", "--quiet", "--from", "2026-11-17", "--to", "2026-11-19")
        #expect(
            status.stderr
                == """
                error: 2026-11-17 to 2026-11-19 (3 log dates): loaded with another pipeline file, or by earlier rules of \
                reading or of the zone; load it: 'pushetl backfill --from 2026-11-17 --to 2026-11-19'

                """)
        #expect(try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-18").exit == 0)
        #expect(try sources() == ["adobe", "tracking"])
        let once = try catchUp(19)
        #expect(once.exit == 0 && once.stderr == "")
        #expect(try sources() == ["tracking"])
        try place.write(Workplace.onePipeline)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try catchUp(19).exit == 0)
        #expect(try sources() == ["adobe"])
        #expect(try place.rows("SELECT sum(events) FROM daily_actions") == ["3600"])
        // With other rules it is another source, and what it had is lost.
        try place.write(renamed.replacing("logs/", with: "more/"))
        try place.scratch.write("", to: "more/2026-11-19.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 65)
        #expect(try place.rows(SlipTests.held) == ["2026-11-19|loss"])
    }

    @Test func theStatusOfADateFollowsWhatIsRequired() throws {
        let second = "  - name: second\n    format: mzip\n    files: second/%Y-%m-%d.log\n"
        try place.write(Workplace.onePipeline + second.replacing("    files", with: "    required: false\n    files"))
        #expect(try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19").exit == 0)
        let statuses =
            "SELECT DISTINCT p.status, d.log_date_status FROM partitions AS p JOIN days AS d ON d.day = p.log_date"
        #expect(try place.rows(statuses) == ["complete|complete"])
        let versions = try place.rows("SELECT pipeline FROM partitions")
        try place.write(Workplace.onePipeline + second)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 65)
        #expect(try place.rows(statuses) == ["partial|partial"])
        #expect(try place.rows("SELECT pipeline FROM partitions") == versions)
        #expect(try place.run("doctor").exit == 0)
        try place.write(Workplace.onePipeline + second.replacing("    files", with: "    required: false\n    files"))
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows(statuses) == ["complete|complete"])
        let outcome = try place.run("status", "--check", "--from", "2026-11-17", "--to", "2026-11-19")
        #expect(outcome.exit == 0)
    }

    /// logrotate packs a log beside the plain file, which a load may see: half of it, or an empty one.
    @Test(arguments: ["half", "empty"])
    func aFileThatWasBeingPackedHeals(_ first: String) throws {
        try place.write(Workplace.onePipeline.replacing("%d.log", with: "%d*"))
        #expect(try place.run("backfill", "--from", "2026-11-17", "--to", "2026-11-19").exit == 0)
        let packed = try Tool.output(of: "gzip -nc logs/2026-11-19.log", in: place.scratch)
        let half = first == "half" ? Array(packed.prefix(packed.count / 2)) : []
        try place.scratch.write(half, to: "logs/2026-11-19.log.gz")
        let exit: Int32 = first == "half" ? 65 : 0
        #expect(try place.run("run", "--date", "2026-11-19").exit == exit)
        try place.scratch.write(packed, to: "logs/2026-11-19.log.gz")
        try place.scratch.remove("logs/2026-11-19.log")
        #expect(try catchUp(20).stderr.contains("2026-11-20: no source has files"))
        #expect(try place.rows(SlipTests.loaded).last == "2026-11-19|complete|1200")
        let status = try place.run("status", "--check", "--from", "2026-11-17", "--to", "2026-11-19")
        #expect(status.exit == 0)
    }

    @Test func aNightHasAtMost20Lines() throws {
        // As many causes as there are sources.
        let sources = (0..<30).map { number in
            let letter = String(UnicodeScalar(UInt8(97 + number % 26))) + (number < 26 ? "" : "x")
            return "  - name: \(letter)\n    format: collector\n    files: \(letter)/%Y-%m-%d.log\n"
        }
        try place.write(Workplace.onePipeline + sources.joined())
        let outcome = try place.run("run", "--date", "2026-11-19", "--force", "--quiet")
        let lines = outcome.stderr.split(separator: "\n")
        #expect(lines.count == 20)
        #expect(lines.last?.hasSuffix("more messages; 'pushetl status' names each log date") == true)
    }
}

extension Workplace {
    fileprivate func write(_ pipeline: String) throws { try scratch.write(pipeline, to: "push.yaml") }

    /// Writes 1,200 hits of a day of November 2026.
    fileprivate func writeHits(_ day: Int, more: Int = 0) throws {
        let lines = (0..<1200 + more).map { number in
            Workplace.hit("h\(String(number + 5000 * day, radix: 16)),d,7").replacing("19/Nov", with: "\(day)/Nov")
                + "\n"
        }
        try scratch.write(lines.joined(), to: "logs/2026-11-\(day).log")
    }
}
