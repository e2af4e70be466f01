import Foundation
import Reference
import Support
import Testing

/// No address, mcId, secret, token or user of the generated logs is printed or stored, whatever the command.
@Suite(.needsPushetl)
struct PrivacyTests {
    private static let secrets = [
        "203.0.113.7", "00000001234567890", "user-7", "aGVsbG8", "SECRET", "34600111222", "user@example.com",
        // Of `b0bb1e5@cafe.de`, which looks like an id up to there.
        "b0bb1e5",
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
            var random = SplitMix64(seed: seed)
            let files = set.dates.flatMap { date in
                set.plainFiles(date).map { Self.planted($0, of: date.day, set.pipeline, &random) }
            }
            for file in files { try folder.write(file.bytes, to: file.path) }
            if Self.secret(in: files.map { Data($0.bytes) }) == nil { return .skipped("no secret in the logs") }

            let last = files.suffix(set.pipeline.sources.count)
            var commands = commands(set.dates.map(\.day), last.map(\.path))
            // Whole lines of a log may be pasted. Their ids are shown, whatever they are.
            let originals = set.plainFiles(set.dates[set.dates.count - 1])
            let pasted = originals.flatMap { $0.bytes.pieces("\n").map(\.text) }.filter { $0.contains("id=") }.prefix(3)
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

    /// A log in which each line is followed by copies of itself. In a copy, one or two words or numbers are replaced by a personal
    /// value, or stand beside one. A copy is left out if the value is then the id of a counted message, or the name of its
    /// delivery or action, since those are stored and shown.
    private static func planted(
        _ file: InputFile, of date: Day, _ pipeline: Pipeline, _ random: inout SplitMix64
    ) -> InputFile {
        guard let source = pipeline.sources.first(where: { $0.name == file.source }) else { return file }
        let reading = Reading(source: source, pipeline: pipeline, logDate: date)
        let lines = file.bytes.pieces("\n").filter { !$0.isEmpty }
        let header = source.layout.hasFieldsLines || source.layout == .csv ? lines[0] + [10] : []
        let text = lines.flatMap { line in
            if line + [10] == header { return [line] }
            let others = (0..<8).map { _ in planted(line, &random) }
            return [line]
                + others.filter { other in
                    reading.records(Unpacked(header + other)).allSatisfy { isPrivate($0.outcome) }
                }
        }
        return InputFile(source: file.source, path: file.path, bytes: Bytes(text.map { $0 + [10] }.joined()))
    }

    /// Whether the record has no personal value as its id, or as the name of its delivery or action.
    private static func isPrivate(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .filtered("unmapped_action"), .rejected("unknown_action"): return false
        case .filtered, .rejected: return true
        case .accepted(let hit, _):
            let ids = [hit.deliveryID, Bytes(hit.broadlogID.text), Bytes(hit.action)] + hit.names.values
            return secret(in: ids.map { Data($0) }) == nil
        }
    }

    /// A line with one or two personal values, often in the place of a number.
    private static func planted(_ line: Bytes, _ random: inout SplitMix64) -> Bytes {
        var line = line
        for _ in 0..<random.number(1...2) {
            let words = line.indices.split { !line[$0].isLetterOrDigit }
            let numbers = words.filter { word in word.contains { [line[$0]].isDigits } }
            if words.isEmpty { return line }
            let word = random.pick(random.chance(80) && !numbers.isEmpty ? numbers : words)
            // The last three are addresses, too.
            let values = [
                "34600111222", "b0bb1e5@cafe.de", "b0bb1e5'brien@cafe.de", "b0bb1e5|x@cafe.de", "b0bb1e5\"x@cafe.de",
            ]
            let (value, own) = (Bytes(random.pick(values)), Bytes(line[word]))
            let joint = Bytes(random.pick(["", "", ".", "-", ",", ":"]))
            let new = random.pick([value, value, own + joint + value, value + joint + own])
            line = Bytes(line[..<word.startIndex]) + new + Bytes(line[word.endIndex...])
        }
        return line
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

extension UInt8 {
    fileprivate var isLetterOrDigit: Bool {
        [self].isDigits || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
