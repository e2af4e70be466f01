import Foundation
import Support
import Testing

/// The objects on stderr, one a line.
private func messages(_ outcome: Program.Outcome) throws -> [[String: Any]] {
    try outcome.stderr.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
    }
}

@Suite(.needsPushetl)
struct LogFormatTests {
    @Test func everyMessageIsOneObjectALine() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), "junk"], pipeline: Workplace.twoSources)
        try place.scratch.makeFolder("more")
        let text = try place.run("run", "--date", "2026-11-19", "--log-format", "text")
        let json = try place.run("run", "--date", "2026-11-19", "--log-format", "json")
        #expect(json.exit == 65 && json.stdout.contains("2026-11-19  held_back"))
        let found = try messages(json)
        try #require(found.count == 2)
        #expect(found[0]["level"] as? String == "warning" && found[1]["level"] as? String == "error")
        #expect(found.map { $0["code"] as? String } == ["missing_source", "held_back_too_many_rejects"])
        #expect(found.map { $0["log_date"] as? String } == ["2026-11-19", "2026-11-19"])
        #expect(found[0]["path"] == nil && found[0]["line"] == nil)
        // The sentences are those of the text, also of more than one line.
        let sentences = found.map { "\($0["level"] ?? ""): \($0["message"] ?? "")\n" }.joined()
        #expect(sentences == text.stderr)
        for message in found {
            let time = try #require(message["time"] as? String)
            #expect(time.wholeMatch(of: /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil, "\(time)")
        }
    }

    @Test func aMessageNamesItsFileAndPlace() throws {
        let place = try Workplace.withHits([], pipeline: Workplace.onePipeline.replacing("format", with: "fromat"))
        for arguments in [["validate"], ["status"], ["doctor"], ["export", "csv", "--out", "x"], ["explain", "h1"]] {
            let outcome = try place.run(arguments + ["--log-format=json"])
            #expect(outcome.exit == 78)
            let found = try messages(outcome)
            #expect(found.map { $0["path"] as? String } == ["push.yaml", "push.yaml"])
            #expect(found.map { $0["line"] as? Int } == [4, 5])
            #expect(found[1]["message"] as? String == "unknown key 'fromat', did you mean 'format'?")
        }
    }

    @Test(arguments: [["run", "--bogus"], ["runn"], ["run", "--date", "2026-13-01"], ["backfill"]])
    func wrongUsageIsAnObjectToo(arguments: [String]) throws {
        let place = try Workplace.withHits([])
        let outcome = try place.run(arguments + ["--log-format", "json"])
        #expect(outcome.exit == 64 && outcome.stdout == "")
        let found = try messages(outcome)
        #expect(found.count == 1 && found[0]["code"] as? String == "usage" && found[0]["level"] as? String == "error")
        #expect(try place.run("run", "--log-format", "xml").stderr.contains("'xml' is invalid for '--log-format"))
    }

    @Test func controlCharactersAreEscaped() throws {
        let place = try Workplace.withHits([], pipeline: Workplace.manyFiles)
        let name = "logs/2026-11-19-\u{9B}31m\u{202E}\u{7F}\nb.log"
        try place.scratch.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0], to: name)
        let outcome = try place.run("run", "--date", "2026-11-19", "--log-format", "json")
        #expect(!outcome.stderr.unicodeScalars.contains { "\u{9B}\u{202E}\u{7F}".unicodeScalars.contains($0) })
        #expect(try messages(outcome).first?["path"] as? String == name)
    }

    @Test func aWaitForAReaderIsInformation() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-19.log")
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", "2026-11-19", "--wait", "2", "--log-format", "json")
        }
        #expect(outcome.exit == 75)
        let first = try #require(try messages(outcome).first)
        #expect(first["level"] as? String == "info" && first["code"] as? String == "waiting_for_reader")
        let quiet = try whileRead(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", "2026-11-19", "--wait", "2", "-q", "--log-format", "json")
        }
        #expect(quiet.exit == 75)
        #expect(try messages(quiet).map { $0["level"] as? String } == ["error"])
    }
}
