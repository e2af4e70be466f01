import Foundation
import Support
import Testing

private let library = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/faketime/libfaketimeMT.so.1" }
    .first { FileManager.default.fileExists(atPath: $0) }

/// The system's time goes back by a minute each time that it is asked for.
@Suite(.enabled(if: Program.built != nil && library != nil, "pushetl is not built, or there is no faketime"))
struct ClockTests {
    @Test func aTimeThatIsSetBackMakesNoNegativeDuration() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d1,7"), "junk"])
        let environment = [
            "LD_PRELOAD": library ?? "", "FAKETIME": "@2026-11-20 10:00:00 i-60", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1", "TZ": "UTC",
        ]
        let outcome = try place.run(
            ["run", "--date", "2026-11-19", "--force", "--metrics", "push.prom"], environment: environment)
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "")
        let samples = try place.scratch.text("push.prom").split(separator: "\n")
        let seconds = try #require(samples.first { $0.hasPrefix("pushetl_run_seconds ") }?.split(separator: " ").last)
        #expect(try #require(Double(seconds)) >= 0)
        #expect(try place.rows("SELECT count(*) FROM runs WHERE seconds >= 0 AND finished_at >= started_at") == ["1"])
        #expect(try place.rows("SELECT count(*) FROM loads WHERE finished_at >= started_at") == ["1"])
        #expect(try place.rows("SELECT count(*) FROM loads WHERE started_at LIKE '2026-11-20 0%'") == ["1"])
    }

    @Test func aTimeBefore1970IsATimeToo() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d1,7")])
        let environment = ["LD_PRELOAD": library ?? "", "FAKETIME": "@1969-12-31 10:00:00", "TZ": "UTC"]
        let outcome = try place.run(
            ["run", "--date", "2026-11-19", "--metrics", "push.prom"], environment: environment)
        #expect(outcome.exit == 0)
        #expect(try place.scratch.text("push.prom").contains("\npushetl_last_run_timestamp_seconds -"))
    }
}
