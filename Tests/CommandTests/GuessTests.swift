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
            ("192.0.2.1 FOO \"/r/?id=h1,d2,7\" x", "no method such as GET was found in them (line 2)"),
            (
                "192.0.2.1 - - [19/Foo/2026:10:00:00 +0000] \"GET /r/?id=h1,d2,7 HTTP/1.1\" 200 3 \"-\" \"x\"",
                "no time was found in them (line 2)"
            ),
            (#"{"a":"/r/?id=h1,d2,7"}"#, "no method such as GET, or no URL, was found in them (line 2)"),
            (
                "192.0.2.1 - - [19/Nov/2026:10:00:00 +0000] \"GET /t/?id=h1,d2,7 HTTP/1.1\" 200 3 \"-\" \"x\"",
                "no request by GET or POST for the path /r/ was found in them (line 2)"
            ),
        ] as [(String, String)])
    func aLogThatNoLayoutFitsIsToldHowFarItCame(line: String, end: String) throws {
        let place = try Workplace.withHits(["started", line, line])
        let outcome = try place.run("guess", "logs/2026-11-19.log")
        #expect(outcome.exit == 65)
        #expect(outcome.stderr == "error: logs/2026-11-19.log: 2 of 3 lines seem to hold hits, but \(end)\n")
    }

    private static let event = #"{"time":"2026-11-19T10:00:00Z","request":"GET /r/?id=h1,d2,7 HTTP/1.1","status":200}"#

    @Test(
        arguments: [
            (
                "a.log.gz", "<html>Access denied</html>",
                "its name says gzip, but its content is HTML or XML without hits"
            ),
            ("a.json", "no object", "its name says JSON, but its content is plain text without hits"),
            (
                "a.log", String(repeating: "\u{1}\u{2}A\n", count: 99),
                "is binary data of an unknown kind; pushetl reads gzip, zstd and plain text"
            ),
            (
                "a.json", #"{"logEvents":[{"timestamp":1,"message":"GET /r/?id=h1,d2,7"}]}"#,
                "its hits are in the list 'logEvents'; no layout reads lists, so write each element of the list as a line of "
                    + "its own first, as 'jq -c' does"
            ),
            (
                "a.json", #"{"lines":["GET /r/?id=h1,d2,7 \"x\"","GET /r/?id=h2,d2,7 \"x\""]}"#,
                "its hits are in the list 'lines'; no layout reads lists, so write each element of the list as a line of its "
                    + "own first, as 'jq -c' does"
            ),
            ("a.json", #"{"logEvents":[]}"#, "the list 'logEvents' is empty in all lines, so there are no hits"),
            (
                "a.json", "[" + event + "," + event + "]",
                "is one JSON document; a layout reads one object a line, so write each as a line of its own first, as "
                    + "'jq -c' does"
            ),
            (
                "a.log", "#Fields: date time cs-method cs-uri-stem sc-status\n2026-11-19 10:00:00 GET /r/ 200",
                "its '#Fields:' line has no cs-uri-query, which hits need; add this field to the server's log"
            ),
            (
                "a.log", "#Fields: cs-method cs-uri-stem cs-uri-query\nGET /r/ id=h1,d2,7",
                "its '#Fields:' line has no date, no time, which hits need; add these fields to the server's log"
            ),
        ] as [(String, String, String)])
    func whatIsRefusedIsRefusedForItsReason(name: String, content: String, reason: String) throws {
        let place = try Workplace()
        try place.scratch.write(content + "\n", to: name)
        let outcome = try place.run("guess", name)
        #expect(outcome.exit == 65)
        #expect(outcome.stderr == "error: \(name): \(reason)\n")
        #expect(outcome.stdout == "")
    }

    /// Twelve logs, each with other keys and a doubt of its own.
    @Test func atMostTenThingsAreToBeCheckedTheMostSeriousFirst() throws {
        let place = try Workplace()
        let names = (1...12).map { (number: $0, path: "\(UnicodeScalar(UInt8(96 + $0)))/2026-11-19.log") }
        for (number, path) in names {
            let lines = (0..<40).map { hit in
                #"{"t\#(number)":"2026-11-19T10:00:\#(10 + hit)Z","request":"GET /r/?id=h\#(hit + 1),d2,7 HTTP/1.1","code":200"#
                    + (number == 9 ? #","z":"2026-11-19T12:00:\#(10 + hit)Z""# : "") + "}\n"
            }
            try place.scratch.write(lines.joined(), to: path)
        }
        let outcome = try place.run(["guess"] + names.map(\.path))
        #expect(outcome.exit == 0)
        let checks = outcome.stdout.split(separator: "\n").filter { $0.contains("# check: ") }
        #expect(checks.count == 10, "\(outcome.stdout)")
        #expect(checks.first == "# check: the time is taken from t9; z has another one (source collector_9)")
        #expect(checks.dropFirst().allSatisfy { $0.contains("no user agent was found in the lines") })
        #expect(outcome.stdout.contains("\n# … and 3 doubts more, less serious\nversion: 1\n"))
        #expect(outcome.stdout.contains("\ntimezone: UTC  # the zone of your days, such as Europe/Madrid\n"))
    }

    @Test func aPatternThatFindsFilesOfAnotherSourceIsToBeChecked() throws {
        let place = try Workplace()
        try place.scratch.write(Workplace.hit("h1,d57fd6,7") + "\n", to: "web1/2026-11-19/part-1.log")
        try place.scratch.write(Workplace.hit("h2,d57fd6,7") + "\n", to: "web1/2026-11-19/part-2.log")
        let other = #"{"ts":"2026-11-19T10:00:00Z","request":"GET /r/?id=h3,d2,7 HTTP/1.1","code":200}"# + "\n"
        try place.scratch.write(other, to: "web1/2026-11-19/part-3.log")
        try place.scratch.write(other, to: "web2/2026-11-19/part-1.log")
        let same = try place.run("guess", "web1/2026-11-19/part-1.log", "web1/2026-11-19/part-3.log")
        for (name, path) in [
            ("collector", "web1/2026-11-19/part-3.log"), ("collector_2", "web1/2026-11-19/part-1.log"),
        ] {
            let check = "# check: 'files' finds \(path) too, which has another layout (source \(name))\n"
            #expect(same.stdout.contains(check), "\(same.stdout)")
        }
        // Other hosts are left out where they write something else.
        let apart = try place.run("guess", "web1/2026-11-19/part-1.log", "web2/2026-11-19/part-1.log").stdout
        #expect(!apart.contains("'files' finds") && apart.contains("/web1/") && apart.contains("/web2/"), "\(apart)")
    }

    /// What guess counts is what run counts, also of lines that are in JSON objects.
    @Test func linesThatAreInNoObjectDoNotFit() throws {
        let lines = (0..<20).map { number in
            let hit = Workplace.hit("h\(number + 1),d57fd6,7", agent: "Dalvik/2 (Linux; Android 14)")
            return number % 10 == 3 ? "lost" : "{\"log\":\"\(hit.replacing("\"", with: "\\\""))\\n\"}"
        }
        let place = try Workplace.withHits(lines)
        let outcome = try place.run("guess", "logs/2026-11-19.log", "--out", "guess.yaml")
        #expect(outcome.exit == 0)
        let draft = try place.scratch.text("guess.yaml")
        #expect(draft.contains("  # logs/2026-11-19.log: plain text, 20 lines: 18 fit, 18 hits\n"))
        #expect(draft.contains("\n# check: 2 of 20 lines do not fit, the first is line 4\n"))
        _ = try place.run("run", "--date", "2026-11-19", "-p", "guess.yaml", "--output", "out", "--force")
        #expect(
            try place.rows("SELECT outcome, reason, records FROM outcomes")
                == ["accepted||18", "rejected|malformed_line|2"])
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
