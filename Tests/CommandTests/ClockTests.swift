import Foundation
import Support
import Testing

@Suite(.needsPushetl, .needs(.faketime))
struct ClockTests {
    private let place: Workplace

    init() throws {
        place = try Workplace.withHits([Workplace.hit("h1,d1,7"), Workplace.hit("h2,d1,7")])
    }

    /// Runs a load while the system's time is as `time` tells `faketime`, and returns its metrics.
    private func load(_ time: String) throws -> [String: Double] {
        let faketime = Program(executable: URL(fileURLWithPath: try #require(Tool.faketime.path)))
        func run() throws -> Program.Outcome {
            try faketime.run(
                [
                    "-m", "--exclude-monotonic", "-f", time, place.program.executable.path, "run", "--date",
                    "2026-11-19", "--quiet", "--metrics", "push.prom",
                ], in: place.scratch.url,
                environment: ["PUSHETL_PIPELINE": "push.yaml", "NO_FAKE_STAT": "1", "TZ": "UTC"])
        }
        var outcome = try run()
        // On a busy machine `faketime` itself crashes at times.
        if outcome.stderr == "Caught Segmentation fault\n" { outcome = try run() }
        #expect(outcome.exit == 0)
        #expect(outcome.stderr == "")
        let lines = try place.scratch.text("push.prom").split(separator: "\n")
        return lines.map { $0.split(separator: " ") }.reduce(into: [:]) { samples, parts in
            if parts.count == 2 { samples[String(parts[0])] = Double(parts[1]) }
        }
    }

    /// The time goes back by a minute each time that it is asked for.
    @Test func aTimeThatIsSetBackMakesNoNegativeDuration() throws {
        let samples = try load("@2026-11-20 10:00:00 i-60")
        #expect(try #require(samples["pushetl_run_seconds"]) >= 0)
        #expect(samples["pushetl_events"] == 2)
        #expect(try place.rows("SELECT count(*) FROM runs WHERE seconds >= 0 AND finished_at >= started_at") == ["1"])
        #expect(try place.rows("SELECT count(*) FROM loads WHERE finished_at >= started_at") == ["1"])
        #expect(try place.rows("SELECT count(*) FROM loads WHERE started_at < '2026-11-20 10:00:00'") == ["1"])
    }

    @Test func aTimeBefore1970IsATimeToo() throws {
        // What one command has written, the next one reads.
        for minute in ["10:00", "10:30"] { _ = try load("@1969-12-31 \(minute):00") }
        let samples = try load("@1969-12-31 10:45:00")
        #expect(try #require(samples["pushetl_last_run_timestamp_seconds"]) < 0)
        #expect(try place.rows("SELECT count(*) FROM runs WHERE started_at LIKE '1969-12-31 10:%'") == ["1"])
    }
}
