import Foundation
import Support
import Testing

private let date = "2026-11-19"
private let load = ["run", "--date", date]
private let advice = """
    the former content is kept; check the pipeline and the files; if they are right, give --accept-loss
    """

private func held(_ losses: String, _ key: String? = nil) -> String {
    "held back: \(losses)" + (key.map { "; the pipeline differs in \($0)" } ?? "")
}

private let lost = "source 'adobe' would have 0 events instead of 1,500"

extension Workplace {
    /// As many messages of a log date, each with one hit.
    fileprivate func write(
        _ count: Int, _ date: String = date, action: String = "7", first: Int = 1, time: String = "10:00:00",
        agent: String = "-", to path: String? = nil, others: [String] = []
    ) throws {
        let day = "\(date.suffix(2))/Nov/2026"
        let lines = (first..<first + count).map { number in
            Workplace.hit("h\(date.suffix(2))\(String(100_000 + number)),d,\(action)", time, agent: agent)
                .replacing("19/Nov/2026", with: day)
        }
        try scratch.write((lines + others).map { $0 + "\n" }.joined(), to: path ?? "logs/\(date).log")
        settle()
    }

    fileprivate func write(pipeline: String) throws { try scratch.write(pipeline, to: "push.yaml") }

    /// With one loaded log date.
    fileprivate static func loaded(_ count: Int = 1500, pipeline: String = onePipeline) throws -> Workplace {
        let place = try Workplace()
        try place.write(pipeline: pipeline)
        try place.write(count)
        #expect(try place.run(load).exit == 0)
        return place
    }

    fileprivate var events: [String] {
        get throws { try rows("SELECT source, action, sum(events) FROM daily_actions GROUP BY 1, 2") }
    }

    /// Loads the date, and expects that it is held back for its losses, and that nothing becomes of it.
    fileprivate func expectHeld(
        _ losses: String, _ key: String? = nil, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let before = try events
        let outcome = try run(load)
        #expect(outcome.exit == 65, sourceLocation: location)
        #expect(
            outcome.stderr.contains("error: \(date): \(held(losses, key)); \(advice)\n"), "\(outcome.stderr)",
            sourceLocation: location)
        #expect(try events == before, sourceLocation: location)
        #expect(try run("status", "--check", "-q").exit == 65, sourceLocation: location)
    }
}

/// A load that would take many events of a log date away is held back.
@Suite(.needsPushetl)
struct LossTests {
    @Test func aSlipInThePipelineTakesNoGoodDayAway() throws {
        let place = try Workplace()
        try place.write(pipeline: Workplace.onePipeline)
        let dates = (15...19).map { "2026-11-\($0)" }
        for date in dates { try place.write(1500, date) }
        let catchUp = load + ["--catch-up", "7"]
        #expect(try place.run(catchUp).exit == 0)
        let days = try place.rows("SELECT day, events FROM days")
        #expect(days == dates.map { "\($0)|1500" })

        try place.write(pipeline: Workplace.onePipeline + "    require_mcid: true\n")
        let message = held(lost, "sources.adobe.require_mcid")
        let outcome = try place.run(catchUp + ["-q", "--metrics", "push.prom"])
        #expect(outcome.exit == 65)
        for date in dates { #expect(outcome.stderr.contains("error: \(date): \(message); \(advice)\n")) }
        #expect(try place.rows("SELECT day, events FROM days") == days)
        #expect(try place.scratch.text("push.prom").contains("\npushetl_exit_code 65\n"))
        #expect(try place.scratch.text("push.prom").contains("\npushetl_log_dates{state=\"held_back\"} 5\n"))
        #expect(
            try place.rows(
                "SELECT substr(detail, 1, instr(detail, char(10)) - 1) FROM loads WHERE verdict = 'held_back'")
                == dates.map { "\($0): \(message); \(advice)" })
        let check = try place.run("status", "--check", "-q")
        #expect(check.exit == 65)
        #expect(check.stderr.contains("error: \(dates[0]) to \(dates[4]) (5 log dates): \(message)\n"))
        let status = try place.run("status", "--json").object()
        let state = try #require((status["log_dates"] as? [[String: Any]])?.first)
        #expect(state["held"] as? [String: String] == ["reason": "loss", "message": message])

        // It is not read again, and the next message says how to load it.
        let before = place.outputBytes()
        let backfill = ["backfill", "--from", dates[0], "--to", date]
        let again = try place.run(backfill)
        #expect(again.exit == 65)
        #expect(
            again.stderr.contains(
                "error: \(date): \(message); nothing has changed since, so it was not read again; --accept-loss loads it\n"
            ))
        #expect(place.outputBytes() == before)

        // The former pipeline gives the partitions that are there, and ends the holds.
        try place.write(pipeline: Workplace.onePipeline)
        #expect(try place.run(catchUp).exit == 0)
        #expect(!place.scratch.exists("out/partitions/.held"))

        try place.write(pipeline: Workplace.onePipeline + "    require_mcid: true\n")
        #expect(try place.run(backfill).exit == 65)
        #expect(try place.run(backfill + ["--accept-loss"]).exit == 0)
        #expect(try place.rows("SELECT count(*) FROM days") == ["0"])
        #expect(!place.scratch.exists("out/partitions/.held"))
        #expect(try place.run(backfill).exit == 0)
    }

    @Test(arguments: [(1000, 500, false), (1000, 499, true), (1001, 501, false), (1001, 500, true), (999, 0, false)])
    func halfOfAThousandIsTheBound(before: Int, now: Int, isHeld: Bool) throws {
        let place = try Workplace.loaded(before)
        try place.write(now, others: [now == 0 ? "" : Workplace.hit("h1,d,7", status: 500)])
        #expect(try place.run(load).exit == (isHeld ? 65 : 0))
        #expect(try place.rows("SELECT events FROM partitions") == ["\(isHeld ? before : now)"])
    }

    @Test func oneActionOfASourceIsEnough() throws {
        let place = try Workplace()
        let standard = "limits: {reject_ratio: 1}\n" + Workplace.onePipeline
        let all = standard + "    actions: {1: open, 7: impression}\n"
        try place.write(pipeline: all)
        let opens = (1...1000).map { Workplace.hit("h\($0),d,1") }
        try place.write(2000, others: opens)
        #expect(try place.run(load).exit == 0)
        try place.write(pipeline: all.replacing("1: open, ", with: ""))
        try place.expectHeld(
            "source 'adobe' would have 0 'open' events instead of 1,000", "sources.adobe.actions")
        try place.write(pipeline: all.replacing("1: open, ", with: "1: opened, "))
        try place.expectHeld(
            "source 'adobe' would have 0 'open' events instead of 1,000", "sources.adobe.actions")
        try place.write(pipeline: standard + "    dialect: campaign_classic\n")
        try place.expectHeld(
            "source 'adobe' would have 1,000 events instead of 3,000", "sources.adobe.actions, sources.adobe.dialect")
        try place.write(pipeline: standard)
        #expect(try place.run(load).exit == 0)
    }

    private static let payloads = Workplace.onePipeline.replacing(
        "format: collector",
        with: """
            format: users_track
                layout: '$remote_addr [$time_iso8601] "$request" $request_body'
                actions: {push_open: open}
            """)

    @Test(arguments: [
        ("layout:", "path: /track\n    layout:", "path"),
        ("push_open", "opened", "actions"),
        ("actions:", "fields: {broadlog_id: properties.id}\n    actions:", "fields.broadlog_id"),
        ("actions:", "fields: {delivery_id: properties.id}\n    actions:", "fields.delivery_id"),
        ("actions:", "fields: {action: event}\n    actions:", "fields.action"),
        ("$remote_addr [", "$remote_addr $host [", "layout"),
        ("format: users_track", "format: users_track\n    unwrap: log", "unwrap"),
    ])
    func aSlipInTheKeysOfAPayloadIsNamed(text: String, slip: String, key: String) throws {
        let place = try Workplace()
        let pipeline = "limits: {reject_ratio: 1}\n" + Self.payloads
        try place.write(pipeline: pipeline)
        let lines = (1...1500).map { number in
            "192.0.2.1 [2026-11-19T10:00:00+00:00] \"POST /users/track HTTP/1.1\" {\"events\": [{\"name\": \"push_open\", "
                + "\"time\": \"2026-11-19T10:00:00Z\", \"properties\": {\"broadlogId\": \"h\(number)\", \"deliveryId\": \"d\"}}]}\n"
        }
        try place.scratch.write(lines.joined(), to: "logs/\(date).log")
        place.settle()
        let first = try place.run(load)
        #expect(first.exit == 0, "\(first)")
        try place.write(pipeline: pipeline.replacing(text, with: slip))
        try place.expectHeld(lost, "sources.adobe.\(key)")
    }

    @Test func aSourceThatWasRemovedOrRenamedLosesItsEvents() throws {
        let place = try Workplace()
        try place.write(pipeline: Workplace.twoSources)
        try place.write(1500, first: 5000)
        try place.write(10, to: "more/\(date).log")
        #expect(try place.run(load).exit == 0)
        let second = "  - {name: second, format: collector, files: more/%Y-%m-%d.log}\n"
        try place.write(pipeline: "version: 1\noutput: out\nsources:\n" + second)
        try place.expectHeld(lost, "sources.adobe")
        try place.write(pipeline: Workplace.twoSources.replacing("adobe", with: "web"))
        try place.expectHeld(lost, "sources.adobe, sources.web")
        let accepted = try place.run(load + ["--accept-loss"])
        #expect(accepted.exit == 0)
        #expect(try place.events == ["second|impression|10", "web|impression|1500"])
    }

    @Test func aNarrowerPatternLosesNoFile() throws {
        let place = try Workplace.loaded(400, pipeline: Workplace.manyFiles)
        try place.write(1500, first: 5000, to: "logs/\(date)-b.log")
        #expect(try place.run(load).exit == 0)
        try place.write(pipeline: Workplace.onePipeline)
        try place.expectHeld("source 'adobe' would have 400 events instead of 1,900", "sources.adobe.files")
    }

    @Test func aChangeThatLosesNothingIsLoaded() throws {
        let place = try Workplace.loaded()
        let changes = ["    id_space: mail\n", "    timezone: Europe/Madrid\n", "    required: false\n"]
        for change in changes {
            try place.write(pipeline: Workplace.onePipeline + change)
            #expect(try place.run(load).exit == 0)
        }
        try place.write(pipeline: "timezone: Asia/Tokyo\n" + Workplace.onePipeline)
        #expect(try place.run(load).exit == 0)
        #expect(try place.rows("SELECT count(*) FROM loads WHERE verdict = 'complete'") == ["5"])
    }

    // MARK: Files

    @Test func aFileThatIsGoneIsAnotherMatter() throws {
        let place = try Workplace.loaded(100, pipeline: Workplace.manyFiles)
        try place.write(1500, first: 5000, to: "logs/\(date)-b.log")
        #expect(try place.run(load).exit == 0)
        // Under another name, or with another packing, it is the same file.
        try place.scratch.move("logs/\(date)-b.log", to: "logs/\(date)-c.log")
        try place.write(pipeline: Workplace.manyFiles + "    require_mcid: true\n")
        try place.expectHeld("source 'adobe' would have 0 events instead of 1,600", "sources.adobe.require_mcid")

        try place.write(pipeline: Workplace.manyFiles)
        try place.scratch.remove("logs/\(date)-c.log")
        #expect(try place.run(load).exit == 0)
        #expect(try place.rows("SELECT events FROM partitions") == ["100"])
    }

    @Test func aFileOfAnotherSourceThatIsGoneExcusesNothing() throws {
        let place = try Workplace()
        let pipeline = Workplace.twoSources.replacing("%d.log}", with: "%d.log, required: false}")
        try place.write(pipeline: pipeline)
        try place.write(1500)
        try place.write(1500, first: 5000, to: "more/\(date).log")
        #expect(try place.run(load).exit == 0)
        try place.scratch.remove("more/\(date).log")
        try place.write(200)
        try place.expectHeld("source 'adobe' would have 200 events instead of 1,500")
    }

    @Test func aFileThatWasCutLosesItsEvents() throws {
        let place = try Workplace.loaded()
        try place.write(100)
        let backfill = ["backfill", "--from", date, "--to", date]
        #expect(try place.run(backfill).exit == 65)
        #expect(try place.events == ["adobe|impression|1500"])
        // Another change is looked at.
        try place.write(1499)
        #expect(try place.run(backfill).exit == 0)
        #expect(try place.events == ["adobe|impression|1499"])
    }

    @Test func recordsOfAnotherSourceThatComeFirstTakeNothingAway() throws {
        let place = try Workplace()
        try place.write(pipeline: Workplace.twoSources)
        try place.write(1500)
        #expect(try place.run(load).exit == 65)
        #expect(try place.rows("SELECT status FROM partitions") == ["partial"])
        try place.write(1500, time: "09:00:00", to: "more/\(date).log")
        #expect(try place.run("backfill", "--from", date, "--to", date).exit == 0)
        #expect(try place.events == ["second|impression|1500"])
    }

    // MARK: What else holds back

    @Test func acceptLossForgivesNothingElse() throws {
        let place = try Workplace.loaded()
        try place.write(100, others: (0..<50).map { _ in "junk" })
        for option in [[], ["--accept-loss"]] {
            let outcome = try place.run(load + option)
            #expect(outcome.exit == 65)
            #expect(outcome.stderr.contains("held back: 50 of 150 records were rejected"))
        }
        #expect(try place.run(load + ["--force"]).exit == 0)
        #expect(try place.events == ["adobe|impression|100"])

        let other = try Workplace()
        try other.write(pipeline: Workplace.twoSources)
        try other.write(1500)
        try other.write(1, first: 5000, to: "more/\(date).log")
        #expect(try other.run(load).exit == 0)
        try other.scratch.remove("more/\(date).log")
        try other.write(100)
        let outcome = try other.run(load + ["--accept-loss"])
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("held back: this load is only partial"))
        #expect(try other.events == ["adobe|impression|1500", "second|impression|1"])
    }

    @Test func acceptLossReadsNoOtherHoldAgain() throws {
        let place = try Workplace.loaded()
        try place.write(1500, others: (0..<500).map { _ in "junk" })
        #expect(try place.run(load).exit == 65)
        let before = place.outputBytes()
        let outcome = try place.run("backfill", "--from", date, "--to", date, "--accept-loss")
        #expect(outcome.exit == 65)
        #expect(outcome.stderr.contains("nothing has changed since, so it was not read again\n"))
        #expect(place.outputBytes() == before)
    }

    @Test func rejectsOfAHeldLoadAreKept() throws {
        let place = try Workplace.loaded()
        try place.write(100, others: ["junk"])
        try place.expectHeld("source 'adobe' would have 100 events instead of 1,500")
        #expect(try place.run("rejects", "--summary").stdout == "\(date)  adobe  malformed_line  1\n")
    }

    // MARK: What the partition knows

    @Test func aPartitionOfAnEarlierVersionDoesNotKnowTheKeys() throws {
        let place = try Workplace.loaded()
        let partition = "out/partitions/\(date).sqlite"
        try execute(
            "DELETE FROM hashes WHERE table_name = 'pipeline_keys'; DROP TABLE pipeline_keys",
            on: place.scratch.path(partition))
        let check = try place.run("status", "--check", "-q", "--from", date)
        #expect(!check.stderr.contains(date + ": stale") && !check.stderr.contains("another pipeline"))
        try place.write(pipeline: Workplace.onePipeline + "    require_mcid: true\n")
        try place.expectHeld(lost)
    }

    @Test func theKeysHoldNoValue() throws {
        let place = try Workplace.loaded()
        let rows = try place.rows("SELECT key, hash FROM pipeline_keys", "out/partitions/\(date).sqlite")
        #expect(rows.contains { $0.hasPrefix("sources.adobe.require_mcid|") })
        #expect(rows.allSatisfy { $0.wholeMatch(of: /[a-z_.]+\|[0-9a-f]{32}/) != nil }, "\(rows)")
    }

    @Test func aDamagedPartitionWhoseFiguresCannotBeReadProtectsNothing() throws {
        let place = try Workplace.loaded()
        try place.scratch.write("no database", to: "out/partitions/\(date).sqlite")
        try place.write(100)
        #expect(try place.run(load).exit == 0)
        #expect(try place.events == ["adobe|impression|100"])
    }

    // MARK: On a cluster

    @Test func aJobHoldsBackWhatLosesAndLoadsTheRest() throws {
        let place = try Workplace()
        try place.write(pipeline: Workplace.onePipeline)
        try place.write(1500)
        try place.write(1500, "2026-11-20")
        func job(_ more: String...) throws -> (outcome: Program.Outcome, steps: [String]) {
            let job = try SparkJob(place.program, in: place.scratch.url)
            let arguments = ["--from", date, "--to", "2026-11-20", "--shards", "3", "-p", "push.yaml"]
            return (try job.run(arguments + more), job.steps)
        }
        #expect(try job().outcome.exit == 0)
        try place.write(100)
        try place.write(1499, "2026-11-20")
        let (outcome, steps) = try job()
        #expect(outcome.exit == 65)
        #expect(steps == ["map", "reduce", "figures", "reduce", "figures", "done"])
        let message = held("source 'adobe' would have 100 events instead of 1,500")
        #expect(outcome.stderr.contains("error: \(date): \(message); \(advice)\n"), "\(outcome.stderr)")
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|1500", "2026-11-20|1499"])
        #expect(try place.run("doctor").exit == 0)

        let again = try job()
        #expect(again.outcome.exit == 65 && again.steps == ["done"])
        #expect(try job("--accept-loss").outcome.exit == 0)
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|100", "2026-11-20|1499"])
        #expect(try place.run("doctor").exit == 0)
    }
}
