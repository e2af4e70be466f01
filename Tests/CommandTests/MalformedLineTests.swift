import Foundation
import Support
import Testing

private let noSpace = "combined: expected a space at byte 5, before the identity; found the end of the line"
private let noStatus = "combined: expected a status of three digits at byte 73; found a letter"

@Suite(.needsPushetl)
struct MalformedLineTests {
    @Test func theSummaryExplainsTheFirstLineOfAReason() throws {
        let lines = (1...60).map { Workplace.hit("h\($0),d,7") }
        let broken = Workplace.hit("h1,d,7").replacing("\" 200 ", with: "\" OK ")
        let place = try Workplace.withHits(lines + ["junk", Workplace.hit("x"), broken])
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 0)
        #expect(outcome.stdout.contains("2  malformed_line, first at logs/2026-11-19.log:61: \(noSpace)\n"))
        #expect(outcome.stdout.contains("1  malformed_id, first at logs/2026-11-19.log:62\n"))
    }

    @Test func aHeldBackDateExplainsItsFirstLines() throws {
        let broken = Workplace.hit("h1,d,7").replacing("\" 200 ", with: "\" OK ")
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), broken])
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("\n  logs/2026-11-19.log:2: malformed_line: \(noStatus): ***"))
    }

    @Test func theJSONSummaryExplainsTheFirstLineOfAReason() throws {
        let place = try Workplace.withHits(["junk", Workplace.hit("x")])
        let outcome = try place.run("run", "--date", "2026-11-19", "--json")
        let dates = try outcome.logDates()
        let outcomes = try #require(dates.first?["outcomes"] as? [[String: Any]])
        let details = outcomes.map { $0["first_detail"] as? String }
        #expect(details == [noSpace, nil])
    }

    /// The reader remembers the time of the line before. That must not let a broken time pass.
    @Test func aBrokenTimeIsRejectedBesideAnyLines() throws {
        let broken = Array(Workplace.hit("h2,d,7", "06:30:00").utf8)
        let colon = try #require(broken.indices.first { broken[$0...].starts(with: "30:00".utf8) }) + 2
        let line = broken[..<colon] + [0xC3] + broken[(colon + 1)...]
        let neighbours = (0..<40).map { Workplace.hit("h\($0 + 100),d,7", "06:29:\($0 + 10)") + "\n" }.joined().utf8
        let place = try Workplace.withHits([])
        for (before, after, exit) in [(true, true, 0), (true, false, 0), (false, true, 0), (false, false, 65)] {
            let text = (before ? Array(neighbours) : []) + line + [0x0A] + (after ? Array(neighbours) : [])
            try place.scratch.write(text, to: "logs/2026-11-19.log")
            let outcome = try place.run("run", "--date", "2026-11-19")
            #expect(outcome.exit == exit)
            let number = before ? 41 : 1
            #expect(outcome.stdout.contains("1  bad_time, first at logs/2026-11-19.log:\(number): combined: "))
            #expect(outcome.stdout.contains("from byte 16 on; found a byte above 0x7F at byte 33\n"))
        }
    }

    /// A typo in a log_format can put another column where the status should be.
    @Test func aLineWithoutAStatusInItsColumnIsRejected() throws {
        let format = #"'$remote_addr [$time_local] "$request" $status "$http_user_agent"'"#
        let pipeline = Workplace.onePipeline.replacing(
            "format: collector", with: "format: collector\n    layout: \(format)")
        let line = #"192.0.2.1 [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h1,d,7 HTTP/1.1" 0.004 "-""#
        let place = try Workplace.withHits([line], pipeline: pipeline)
        let outcome = try place.run("run", "--date", "2026-11-19")
        #expect(outcome.exit == 65)
        let detail = "log_format: expected a status of three digits at byte 70; found a point"
        #expect(outcome.stdout.contains("1  malformed_line, first at logs/2026-11-19.log:1: \(detail)\n"))
    }
}
