import Foundation
import Support
import Testing

/// `guess` finds the pipeline of logs that it has never seen.
@Suite(.needsPushetl)
struct GuessTests {
    /// Guesses a pipeline, and puts in what the logs do not tell: the time zone, whether hits without an mcId are e-mails,
    /// and the names of the events that mean something.
    private func guess(_ place: Workplace, _ files: [String], zone: String, requireMcid: Bool = false) throws {
        let outcome = try place.run(["guess", "--out", "guess.yaml", "--force"] + files)
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        let draft = try place.scratch.text("guess.yaml")
        #expect(draft.contains("timezone: UTC  # check: the zone of your days"))
        let known = draft.replacing("timezone: UTC", with: "timezone: \(zone)")
            .replacing("require_mcid: false", with: "require_mcid: \(requireMcid)")
            .split(separator: "\n").filter { line in
                !["'Push_Open'", "'push_notification_opened'"].contains { line.contains($0) }
            }
        try place.scratch.write(known.joined(separator: "\n"), to: "guess.yaml")
        let valid = try place.run("validate", "guess.yaml")
        #expect(valid.exit == 0, "\(valid.stderr)")
    }

    /// Loads a date by a pipeline into an output of its own, which is returned.
    private func load(_ place: Workplace, _ date: String, by pipeline: String) throws -> String {
        let output = "\(date) \(pipeline.replacing("/", with: " "))"
        let run = try place.run("run", "--date", date, "--pipeline", pipeline, "--output", output)
        #expect(run.exit == 0, "\(pipeline): \(run.stderr)")
        return output + "/push.db"
    }

    /// The figures without the sources, whose names are the pipeline's.
    private func figures(_ place: Workplace, _ output: String) throws -> [String] {
        try place.rows(
            """
            SELECT day, platform, delivery_id, action, SUM(events), SUM(duplicates)
            FROM daily_actions GROUP BY 1, 2, 3, 4
            UNION ALL SELECT hour_epoch, platform, '', action, SUM(events), SUM(duplicates)
            FROM hourly_actions GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
            """, output)
    }

    @Test(arguments: ["combined", "nginx", "apache", "w3c", "cloudfront", "alb", "json", "gcp_lb", "caddy"])
    func theFiguresOfEveryLayoutAreThoseOfItsPipeline(layout: String) throws {
        let place = try Workplace.withLoggen(
            "--records \(Long.isOn ? 12_000 : 3000) --from 2026-11-18 --to 2026-11-19 --layout \(layout) --seed 7")
        // From the files of one date the files of the other one are found too.
        let files = try ["collector", "mzip", "users_track"].flatMap { kind in
            try place.scratch.names("\(kind)/2026-11-18").map { "\(kind)/2026-11-18/\($0)" }
        }
        try guess(place, files, zone: "Europe/Madrid")
        for date in ["2026-11-18", "2026-11-19"] {
            let outputs = try ["guess.yaml", "push.yaml"].map { try load(place, date, by: $0) }
            #expect(try figures(place, outputs[0]) == figures(place, outputs[1]))
        }
    }

    @Test(
        arguments: try FileManager.default.contentsOfDirectory(
            atPath: Workplace.packageFolder.appendingPathComponent("Pipelines").path
        ).filter { $0.hasSuffix(".yaml") }.sorted())
    func theFiguresOfSampleLogsAreThoseOfTheirPipeline(pipeline: String) throws {
        let place = try Workplace.withSamples()
        let output = try load(place, "2026-11-19", by: "Pipelines/\(pipeline)")
        let files = try place.rows("SELECT DISTINCT path FROM files ORDER BY source, path", output)
        let right = try place.scratch.text("Pipelines/\(pipeline)")
        let zone = right.split(separator: "\n").first { $0.hasPrefix("timezone: ") }
            .map { String($0.dropFirst("timezone: ".count).prefix { $0 != " " }) }
        try guess(
            place, files.map { String($0.trimmingPrefix("../")) }, zone: zone ?? "UTC",
            requireMcid: right.contains("require_mcid: true"))
        #expect(try figures(place, output) == figures(place, load(place, "2026-11-19", by: "guess.yaml")))
    }

    @Test func thePipelineSaysWhatItHasSeen() throws {
        let hits = (0..<30).map {
            Workplace.hit("h\($0 + 1),d57fd6,\($0 % 3 == 0 ? 7 : 2)&mcId=1", agent: "Dalvik/2.1.0 (Linux)")
        }
        let place = try Workplace.withHits(hits + [Workplace.hit("h1,d57fd6,1"), "no log line"])
        let outcome = try place.run("guess", "logs/2026-11-19.log")
        #expect(outcome.exit == 0)
        let lines = outcome.stdout.split(separator: "\n").map(String.init)
        #expect(lines.contains("  # logs/2026-11-19.log: plain text, 32 lines: 31 fit, 31 hits"))
        #expect(lines.contains("    layout: combined"))
        #expect(lines.contains("    # codes: 2 (20), 7 (10), 1 (1)"))
        #expect(
            lines.contains(
                "    require_mcid: false  # check: true would leave out 1 of 31, which have no mcId, as e-mails"))
        #expect(lines.contains { $0.hasPrefix("    files: /") && $0.hasSuffix("/logs/%Y-%m-%d.log") })
        #expect(!outcome.stdout.contains("192.0.2.1"))
    }

    @Test func codesThatTwoDialectsHaveAreToBeChecked() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d57fd6,1"), Workplace.hit("h2,d57fd6,2")])
        let outcome = try place.run("guess", "logs/2026-11-19.log")
        #expect(
            outcome.stdout.contains(
                "    dialect: campaign_classic  # check: or campaign_standard; the codes do not tell"))
        let standard = try Workplace.withHits([Workplace.hit("h1,d57fd6,1&mcId=1")])
        #expect(
            try standard.run("guess", "logs/2026-11-19.log").stdout.contains("dialect: campaign_standard  # check: "))
    }

    @Test func logsWithoutAHitAreNamed() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d57fd6,7")])
        let web = "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /robots.txt HTTP/1.1\" 200 0 \"-\" \"-\"\n"
        try place.scratch.write(String(repeating: web, count: 20), to: "web.log")
        try place.scratch.write("Dear diary,\nnothing happened.\n", to: "text.txt")
        try place.scratch.write((0..<4000).map { UInt8(truncatingIfNeeded: $0 &* 37 ^ $0 >> 3) }, to: "binary")
        try place.scratch.write("", to: "empty.log")
        let reason = "has an id such as '/r/?id=…', a mzip form or 'events'\n"
        let expected = [
            "web.log": "error: web.log: no hits in 20 lines: they fit 'combined', but none \(reason)",
            "text.txt": "error: text.txt: no hits in 2 lines: they fit no layout, and none \(reason)",
            "empty.log": "error: empty.log: is empty\n",
        ]
        for (file, sentence) in expected {
            let outcome = try place.run("guess", file)
            #expect(outcome.exit == 65)
            #expect(outcome.stderr == sentence)
            #expect(outcome.stdout.isEmpty)
        }
        #expect(try place.run("guess", "binary").exit == 65)
        // Beside a file with hits it is a warning.
        let both = try place.run("guess", "web.log", "logs/2026-11-19.log")
        #expect(both.exit == 0)
        #expect(both.stderr.hasPrefix("warning: web.log: no hits"))
    }

    @Test func whatCannotBeReadIsNamed() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d57fd6,7")])
        #expect(
            try place.run("guess", "none.log").stderr == "error: none.log: cannot be read: no such file or directory\n")
        let folder = try place.run("guess", "logs")
        #expect(folder.exit == 74)
        #expect(folder.stderr == "error: logs: cannot be read: is a directory\n")
        try place.scratch.write(
            [UInt8]([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]) + [UInt8](repeating: 0, count: 40), to: "a.log")
        let foreign = try place.run("guess", "a.log")
        #expect(foreign.exit == 65)
        #expect(foreign.stderr.contains("a.log: is xz-compressed"))
        #expect(try place.run("guess").exit == 64)
    }

    @Test(
        arguments: [
            (
                "192.0.2.1 FOO \"/r/?id=h1,d2,7\" x",
                "combined: expected ' [' at byte 33, before the time; found the end of the line); write a 'log_format' for them"
            ),
            (
                "192.0.2.1 - - [19/Foo/2026:10:00:00 +0000] \"GET /r/?id=h1,d2,7 HTTP/1.1\" 200 3 \"-\" \"x\"",
                "a 'log_format' for them"
            ),
            (
                #"{"a":"/r/?id=h1,d2,7"}"#,
                "); write 'layout_fields' for them (the documentation's page Pipelines, json)"
            ),
        ] as [(String, String)])
    func aLogThatNoLayoutFitsIsToldHowFarItCame(line: String, end: String) throws {
        let place = try Workplace.withHits(["started", line, line])
        let outcome = try place.run("guess", "logs/2026-11-19.log")
        #expect(outcome.exit == 65)
        let start = "error: logs/2026-11-19.log: 2 of 3 lines seem to hold hits, but no layout fits them (line 2, "
        #expect(outcome.stderr.hasPrefix(start) && outcome.stderr.hasSuffix("\(end)\n"), "\(outcome.stderr)")
    }

    @Test func anExistingPipelineIsKept() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d57fd6,7", agent: "Dalvik/2.1.0 (Linux; Android 14)")])
        let outcome = try place.run("guess", "logs/2026-11-19.log", "--out", "push.yaml")
        #expect(outcome.exit == 64)
        #expect(outcome.stderr.contains("push.yaml exists; give another name, or --force to replace it."))
        #expect(try place.scratch.text("push.yaml") == Workplace.onePipeline)
        let forced = try place.run("guess", "logs/2026-11-19.log", "--out", "push.yaml", "--force")
        #expect(forced.exit == 0)
        #expect(
            forced.stdout
                == "push.yaml: written, with 1 source; 2 lines to check are marked '# check'\n")
        #expect(try place.run("preview", "--date", "2026-11-19").exit == 0)
        let nowhere = try place.run("guess", "logs/2026-11-19.log", "--out", "none/push.yaml")
        #expect(nowhere.exit == 74)
        #expect(nowhere.stderr == "error: none/push.yaml: cannot be written: no such file or directory\n")
    }

    /// A third of the lines is JSON.
    @Test func twoLayoutsInOneFileAreNamedWithTheirShares() throws {
        let json = "{\"time\":\"2026-11-19T10:00:00Z\",\"request\":\"GET /r/?id=h9,d57fd6,7 HTTP/1.1\",\"status\":200}"
        let lines = (0..<60).map { $0 % 3 == 0 ? json : Workplace.hit("h\($0 + 1),d57fd6,7") }
        let place = try Workplace.withHits(lines)
        let outcome = try place.run("guess", "logs/2026-11-19.log")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr.contains(
                "has two layouts: 40 of 60 lines (67 %) fit 'combined', 20 of 60 lines (33 %) fit 'json'; "
                    + "a source reads only one\n"))
        let preview = try place.run("preview", "--date", "2026-11-19")
        #expect(
            preview.stderr.contains(
                "logs/2026-11-19.log: 20 of 60 records (33 %) do not fit the layout; 'pushetl guess' tells whether"))
    }

    /// Most lines fit the pipeline's layout, but none of the hits does.
    @Test func aLayoutThatMissesTheHitsIsNamedByTheirShare() throws {
        let web = "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /robots.txt HTTP/1.1\" 200 0 \"-\" \"-\""
        let hit = "2026-11-19T10:00:00Z|GET /r/?id=h9,d57fd6,7 HTTP/1.1|200|Dalvik/2.1.0 (Linux)|-"
        let place = try Workplace.withHits((0..<100).map { $0 % 10 == 0 ? hit : web })
        let preview = try place.run("preview", "--date", "2026-11-19")
        #expect(preview.exit == 0)
        #expect(
            preview.stderr.contains(
                "logs/2026-11-19.log: of 10 lines that seem to be hits, 10 (100 %) do not fit the layout\n"))
        // The guess is the layout of the hits.
        let guess = try place.run("guess", "logs/2026-11-19.log")
        #expect(guess.stdout.contains("layout: '$time_iso8601|$request|$status|$http_user_agent|$skipped1'"))
        #expect(guess.stderr.contains("has two layouts: 10 of 100 lines (10 %) fit "))
    }

    @Test func onlyTheBeginningOfALargeFileIsRead() throws {
        let place = try Workplace.withHits((0..<10_050).map { Workplace.hit("h\($0 + 1),d57fd6,7") })
        #expect(
            try place.run("guess", "logs/2026-11-19.log").stdout.contains(
                "plain text, the first 10,000 lines: 10,000 fit, 10,000 hits"))
    }
}
