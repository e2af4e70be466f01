import Foundation
import Support
import Testing

/// Characters that may change a terminal: ESC, a line feed, DEL, a C1 control and a mark of the writing direction.
private let name = "a\u{1B}[31m\u{A}b\u{7F}c\u{9B}2Jd\u{202E}e"
private let shown = "a\\u{1b}[31m\\u{a}b\\u{7f}c\\u{9b}2Jd\\u{202e}e"

private func isSafe(_ outcome: Program.Outcome) -> Bool {
    (outcome.stdout + outcome.stderr).unicodeScalars.allSatisfy { scalar in
        scalar == "\n" || !(scalar.properties.generalCategory == .control || scalar.value == 0x202E)
    }
}

/// A loaded date, followed by one that is missing.
private func oneLoadedDate() throws -> Workplace {
    let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
    #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
    #expect(try place.run("backfill", "--from", "2026-11-18", "--to", "2026-11-19").exit == 0)
    try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
    return place
}

/// Text from logs, files and arguments cannot control the terminal that shows it.
@Suite(.needsPushetl)
struct TerminalTests {
    @Test func fileNamesAreShownEscapedOnOneLine() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.manyFiles)
        let log = "logs/2026-11-19-\(name).log"
        try place.scratch.write("junk\n", to: log)
        for arguments in [
            ["run", "--date", "2026-11-19"], ["status"], ["rejects"], ["rejects", "--json"], ["status", "--json"],
            ["backfill", "--from", "2026-11-19", "--to", "2026-11-19", "--dry-run"],
            ["run", "--date", "2026-11-19", "--force"],
        ] {
            #expect(isSafe(try place.run(arguments)), "\(arguments)")
        }
        let rejects = try place.run("rejects")
        #expect(rejects.stdout.hasPrefix("logs/2026-11-19-\(shown).log:1: malformed_line: "))
        #expect(rejects.stdout.split(separator: "\n").count == 1)
        let json = try place.run("rejects", "--json")
        let object = try json.object()
        let reject = try #require((object["rejects"] as? [[String: Any]])?.first)
        #expect(reject["path"] as? String == "logs/2026-11-19-\(name).log")
        // The databases have the name unchanged.
        let paths = try place.rows("SELECT path FROM files ORDER BY path")
        #expect(paths.first?.hasSuffix(name + ".log") == true)

        try place.scratch.remove(log)
        let gone = try place.run("status")
        let words = gone.stdout.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(words.contains("shrunk: logs/2026-11-19-\(shown).log is gone"))
        #expect(isSafe(gone))
    }

    @Test func idsFromTheLogsAreShownEscaped() throws {
        let lines = [
            #"{"request":"GET /r/?id=h1,d%C2%9B2J%E2%80%AE%7F,7","time":"2026-11-19T10:00:00Z"}"#,
            #"{"request":"GET /r/?id=h2,%9B,7","time":"2026-11-19T10:00:00Z"}"#,
        ]
        let place = try Workplace.withHits(lines, pipeline: Workplace.jsonLines)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let explained = try place.run("explain", "h1")
        #expect(explained.stdout.contains("d\\u{9b}2j\\u{202e}\\u{7f}"))
        #expect(isSafe(explained))
        let json = try place.run("explain", "h1", "--json")
        #expect(json.stdout.contains("\"d\\u009b2j\\u202e\\u007f\""))
        #expect(isSafe(json))
        #expect(
            try place.rows("SELECT delivery_id FROM daily_actions WHERE delivery_id <> '\u{FFFD}'") == [
                "d\u{9B}2j\u{202E}\u{7F}"
            ])
    }

    @Test func textFromThePipelineFileIsShownEscapedOnOneLine() throws {
        let escaped = name.unicodeScalars.map {
            "\\U" + String(repeating: "0", count: 8 - String($0.value, radix: 16).count) + String($0.value, radix: 16)
        }.joined()
        let place = try Workplace.withHits(
            [],
            pipeline: Workplace.onePipeline
                + "    \"key \(escaped)\": 1\n    layout: \"\(escaped)\"\n    platform: \"x\u{202E}\"\n")
        let outcome = try place.run("validate")
        #expect(outcome.exit == 78)
        #expect(isSafe(outcome))
        #expect(outcome.stderr.split(separator: "\n").allSatisfy { $0.hasPrefix("push.yaml:") })
        #expect(outcome.stderr.contains("push.yaml:7:5: unknown key 'key \(shown)'"))
        #expect(isSafe(try place.run("validate", "--json")))
        #expect(isSafe(try place.run("validate", "no\(name).yaml")))
    }

    @Test(arguments: [
        ["run", "--date", name], ["explain", "h1?" + name], ["rejects", "--reason", name], [name],
        ["run", "--" + name],
        ["status", "--output", name], ["run", "--memory", name],
    ])
    func argumentsAreShownEscaped(arguments: [String]) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(isSafe(try place.run(arguments)))
        #expect(isSafe(try place.run(arguments + ["--json"])))
    }

    @Test func aFileGetsNoColours() throws {
        #expect(!(try oneLoadedDate().run("status")).stdout.contains("\u{1B}"))
    }

    @Test(.needs(.script))
    func aTerminalGetsColoursUnlessTheyAreTurnedOff() throws {
        let place = try oneLoadedDate()
        let script = try #require(Tool.script.path)
        // `script` gives the program a terminal.
        func onTerminal(_ environment: [String: String]) throws -> String {
            try Program(executable: URL(fileURLWithPath: script)).run(
                ["-qec", "'\(place.program.executable.path)' status -p push.yaml", "/dev/null"], in: place.scratch.url,
                environment: environment.merging(["TERM": "xterm"]) { $1 }
            ).stdout
        }
        #expect(try onTerminal(["NO_COLOR": ""]).contains("C\u{1B}[33mM\u{1B}[0m"))
        #expect(!(try onTerminal(["NO_COLOR": "1"])).contains("\u{1B}"))
    }

    @Test(.needs(.script), arguments: ["doctor", "run --date 2026-11-20", "backfill --last 3 --dry-run"])
    func linesAreBrokenBetweenWordsAtTheTerminalsWidth(command: String) throws {
        let place = try oneLoadedDate()
        let script = try #require(Tool.script.path)
        let piped = try place.run("doctor")
        let outcome = try Program(executable: URL(fileURLWithPath: script)).run(
            ["-qec", "stty cols 64; '\(place.program.executable.path)' \(command) -p push.yaml", "/dev/null"],
            in: place.scratch.url)
        let lines = outcome.stdout.split(whereSeparator: \.isNewline)
        #expect(lines.count > 1)
        #expect(lines.allSatisfy { $0.count <= 64 }, "\(outcome.stdout)")
        guard command == "doctor" else { return }
        // The same words, below the column that they belong to.
        #expect(
            outcome.stdout.split(whereSeparator: \.isWhitespace) == piped.stdout.split(whereSeparator: \.isWhitespace))
        #expect(lines.contains("  ok      definitions  tables, columns, types and keys are those"))
        #expect(lines.contains("                       of this version"))
    }
}
