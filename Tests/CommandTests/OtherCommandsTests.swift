import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct OtherCommandsTests {
    @Test func statusShowsTheLoadedAndMissingLogDates() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("status").stdout == "out/push.db: nothing is loaded yet; there are files of 2026-11-19\n")
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-12-25.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.run("run", "--date", "2026-12-25").exit == 0)
        let outcome = try place.run("status")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("  2026-11                    C...........\n"))
        #expect(outcome.stdout.contains("  2026-12  ........................C\n"))
        #expect(outcome.stdout.contains("  complete    2\n"))
        #expect(outcome.stdout.contains("  missing     35  2026-11-20 to 2026-12-24\n"))
        #expect(outcome.stdout.contains("  final       through 2026-11-19\n"))
        let json = try place.run("status", "--json")
        #expect(try json.logDates().count == 37)
        #expect(try json.object()["final_through"] as? String == "2026-11-19")
    }

    @Test func rejectsAreListedWithFileLineAndMaskedSample() throws {
        let lines =
            (1...60).map { Workplace.hit("h\(String($0, radix: 16)),d,7") }
            + [
                Workplace.hit("hxyz,d,7&mcId=12345678901234567890123456789012345678"),
                "203.0.113.9 mail me@example.com",
            ]
        let place = try Workplace.withHits(lines)
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let outcome = try place.run("rejects", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        let listed = outcome.stdout.split(separator: "\n")
        try #require(listed.count == 2)
        #expect(listed[0].hasPrefix("logs/2026-11-19.log:61: malformed_id: "))
        #expect(listed[1].hasPrefix("logs/2026-11-19.log:62: malformed_line: "))
        for secret in ["192.0.2.1", "203.0.113.9", "1234567890", "me@example.com"] {
            #expect(!outcome.stdout.contains(secret))
            #expect(place.bytes("out/partitions/2026-11-19.sqlite")?.range(of: Data(secret.utf8)) == nil)
            #expect(place.bytes("out/push.db")?.range(of: Data(secret.utf8)) == nil)
        }
        #expect(try place.run("rejects", "--date", "2026-11-18").exit == 66)
        #expect(try place.run("rejects").stdout == outcome.stdout)
    }

    @Test func rejectsSayThatThereAreNone() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("rejects").stdout == "no log date is loaded, so there are no rejects\n")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        for (arguments, sentence) in [
            ([], "1 log date: no rejects\n"), (["--date", "2026-11-19"], "2026-11-19: no rejects\n"),
            (["--summary"], "1 log date: no rejects\n"),
            (["--reason", "bad_time", "--source", "adobe"], "1 log date: no rejects as bad_time of source adobe\n"),
        ] {
            let outcome = try place.run(["rejects"] + arguments)
            #expect(outcome.exit == 0)
            #expect(outcome.stdout == sentence)
            #expect(outcome.stderr == "")
        }
        #expect(try place.run("rejects", "--json").object()["rejects"] as? [String] == [])
    }

    @Test func everyPipelineOfTheRepositoryIsValid() throws {
        let place = try Workplace.withSamples()
        let files = try place.scratch.names("Pipelines")
        #expect(files.count == 12)
        let outcome = try place.program.run(["validate"] + files.map { "Pipelines/\($0)" }, in: place.scratch.url)
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.split(separator: "\n").count == 12)
        #expect(outcome.stderr == "")
    }

    @Test(arguments: ["run", "backfill", "status", "rejects", "explain", "validate", "preview", "export", "doctor"])
    func theHelpOfACommandHasAnExample(_ command: String) throws {
        let outcome = try Workplace().run(command, "--help")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("  pushetl \(command)"))
    }

    @Test func theHelpNamesTheDefaultOfEveryOption() throws {
        let help = try Workplace().run("--experimental-dump-help").object()
        let command = try #require(help["command"] as? [String: Any])
        let commands = try #require(command["subcommands"] as? [[String: Any]])
        var options = 0
        for command in commands where command["commandName"] as? String != "help" {
            for option in command["arguments"] as? [[String: Any]] ?? [] where option["kind"] as? String == "option" {
                options += 1
                let text = option["abstract"] as? String ?? ""
                let tells =
                    option["defaultValue"] != nil || text.contains("(default: ") || text.contains("(required ")
                    || option["isOptional"] as? Bool == false
                #expect(tells, "\(command["commandName"] ?? ""): \(option["valueName"] ?? "")")
            }
        }
        #expect(options > 50)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func everyShellHasACompletionScript(_ shell: String) throws {
        let outcome = try Workplace().run("--generate-completion-script", shell)
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("rejects"))
    }

    @Test func thePipelineFileMayComeFromTheEnvironment() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.move("push.yaml", to: "other.yaml")
        let outcome = try place.run(
            "run", "--date", "2026-11-19", "--output", "elsewhere", environment: ["PUSHETL_PIPELINE": "other.yaml"])
        #expect(outcome.exit == 0)
        #expect(try place.rows("SELECT count(*) FROM days", "elsewhere/push.db") == ["1"])
    }

    @Test func theVersionNamesTheUnpackingLibrary() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let version = try place.run("--version").stdout
        #expect(version.wholeMatch(of: /1\.1\.0 \((zlib|ISA-L) [0-9.]+\)\n/) != nil, "\(version)")
        // The history has the version alone.
        _ = try place.run("run", "--date", "2026-11-19")
        #expect(try place.rows("SELECT version FROM runs") == ["1.1.0"])
    }

    /// Whatever stands where a pipeline file should be, every command says so at once.
    @Test(
        arguments: [
            ("/dev/zero", "a pipeline file must be a regular file, not a FIFO, a socket or a device"),
            ("pipe", "a pipeline file must be a regular file, not a FIFO, a socket or a device"),
            ("large.yaml", "the file has more than 1,048,576 bytes, the most that a pipeline file may have"),
            ("deep.yaml", "lists and mappings are nested more than 1,000 deep"),
        ])
    func whatIsNoPipelineFileIsRefused(_ file: String, _ sentence: String) throws {
        let place = try Workplace()
        #expect(mkfifo(place.scratch.path("pipe"), 0o600) == 0)
        try place.scratch.write(String(repeating: "a", count: 10 << 20), to: "large.yaml")
        try place.scratch.write(String(repeating: "[", count: 1 << 20), to: "deep.yaml")
        for command in ["run", "status", "preview", "rejects", "spark-drive", "validate"] {
            let outcome = try place.run(command, "-p", file)
            #expect(outcome.exit == 78)
            #expect(outcome.stderr == "\(file):1:1: \(sentence)\n")
        }
    }

    @Test func anAliasCountsAsAllThatItStandsFor() throws {
        let place = try Workplace()
        var lines = ["a0: &a0 x"]
        for level in 1..<12 {
            lines.append(
                "a\(level): &a\(level) [" + repeatElement("*a\(level - 1)", count: 10).joined(separator: ", ") + "]")
        }
        for key in ["? *a11\n: x", "sources: *a11"] {
            try place.scratch.write((lines + [key]).joined(separator: "\n"), to: "push.yaml")
            let outcome = try place.run("validate")
            #expect(outcome.exit == 78)
            #expect(
                outcome.stderr == "push.yaml:6:45: the file has more than 200,000 keys, values and lists; "
                    + "an alias counts as all that it stands for\n")
        }
    }
}
