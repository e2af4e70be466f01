import Reference
import Support
import Testing

@testable import loggen

@Suite struct GeneratorTests {
    @Test func theSamePlanGivesTheSameBytesAndAnotherSeedOthers() throws {
        let first = try files(smallPlan())
        #expect(try files(smallPlan()) == first)
        let other = try files(smallPlan("--seed 8"))
        #expect(first.allSatisfy { $0.value != other[$0.key] })
    }

    @Test(arguments: [0, 7, 299])
    func aDateHasAsManyRecordsAsAskedFor(records: Int) throws {
        let written = try Written(smallPlan("--records \(records)"))
        #expect(written.rows("partitions", "records").map { $0[0].number } == [records, records, records])
    }

    @Test func everydayNoiseIsNeverRejected() throws {
        let everyday = try Written(smallPlan("--noise everyday")).rows("outcomes", "outcome", "reason")
        #expect(!everyday.contains { $0[0] == .text("rejected") })
        let reasons = ["not_tracking", "link", "tracking_disabled", "http_error", "not_an_event", "tracking_off"]
        for reason in reasons { #expect(everyday.contains { $0[1] == .text(reason) }, "\(reason)") }
    }

    @Test func ofAllNoiseSomeRecordsOfEachKindAreRejectedAndTooFewToHoldADateBack() throws {
        let written = try Written(smallPlan("--records 1500"))
        let rejected = written.rows("outcomes", "source", "outcome").filter { $0[1] == .text("rejected") }
        #expect(Set(rejected.map { $0[0] }) == [.text(Bytes("adobe")), .text(Bytes("momo")), .text(Bytes("braze"))])
        #expect(written.rows("partitions", "status") == Array(repeating: [.text("complete")], count: 3))
    }

    @Test(
        .needsLoggen,
        arguments: [
            ("--to 2026-11-18", "--to 2026-11-18 is before --from 2026-11-19."),
            ("--to 2040-01-01", "At most 4000 dates at a time."),
            ("--level 10", "--level must lie between 1 and 9."),
            (
                "--kinds mail",
                "The value 'mail' is invalid for '--kinds <kinds>'. Please provide one of 'collector', 'mzip' or "
                    + "'users_track'."
            ),
        ])
    func wrongOptionsAreNamed(options: String, sentence: String) throws {
        let folder = try ScratchFolder()
        let arguments = ["--from", "2026-11-19", "--out", "logs"] + options.split(separator: " ").map(String.init)
        let outcome = try #require(Program.loggen).run(arguments, in: folder.url)
        #expect(outcome.exit == 64 && outcome.stderr.hasPrefix("Error: \(sentence)\n"), "\(outcome.stderr)")
        #expect(!folder.exists("logs"))
    }

    /// Of so many records some are due when the day is over.
    @Test(.needsLoggen) func aBusyDayEndsAtMidnight() throws {
        let folder = try ScratchFolder()
        let arguments =
            "--seed 11 --kinds users_track --records 300000 --from 2026-10-04 --files 1 --noise everyday --out logs"
        let outcome = try #require(Program.loggen).run(arguments.split(separator: " ").map(String.init), in: folder.url)
        #expect(outcome.exit == 0, "\(outcome.stderr)")
    }

    @Test(.needsLoggen) func whatCannotBeWrittenIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "logs")
        let outcome = try #require(Program.loggen).run(["--from", "2026-11-19", "--out", "logs"], in: folder.url)
        #expect(outcome.exit == 1 && outcome.stderr.hasSuffix(": cannot be written\n"), "\(outcome.stderr)")
    }
}
