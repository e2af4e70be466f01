import Foundation
import Support
import Testing

extension Workplace {
    /// Runs a command with `--metrics`, and returns its exit code and the samples of the file.
    fileprivate func metrics(_ arguments: String...) throws -> (exit: Int32, samples: [String: String]) {
        let outcome = try run(arguments + ["--metrics", "push.prom"])
        return (outcome.exit, try metricsNow())
    }

    /// The values by name and labels.
    fileprivate func metricsNow() throws -> [String: String] {
        let lines = try scratch.text("push.prom").split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            uniqueKeysWithValues: lines.map { line in
                let parts = line.split(separator: " ")
                return (parts.dropLast().joined(separator: " "), String(parts.last ?? ""))
            })
    }
}

private let success = "pushetl_last_success_timestamp_seconds"
private let lastRun = "pushetl_last_run_timestamp_seconds"

@Suite(.needsPushetl)
struct MetricsTests {
    @Test func aRunTellsHowItEndedAndWhatItLoaded() throws {
        let place = try Workplace.withHits(
            [Workplace.hit("h1,d,7"), Workplace.hit("h1,d,7"), "junk"],
            pipeline: Workplace.onePipeline + "limits: {reject_ratio: 1}\n")
        let begin = Date().timeIntervalSince1970.rounded(.down)
        let (exit, samples) = try place.metrics("run", "--date", "2026-11-19")
        #expect(exit == 0)
        let ended = try #require(Double(samples[lastRun] ?? ""))
        #expect(ended >= begin && ended <= Date().timeIntervalSince1970 + 1)
        #expect(samples[success] == samples[lastRun])
        #expect(Double(samples["pushetl_run_seconds"] ?? "") != nil)
        var rest = samples
        #expect(samples["pushetl_ids_since_timestamp_seconds"] == "1795046400")
        #expect(try #require(Double(samples["pushetl_ids_bytes"] ?? "")) > 0)
        for name in [
            lastRun, success, "pushetl_run_seconds", "pushetl_ids_since_timestamp_seconds", "pushetl_ids_bytes",
        ] {
            rest[name] = nil
        }
        #expect(
            rest == [
                "pushetl_exit_code": "0", "pushetl_latest_log_date_timestamp_seconds": "1795046400",
                "pushetl_records{source=\"adobe\",outcome=\"accepted\",reason=\"\"}": "2",
                "pushetl_records{source=\"adobe\",outcome=\"rejected\",reason=\"malformed_line\"}": "1",
                "pushetl_events": "1", "pushetl_duplicates": "1", "pushetl_log_dates{state=\"complete\"}": "1",
                "pushetl_log_dates{state=\"partial\"}": "0", "pushetl_log_dates{state=\"held_back\"}": "0",
                "pushetl_log_dates{state=\"damaged\"}": "0", "pushetl_log_dates{state=\"missing\"}": "0",
            ])
        let text = try place.scratch.text("push.prom")
        #expect(text.contains("\n# TYPE pushetl_records gauge\npushetl_records{"))
        #expect(text.contains("# HELP pushetl_exit_code The exit code of the last command.\n"))
    }

    @Test func theFileIsReadableByAllAndNothingElseIsLeft() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let shell = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        let command =
            "umask 077; '\(place.program.executable.path)' run -q --date 2026-11-19 -p push.yaml --metrics m/push.prom"
        try place.scratch.makeFolder("m")
        #expect(try shell.run(["-c", command], in: place.scratch.url).exit == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: place.scratch.path("m/push.prom"))[
            .posixPermissions]
        #expect(mode as? Int == 0o644)
        #expect(try place.scratch.names("m") == ["push.prom"])
    }

    /// Several pipelines on one file of metrics: the last one to end is told of, and neither sees the other's half-written file.
    @Test func commandsMayShareAFile() throws {
        let places = try (0..<4).map { _ in try Workplace.withHits([Workplace.hit("h1,d,7")]) }
        let file = places[0].scratch.path("m/push.prom")
        try places[0].scratch.makeFolder("m")
        for _ in 0..<5 {
            let running = try places.map { place in
                try place.program.start(
                    ["run", "--date", "2026-11-19", "--metrics", file], in: place.scratch.url,
                    environment: ["PUSHETL_PIPELINE": "push.yaml"])
            }
            for command in running { #expect(try command.wait().exit == 0) }
            #expect(try places[0].scratch.names("m") == ["push.prom"])
            #expect(try places[0].scratch.text("m/push.prom").contains("\npushetl_exit_code 0\n"))
        }
    }

    @Test func aFailureKeepsTheLastSuccess() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let first = try place.metrics("run", "--date", "2026-11-19").samples
        // No files; a wrong pipeline; an output that another command holds; a range that ends before it begins.
        func check(_ exit: Int32, _ arguments: String...) throws {
            place.settle()
            let outcome = try place.run(arguments + ["--metrics", "push.prom"])
            #expect(outcome.exit == exit)
            let samples = try place.metricsNow()
            #expect(samples["pushetl_exit_code"] == "\(exit)")
            #expect(samples[success] == first[success] && samples[lastRun] != first[lastRun])
            #expect(samples["pushetl_events"] == "1" && samples["pushetl_log_dates{state=\"complete\"}"] == "1")
        }
        try check(66, "run", "--date", "2026-11-18")
        try place.scratch.write("version: 2\n", to: "wrong.yaml")
        try check(78, "run", "--date", "2026-11-19", "-p", "wrong.yaml")
        try place.whileLocked { try check(75, "run", "--date", "2026-11-19") }
        try check(64, "backfill", "--from", "2026-11-19", "--to", "-30000")
        let again = try place.metrics("run", "--date", "2026-11-19").samples
        #expect(again[success] == again[lastRun] && again["pushetl_exit_code"] == "0")
    }

    @Test func theLatestLogDateAndTheStatesFollowFromTheOutput() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: Workplace.twoSources)
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "more/2026-11-19.log")
        try place.scratch.write("junk", to: "logs/2026-11-21.log")
        try place.scratch.write(Workplace.hit("h3,d,7"), to: "logs/2026-11-16.log")
        let (exit, samples) = try place.metrics("backfill", "--from", "2026-11-16", "--to", "2026-11-21")
        #expect(exit == 65)
        #expect(samples[success] == nil)
        #expect(samples["pushetl_latest_log_date_timestamp_seconds"] == "1795046400")
        for (state, count) in [
            ("complete", "1"), ("partial", "1"), ("held_back", "1"), ("missing", "3"), ("damaged", "0"),
        ] {
            #expect(samples["pushetl_log_dates{state=\"\(state)\"}"] == count, "\(state)")
        }
        #expect(samples["pushetl_final_day_timestamp_seconds"] == nil)
        // 31 days later the first day is final. An earlier log date is not the latest one.
        try place.scratch.write(Workplace.hit("h4,d,7"), to: "logs/2026-12-25.log")
        _ = try place.metrics("run", "--date", "2026-12-25")
        let later = try place.metrics("run", "--date", "2026-11-16").samples
        #expect(later["pushetl_latest_log_date_timestamp_seconds"] == "1798156800")
        #expect(later["pushetl_final_day_timestamp_seconds"] == "1795046400")
    }

    @Test func theMetricsNeedAName() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19", "--metrics", "").exit == 64)
    }

    @Test func aFileThatCannotBeWrittenIsOnlyAWarning() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.run("run", "--date", "2026-11-19", "--metrics", "none/push.prom")
        #expect(outcome.exit == 0)
        #expect(
            outcome.stderr == "warning: none/push.prom: the metrics file cannot be written: no such file or directory\n"
        )
        for path in ["push.yaml", "logs", "/dev/null"] {
            let before = place.bytes(path)
            let outcome = try place.run("run", "--date", "2026-11-19", "--metrics", path)
            #expect(outcome.exit == 0)
            #expect(
                outcome.stderr
                    == "warning: \(path): is not a metrics file of pushetl, so it was left as it is; give --metrics another file\n"
            )
            #expect(place.bytes(path) == before)
        }
        let json = try place.run("run", "--date", "2026-11-19", "--metrics", "logs", "--json").object()
        #expect((json["warnings"] as? [[String: String]])?.last?["code"] == "unwritable_metrics")
    }

    @Test func aResultThatCannotBePrintedShowsInTheMetrics() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let shell = Program(executable: URL(fileURLWithPath: "/bin/sh"))
        let command =
            "'\(place.program.executable.path)' run --date 2026-11-19 -p push.yaml --metrics push.prom > /dev/full"
        #expect(try shell.run(["-c", command], in: place.scratch.url).exit == 74)
        #expect(try place.metricsNow()["pushetl_exit_code"] == "74")
    }

    @Test func labelsAreEscaped() throws {
        let name = #"a "b\c" é"#
        let pipeline = Workplace.onePipeline.replacing("name: adobe", with: "name: '\(name)'")
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")], pipeline: pipeline)
        let samples = try place.metrics("run", "--date", "2026-11-19").samples
        #expect(samples[#"pushetl_records{source="a \"b\\c\" é",outcome="accepted",reason=""}"#] == "1")
        // The next command reads this file.
        #expect(
            try place.run("run", "--date", "2026-11-18", "--metrics", "push.prom").stderr.contains("metrics") == false)
    }
}
