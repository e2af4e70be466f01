import Support
import Testing

/// What commands say of log dates that were loaded with another pipeline file.
@Suite(.needsPushetl)
struct FormerPipelineTests {
    /// The same hits are other actions.
    private static let otherPipeline = Workplace.onePipeline + "    dialect: campaign_classic\n"
    private static let origin = "loaded with another pipeline file, or by earlier rules of reading, and"

    /// With the log dates from 2026-11-01 to 2026-11-05, loaded.
    private func place() throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(Workplace.onePipeline, to: "push.yaml")
        for day in 1...5 {
            let hit = Workplace.hit("h\(day),d,1").replacing("19/Nov", with: "0\(day)/Nov")
            try place.scratch.write(hit + "\n", to: "logs/2026-11-0\(day).log")
        }
        #expect(try place.run("backfill", "--from", "2026-11-01", "--to", "2026-11-05").exit == 0)
        return place
    }

    private func warnings(_ outcome: Program.Outcome) -> [String] {
        outcome.stderr.split(separator: "\n").map(String.init)
    }

    @Test func everyCommandSaysWhichDatesCanBeLoadedAgainAndHow() throws {
        let place = try place()
        try place.scratch.write(Self.otherPipeline, to: "push.yaml")
        try place.scratch.remove("logs/2026-11-03.log")
        let expected = [
            "warning: 3 log dates were \(Self.origin) can be loaded again: 2026-11-01 to 2026-11-02, 2026-11-04; "
                + "'pushetl backfill --from 2026-11-01 --to 2026-11-02 --only all', 'pushetl run --date 2026-11-04'",
            "warning: 1 log date was \(Self.origin) cannot be loaded again, since files are gone; the figures stay",
        ]
        for _ in 0..<2 {
            let run = try place.run("run", "--date", "2026-11-05")
            #expect(run.exit == 0)
            #expect(warnings(run) == expected)
        }
        #expect(warnings(try place.run("status")) == expected)
        let dry = try place.run("backfill", "--from", "2026-11-01", "--to", "2026-11-05", "--dry-run")
        #expect(warnings(dry) == expected)

        #expect(try place.run("run", "--date", "2026-11-04").exit == 0)
        let last = try place.run(
            "backfill", "--from", "2026-11-01", "--to", "2026-11-02", "--only", "all")
        #expect(last.exit == 0)
        #expect(last.stderr == "")
        #expect(try place.run("run", "--date", "2026-11-05").stderr == "")
        #expect(warnings(try place.run("status")) == [expected[1]])
        #expect(try place.rows("SELECT sum(events) FROM daily_actions WHERE action = 'impression'") == ["4"])
        #expect(try place.rows("SELECT sum(events) FROM daily_actions WHERE action = 'open'") == ["1"])
    }

    @Test func datesThatCannotBeLoadedAgainAreToldByTheFirstRunAlone() throws {
        let place = try place()
        for day in 1...4 { try place.scratch.remove("logs/2026-11-0\(day).log") }
        try place.scratch.write(Self.otherPipeline, to: "push.yaml")
        let told = [true, false].map { isTold in
            isTold
                ? [
                    "warning: 4 log dates were \(Self.origin) cannot be loaded again, since files are gone; the figures stay"
                ]
                : []
        }
        for expected in told {
            let run = try place.run("run", "--date", "2026-11-05")
            #expect(run.exit == 0)
            #expect(warnings(run) == expected)
        }
        #expect(warnings(try place.run("status")) == told[0])
        #expect(try place.run("status", "--check").stdout.contains("former_pipeline") == false)
    }

    @Test func aDateLoadedWithAPipelineOfOneNightIsNamedUntilItIsLoadedAgain() throws {
        let place = try place()
        try place.scratch.write(Self.otherPipeline, to: "push.yaml")
        #expect(try place.run("run", "--date", "2026-11-04").exit == 0)
        try place.scratch.write(Workplace.onePipeline, to: "push.yaml")
        let named = [
            "warning: 1 log date was \(Self.origin) can be loaded again: 2026-11-04; 'pushetl run --date 2026-11-04'"
        ]
        #expect(warnings(try place.run("run", "--date", "2026-11-05")) == named)
        #expect(warnings(try place.run("status")) == named)
        #expect(try place.run("run", "--date", "2026-11-04").stderr == "")
        #expect(try place.run("status").stderr == "")
    }

    @Test func aCheckFindsThemAtAnyAge() throws {
        let place = try place()
        try place.scratch.write(Self.otherPipeline, to: "push.yaml")
        try place.scratch.remove("logs/2026-11-02.log")
        let outcome = try place.run("status", "--check", "--from", "2026-11-20", "--to", "2026-11-20")
        #expect(outcome.exit == 65)
        let line =
            "error: 2026-11-01, 2026-11-03 to 2026-11-05 (4 log dates): each was loaded with another pipeline file, or by "
            + "earlier rules of reading\n"
        #expect(outcome.stderr.contains(line), "\(outcome.stderr)")
    }

    @Test func pushDBAloneTellsThem() throws {
        let place = try place()
        try place.scratch.write(Self.otherPipeline, to: "push.yaml")
        #expect(try place.run("run", "--date", "2026-11-05").exit == 0)
        let fingerprints = "(SELECT value FROM about WHERE key = 'pipeline')"
        #expect(
            try place.rows("SELECT log_date FROM partitions WHERE pipeline = \(fingerprints)") == ["2026-11-05"])
        let doctor = try place.run("doctor")
        #expect(doctor.exit == 0)
        #expect(doctor.stdout.contains("4 of 5 log dates (80 %) were loaded with another pipeline file than the last"))
        #expect(try place.run("report", "--from", "2026-11-01", "--to", "2026-11-05").exit == 0)
        let page = String(decoding: try place.scratch.bytes("report.html"), as: UTF8.self)
        #expect(page.contains("Loaded with another pipeline file than the last: "))
    }
}
