import Calendar
import Reference
import Support
import Testing

@testable import loggen

@Suite struct GeneratorTests {
    @Test func theSamePlanGivesTheSameBytesAndAnotherSeedOthers() throws {
        let first = try Written(smallPlan()).bytes
        #expect(try Written(smallPlan()).bytes == first)
        let other = try Written(smallPlan { $0.seed = 8 }).bytes
        #expect(first.allSatisfy { $0.value != other[$0.key] })
    }

    @Test func theLevelDoesNotChangeTheUnpackedBytes() throws {
        let usual = try Written(smallPlan { $0.recordsPerDate = 500 }).bytes
        let other = try Written(
            smallPlan {
                $0.recordsPerDate = 500
                $0.level = 9
            }
        ).bytes
        for (path, bytes) in usual { #expect(Unpacked(bytes).text == Unpacked(other[path] ?? []).text) }
    }

    @Test(arguments: Layout.allValueStrings, [0, 7, 299])
    func aDateHasAsManyRecordsAsAskedFor(layout: String, records: Int) throws {
        let written = try Written(smallPlan(layout: layout) { $0.recordsPerDate = records })
        #expect(written.rows("partitions", "records").map { $0[0].number } == [records, records, records])
        #expect(written.files.reduce(0) { $0 + $1.records } == 3 * records)
    }

    @Test func withoutNoiseAllIsAcceptedAndEverydayNoiseIsNeverRejected() throws {
        let clean = try Written(smallPlan { $0.noise = .none }).rows("outcomes", "outcome")
        #expect(clean.allSatisfy { $0[0] == .text("accepted") })
        let everyday = try Written(smallPlan { $0.noise = .everyday }).rows("outcomes", "outcome", "reason")
        #expect(!everyday.contains { $0[0] == .text("rejected") })
        let reasons = ["not_tracking", "link", "tracking_disabled", "http_error", "not_an_event", "tracking_off"]
        for reason in reasons { #expect(everyday.contains { $0[1] == .text(reason) }, "\(reason)") }
    }

    @Test(arguments: Layout.allValueStrings)
    func theHitsOfTheCollectorAreTheSameWithEveryLayout(layout: String) throws {
        func hits(_ layout: String) throws -> [[Cell]] {
            let plan = try smallPlan(layout: layout) {
                $0.noise = .everyday
                $0.kinds = [.collector]
                $0.recordsPerDate = 500
            }
            let written = try Written(plan)
            return written.rows("hourly_actions", "hour_epoch", "platform", "action", "events", "duplicates")
                + written.rows("outcomes", "log_date", "outcome", "reason", "records")
        }
        #expect(try hits(layout) == hits("combined"))
    }

    /// Each odd record alone, as the reference reads it.
    @Test(arguments: Oddity.all.indices)
    func anOddRecordCountsAsItsRowSays(row: Int) throws {
        let oddity = Oddity.all[row]
        let plan = try smallPlan()
        let date = plan.firstDate
        let message = Universe(plan: plan).message(date, .file(.collector, 0), row)
        let noon = (plan.zone.start(of: date) + 43_200) * 1000
        let kind = Plan.Kind(rawValue: oddity.kind) ?? .usersTrack
        var text = Bytes()
        var event = Payload(event: message, code: 7, time: noon)
        switch oddity.kind {
        case "collector":
            var line = message.hit(code: 7, at: noon)
            line.apply(oddity, of: message, code: 7, in: plan.layout)
            var speller = LineSpeller(layout: plan.layout, zone: plan.zone)
            speller.write(line, into: &text)
        case "mzip":
            var report = Payload(arrival: message, time: noon)
            report.apply(oddity)
            text = report.formBody(order: UInt64(row))
        case "event":
            event.apply(oddity)
            text = Bytes("{\"events\":[")
            event.writeEvent(ofUser: 1, into: &text)
            text.append("]}\n")
        default: text = message.fill(oddity.changes[0].value, code: 0)
        }
        let source = try #require(plan.pipeline.sources.first { $0.format.rawValue == kind.rawValue })
        let reading = Reading(source: source, pipeline: plan.pipeline, logDate: Day(number: date.dayNumber))
        let outcomes = reading.records(Unpacked(text)).map(\.outcome)
        #expect(outcomes.map(\.reason) == [oddity.reason], "\(text.text)")
        guard case .accepted(let hit, _)? = outcomes.first else { return }
        func expected(_ name: String) -> Bytes? {
            oddity.changes.first { $0.name == name }.map { message.fill($0.value, code: 7) }
        }
        #expect(hit.broadlogID == expected("key") ?? Bytes("hex:" + message.idText))
        #expect(hit.deliveryID == expected("delivery") ?? Bytes(message.deliveryText))
    }

    @Test(
        .needsLoggen,
        arguments: [
            ("--to 2026-11-18", "--to 2026-11-18 is before --from 2026-11-19."),
            ("--to 2040-01-01", "At most 4000 dates at a time."),
            ("--timezone Madrid", "'Madrid' is no time zone, give a name such as Europe/Madrid."),
            ("--level 10", "--level must lie between 1 and 9."),
            ("--kinds mzip,mail", "'mail' is no kind of log; there are collector, mzip and users_track."),
            ("--kinds ,", "--kinds names none."),
        ])
    func wrongOptionsAreNamed(options: String, sentence: String) throws {
        let folder = try ScratchFolder()
        let arguments = ["--from", "2026-11-19", "--out", "logs"] + options.split(separator: " ").map(String.init)
        let outcome = try #require(Program.loggen).run(arguments, in: folder.url)
        #expect(outcome.exit == 64 && outcome.stderr.hasPrefix("Error: \(sentence)\n"), "\(outcome.stderr)")
        #expect(!folder.exists("logs"))
    }

    @Test(.needsLoggen) func whatCannotBeWrittenIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.write("", to: "logs")
        let outcome = try #require(Program.loggen).run(["--from", "2026-11-19", "--out", "logs"], in: folder.url)
        #expect(outcome.exit == 1 && outcome.stderr.hasSuffix(": cannot be written\n"), "\(outcome.stderr)")
    }
}
