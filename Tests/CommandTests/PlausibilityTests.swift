import Foundation
import Support
import Testing

private let android = "Mozilla/5.0 (Linux; Android 14; Pixel 8)"

/// Hits of as many messages.
private func hits(_ count: Int, agent: String = android, date: String = "19/Nov/2026") -> [String] {
    (1...count).map { number in
        Workplace.hit("h\(String(number, radix: 16)),d,7", agent: agent)
            .replacing("19/Nov/2026", with: date)
    }
}

/// The exit code and the warnings of a run.
private func warnings(_ lines: [String], pipeline: String = Workplace.onePipeline) throws -> (Int32, [String]) {
    let place = try Workplace.withHits(lines, pipeline: pipeline)
    let outcome = try place.run("run", "--date", "2026-11-19", "--no-progress")
    return (outcome.exit, outcome.stderr.split(separator: "\n").map(String.init).filter { $0.hasPrefix("warning: ") })
}

@Suite(.needsPushetl)
struct PlausibilityTests {
    @Test func aSourceWithoutAcceptedRecordsIsNamed() throws {
        // Filtered, so that nothing else stops the load.
        let others = hits(1249).map { $0.replacing("/r/?id", with: "/img?id") }
        var (exit, found) = try warnings(others)
        #expect(exit == 0)
        #expect(
            found == [
                "warning: source 'adobe': none of 1,249 records was accepted; check 'layout' and "
                    + "'dialect' (1,249 not_tracking)"
            ])
        // The load is held back, and the warning is printed too.
        (exit, found) = try warnings((1...1000).map { "line \($0)" })
        #expect(exit == 65)
        #expect(
            found == [
                "warning: source 'adobe': none of 1,000 records was accepted; check 'layout' and "
                    + "'dialect' (1,000 malformed_line, first at logs/2026-11-19.log:1)"
            ])
        #expect(try warnings(others + hits(1)).1 == [])
        #expect(try warnings(Array(others.prefix(999))).1 == [])
    }

    @Test func aSourceWhoseUserAgentsHaveNoPlatformIsNamed() throws {
        let unknown = hits(1000, agent: "curl/8.5.0")
        let sentence =
            "warning: source 'adobe': all 1,000 accepted records have a user agent, but none names a platform; check that "
            + "the layout has the user agent where the lines have it"
        #expect(try warnings(unknown).1 == [sentence])
        // JSON lines are read by other code.
        let json = Workplace.jsonLines
        func object(_ agent: String, _ id: Int) -> String {
            "{\"time\":\"2026-11-19T10:00:00Z\",\"request\":\"GET /r/?id=h\(id),d,7\",\"http_user_agent\":\"\(agent)\"}"
        }
        #expect(try warnings((1...1000).map { object("curl", $0) }, pipeline: json).1 == [sentence])
        for others in [hits(1), hits(1, agent: "-"), hits(1, agent: ""), hits(1, agent: "\\x2d")] {
            let line = others[0].replacing("id=h1,", with: "id=hffff,")
            #expect(try warnings(unknown + [line]).1 == [], "\(line)")
            #expect(try warnings([line] + unknown).1 == [], "\(line)")
        }
        #expect(try warnings(hits(1200, agent: "-")).1 == [])
        #expect(try warnings(Array(unknown.prefix(999))).1 == [])
        #expect(try warnings((1...1000).map { object($0 == 7 ? "" : "curl", $0) }, pipeline: json).1 == [])
    }

    @Test func eventsFarFromTheLogDateAreNamed() throws {
        func sentence(_ distant: String, _ events: String, _ days: String) -> String {
            "warning: source 'adobe': \(distant) of \(events) events lie more than 24 hours outside the log date (the events' "
                + "days: \(days)); check 'files', and the records' times"
        }
        #expect(
            try warnings(hits(1000, date: "17/Nov/2026")).1 == [sentence("1,000", "1,000", "2026-11-17 to 2026-11-17")])
        #expect(
            try warnings(hits(1000, date: "21/Nov/2027")).1 == [sentence("1,000", "1,000", "2027-11-21 to 2027-11-21")])
        #expect(try warnings(hits(1000, date: "18/Nov/2026")).1 == [])
        #expect(try warnings(hits(1000, date: "20/Nov/2026")).1 == [])
        let early = Array(hits(1000, date: "01/Nov/2026").prefix(900))
        #expect(
            try warnings(early + hits(1000).suffix(100)).1 == [sentence("900", "1,000", "2026-11-01 to 2026-11-19")])
        #expect(try warnings(early.dropLast() + hits(1000).suffix(101)).1 == [])
    }

    @Test func implausibleTimesOfAPayloadAreNamed() throws {
        let pipeline = """
            version: 1
            output: out
            sources:
              - name: momo
                format: mzip
                platform: ios
                files: logs/%Y-%m-%d.log

            """
        func bodies(_ wrong: Int) -> [String] {
            (1...1000).map { number in
                let time = number <= wrong ? 1_000_000_000 : 1_795_086_000
                return
                    "mzip={\"log_content\":{\"type\":1,\"time\":\(time),\"data\":{\"_mId\":\"h\(number)\",\"_dId\":\"d\"}}}"
            }
        }
        #expect(
            try warnings(bodies(900), pipeline: pipeline).1 == [
                "warning: source 'momo': 900 of 1,000 accepted records have a time that cannot be right, so the time of "
                    + "receipt counts, or the log date's start; check 'time' in 'fields', and the date of 'files'"
            ])
        #expect(try warnings(bodies(899), pipeline: pipeline).1 == [])
    }

    @Test func everySourceIsCheckedByItself() throws {
        let place = try Workplace.withHits(hits(1000), pipeline: Workplace.twoSources)
        let others = hits(1000, agent: "curl").map { $0.replacing("/r/?id=h", with: "/r/?id=ha0") }
        try place.scratch.write(others.joined(separator: "\n"), to: "more/2026-11-19.log")
        let outcome = try place.run("run", "--date", "2026-11-19", "--no-progress")
        #expect(outcome.stderr.contains("source 'second': all 1,000 accepted records"))
        #expect(!outcome.stderr.contains("adobe"))
    }
}
