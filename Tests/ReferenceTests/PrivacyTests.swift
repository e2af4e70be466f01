import Foundation
import Reference
import Support
import Testing

/// No address, mcId, secret, token or user of the generated logs is printed or stored, whatever the command.
@Suite(.needsPushetl)
struct PrivacyTests {
    private static let secrets = [
        "203.0.113.7", "00000001234567890", "user-7", "aGVsbG8", "SECRET", "34600111222", "user@example.com",
    ]

    /// Every command, with the options that show or store more. `files` are logs of the last date.
    private func commands(_ dates: [Day], _ files: [String]) -> [[String]] {
        let range = ["--from", "\(dates[0])", "--to", "\(dates[dates.count - 1])"]
        let guesses = files.flatMap { [["guess", $0], ["guess", $0, "--json"]] }
        return [
            ["backfill"] + range + ["--verbose", "--metrics", "push.prom"],
            ["backfill"] + range + ["--dry-run", "--only", "all", "--json"],
            ["run", "--date", "\(dates[0])", "--force", "--json"],
            ["run", "--date", "\(dates[0])", "--force", "--log-format", "json"],
            ["status"], ["status", "--json"], ["status", "--check"] + range,
            ["rejects"], ["rejects", "--json"], ["rejects", "--summary"],
            ["validate", "--json"], ["preview", "--date", "\(dates[0])", "--limit", "1000"],
            ["preview", "--json", "--limit", "1000"] + files, ["preview", "--limit", "1000"] + files,
            ["report"], ["report", "--out", "-"], ["export", "csv", "--out", "x/csv"],
            ["export", "datasette", "--out", "x/datasette"], ["export", "superset", "--out", "x/superset"],
            ["doctor"], ["doctor", "--json"], ["diagnose"], ["diagnose", "--json"], ["explain", "h1"],
        ] + guesses + [["guess", "--out", "guessed.yaml"] + files]
    }

    @Test func nothingPersonalIsStoredOrPrinted() throws {
        try Seeds(2, long: 25).expectSame { seed, program, folder in
            let set = GeneratedRecordSet(seed: seed)
            try folder.write(set.pipeline)
            let files = set.dates.flatMap(set.plainFiles)
            for file in files { try folder.write(file.bytes, to: file.path) }
            if Self.secret(in: files.map { Data($0.bytes) }) == nil { return .skipped("no secret in the logs") }

            let last = set.plainFiles(set.dates[set.dates.count - 1])
            var commands = commands(set.dates.map(\.day), last.map(\.path))
            // Whole lines of a log may be pasted.
            let pasted = last.flatMap { $0.bytes.pieces("\n").map(\.text) }.filter { $0.contains("id=") }.prefix(3)
            commands += pasted.map { ["explain", "--", $0] }
            for words in commands {
                let outcome = try program.run(words, in: folder.url, environment: ["PUSHETL_PIPELINE": "push.yaml"])
                if outcome.exit < 0 || outcome.exit == 64 && words[0] != "explain" {
                    return .different("\(words): \(outcome.summary)")
                }
                if let secret = Self.secret(in: [Data((outcome.stdout + outcome.stderr).utf8)]) {
                    return .different("\(secret) is printed by \(words)")
                }
            }
            let job = try folder.sparkLoad(program, set.dates[0].day, output: "spark", seed, [])
            if let secret = Self.secret(in: [Data((job.stdout + job.stderr).utf8)]) {
                return .different("\(secret) is printed by a job on Spark")
            }
            let stored = folder.contentsOfAll("").filter { !$0.key.hasPrefix("logs/") }
            for (name, content) in stored {
                if let secret = Self.secret(in: [content, Data(name.utf8)]) {
                    return .different("\(secret) is in \(name)")
                }
            }
            return .same(["commands": commands.count, "files": stored.count])
        }
    }

    private static func secret(in texts: [Data]) -> String? {
        secrets.first { secret in texts.contains { $0.has(Data(secret.utf8)) } }
    }

    @Test func everyCommandIsAsked() throws {
        let folder = try ScratchFolder()
        let help = try #require(Program.built).run(["help"], in: folder.url).stdout
        let names = help.matches(of: #/\n  ([a-z]+)  /#).map { String($0.1) }
        #expect(names.count >= 12)
        #expect(Set(names) == Set(commands([Day(number: 20_776)], ["a"]).map { $0[0] }))
    }
}
