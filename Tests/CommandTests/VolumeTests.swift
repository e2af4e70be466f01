import Foundation
import Support
import Testing

private let thursdays = ["2026-10-22", "2026-10-29", "2026-11-05", "2026-11-12"]
private let date = "2026-11-19"
private let usual = [1200, 1000, 1020, 1010]
private let months = [10: "Oct", 11: "Nov"]

private func pipeline(_ volume: String?, second: String? = nil) -> String {
    Workplace.onePipeline.replacing("sources:", with: (volume.map { "limits: {volume: \($0)}\n" } ?? "") + "sources:")
        + (second.map { "  - {name: second, format: collector, files: more/%Y-%m-%d.log\($0)}\n" } ?? "")
}

/// As many hits of a log date, each of its own message.
private func hits(_ count: Int, _ date: String) -> [String] {
    let parts = date.split(separator: "-").map { Int($0) ?? 0 }
    let day = "\(parts[2] < 10 ? "0" : "")\(parts[2])/\(months[parts[1], default: "Dec"])/2026"
    return (0..<count).map { number in
        Workplace.hit("h\(parts[1])\(parts[2])\(100_000 + number),d,7").replacing("19/Nov/2026", with: day)
    }
}

extension Workplace {
    fileprivate func write(_ count: Int, _ date: String, in folder: String = "logs", others: [String] = []) throws {
        let lines = hits(count, date) + others
        try scratch.write(lines.map { $0 + "\n" }.joined(), to: "\(folder)/\(date).log")
        settle()
    }

    /// With the four Thursdays before loaded.
    fileprivate static func withThursdays(
        _ counts: [Int] = usual, volume: String? = nil, second: String? = nil, seconds: [Int] = []
    ) throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(pipeline(volume, second: second), to: "push.yaml")
        if second != nil { try place.scratch.makeFolder("more") }
        for (date, count) in zip(thursdays, counts) { try place.write(count, date) }
        for (date, count) in zip(thursdays, seconds) { try place.write(count, date, in: "more") }
        for date in thursdays.prefix(counts.count) {
            let outcome = try place.run("run", "--date", date)
            #expect(outcome.stderr == "" && outcome.exit == 0)
        }
        return place
    }

    /// The exit code and the messages about the last Thursday.
    fileprivate func load(_ count: Int, _ options: String...) throws -> (Int32, String) {
        try write(count, date)
        let outcome = try run(["run", "--date", date] + options)
        return (outcome.exit, outcome.stderr)
    }
}

private func sentence(_ records: String, _ source: String = "adobe") -> String {
    "source '\(source)': \(records), the median of the same weekday before (2026-11-12: 1,010, 2026-11-05: 1,020, "
        + "2026-10-29: 1,000, 2026-10-22: 1,200; not_tracking left out)"
}

private func events(_ text: String) -> String {
    "unknown impression: \(text), the median of the same weekday before (2026-11-12: 1,010, 2026-11-05: 1,020, "
        + "2026-10-29: 1,000, 2026-10-22: 1,200)"
}

@Suite(.needsPushetl)
struct VolumeTests {
    @Test func aHalfDeliveredNightIsNamed() throws {
        let place = try Workplace.withThursdays()
        #expect(try place.load(508) == (0, ""))
        let text = sentence("507 records, less than half of 1,015") + "; check that all of its files are there"
        let ofEvents = events("507 events, less than half of 1,015")
        #expect(try place.load(507) == (0, "warning: \(text)\nwarning: \(ofEvents)\n"))
        let detail = "complete|\(text)\n\(ofEvents)"
        #expect(try place.rows("SELECT verdict, detail FROM loads WHERE detail IS NOT NULL") == [detail])
        let json = try place.run("run", "--date", date, "--json").object()
        #expect((json["warnings"] as? [[String: String]])?.map { $0["code"] } == ["unusual_volume", "unusual_events"])
    }

    @Test func aNightThatWasDeliveredTwiceIsNamed() throws {
        let place = try Workplace.withThursdays()
        #expect(try place.load(2030) == (0, ""))
        let text = sentence("2,031 records, more than twice 1,015") + "; check that nothing is there twice"
        let ofEvents = events("2,031 events, more than twice 1,015")
        #expect(try place.load(2031) == (0, "warning: \(text)\nwarning: \(ofEvents)\n"))
    }

    @Test(arguments: [
        ([1111, 910, 1000, 1000], 667, nil), ([1111, 910, 1000, 1000], 666, "less than two thirds of 1,000"),
        ([1111, 910, 1000, 1000], 1500, nil), ([1111, 910, 1000, 1000], 1501, "more than one and a half times 1,000"),
        ([1100, 909, 1000, 1000], 666, nil), ([1112, 910, 1000, 1000], 1501, nil),
    ])
    func evenWeeksHaveCloserBounds(counts: [Int], count: Int, bound: String?) throws {
        let (exit, messages) = try Workplace.withThursdays(counts).load(count)
        #expect(exit == 0)
        let found = messages.split(separator: "\n").filter { $0.contains(bound ?? "median") }
        #expect(found.count == (bound == nil ? 0 : 2))
    }

    @Test func aPlatformThatTurnsSilentIsNamed() throws {
        let place = try Workplace()
        try place.scratch.write(pipeline(nil), to: "push.yaml")
        func write(_ date: String, android: Int, others: Int) throws {
            let lines = hits(android + others, date).enumerated().map { number, line in
                number < android ? line.replacing("\"-\" \"-\"", with: "\"-\" \"Linux; Android 14\"") : line
            }
            try place.write(0, date, others: lines)
            #expect(try place.run("run", "--date", date).exit == 0)
        }
        for date in thursdays.suffix(2) { try write(date, android: 1000, others: 3000) }
        try write(date, android: 0, others: 4000)
        let detail = try place.rows("SELECT detail FROM loads WHERE log_date = '\(date)'")
        #expect(
            detail == [
                "android impression: 0 events, less than two thirds of 1,000, the median of the same weekday before "
                    + "(2026-11-12: 1,000, 2026-11-05: 1,000)"
            ])
    }

    @Test func nothingIsJudgedAgainstAPublicHoliday() throws {
        #expect(try Workplace.withThursdays([1500, 700, 1500, 1500]).load(100) == (0, ""))
    }

    @Test func oneEarlierDateIsNotEnough() throws {
        let place = try Workplace.withThursdays([])
        try place.write(1500, thursdays[3])
        #expect(try place.run("run", "--date", thursdays[3]).exit == 0)
        #expect(try place.load(100) == (0, ""))
    }

    @Test func recordsThatAreNotTrackingDoNotCount() throws {
        let place = try Workplace.withThursdays()
        let others = hits(600, date).map { $0.replacing("/r/?id", with: "/img?id") }
        try place.write(507, date, others: others)
        #expect(try place.run("run", "--date", date).stderr.contains("source 'adobe': 507 records, less than half"))
    }

    @Test func volumesAreNotComparedIfTheyAreOff() throws {
        #expect(try Workplace.withThursdays(volume: "off").load(1) == (0, ""))
    }

    @Test func aSourceWithoutFilesHasNoRecords() throws {
        let place = try Workplace.withThursdays(second: ", required: false", seconds: usual)
        let text = sentence("0 records, less than half of 1,015", "second") + "; check that all of its files are there"
        let missing = "more/….log had a file on each of the last 4 log dates"
        #expect(try place.load(1010) == (0, "warning: \(text)\nwarning: \(missing)\n"))
        // If the source is required, the date is partial for it already.
        let other = try Workplace.withThursdays(second: "", seconds: usual)
        let (exit, messages) = try other.load(1010)
        #expect(exit == 65)
        #expect(messages.contains("source 'second' has no files") && !messages.contains("median"))
    }

    @Test func aNewSourceIsNotJudged() throws {
        let place = try Workplace.withThursdays(second: ", required: false")
        try place.write(5000, date, in: "more")
        // Its events are among those of its platform.
        #expect(try place.load(1010) == (0, "warning: \(events("5,000 events, more than twice 1,015"))\n"))
    }

    @Test func anUnusualVolumeIsHeldBackUntilSomethingChanges() throws {
        let place = try Workplace.withThursdays(volume: "hold")
        let before = try place.dump()
        let held = "held back: " + sentence("507 records, less than half of 1,015")
        let advice = "the former content is kept; check the files; if they are right, give --force"
        let error = "error: \(date): \(held); \(advice)\n"
        #expect(try place.load(507) == (65, error))
        #expect(try place.dump() == before)
        #expect(
            try place.rows("SELECT detail FROM loads WHERE verdict = 'held_back'") == [
                error.dropFirst(7).dropLast() + ""
            ])
        #expect(try place.run("status").stdout.contains("  held back   1  2026-11-19\n"))

        // Nothing has changed.
        let range = ["backfill", "--from", thursdays[0], "--to", date]
        let bytes = place.outputBytes()
        let outcome = try place.run(range)
        #expect(outcome.exit == 65)
        #expect(outcome.stderr == "error: \(date): \(held); nothing has changed since, so it was not read again\n")
        #expect(place.outputBytes() == bytes)

        // A date that it was compared with has.
        try place.write(510, thursdays[3])
        #expect(try place.run("run", "--date", thursdays[3], "--force").exit == 0)
        let changed = "changed since: 2026-11-12, which it was compared with, has changed"
        let forecast = try place.run(range + ["--dry-run"])
        #expect(forecast.stdout.contains(changed))
        let json = try place.run("status", "--json").logDates().last
        #expect(
            json?["reasons"] as? [[String: String]] == [["reason": "changed_compared_date", "log_date": "2026-11-12"]])
        #expect(try place.run(range).exit == 0)
        #expect(try place.rows("SELECT records FROM partitions WHERE log_date = '\(date)'") == ["507"])
        #expect(!place.scratch.exists("out/partitions/.held"))
    }

    @Test func aHeldBackDateIsReadAgainWithTheDatesThatItIsComparedWith() throws {
        let place = try Workplace.withThursdays(volume: "hold")
        #expect(try place.load(2100).0 == 65)
        // By the same command, the usual volume becomes another.
        for date in thursdays { try place.write(1900, date) }
        let outcome = try place.run("backfill", "--from", thursdays[0], "--to", date)
        #expect(outcome.exit == 0, "\(outcome.stderr)")
        #expect(try place.rows("SELECT records FROM partitions WHERE log_date = '\(date)'") == ["2100"])
    }

    @Test(arguments: [(["--force"], "hold"), ([], "warn"), ([], "off")])
    func forceOrAnotherLimitLoadsAHeldBackDate(options: [String], volume: String) throws {
        let place = try Workplace.withThursdays(volume: "hold")
        #expect(try place.load(507).0 == 65)
        // By run, it is held back again.
        #expect(try place.run("run", "--date", date).exit == 65)
        try place.scratch.write(pipeline(volume), to: "push.yaml")
        let outcome = try place.run(["backfill", "--from", date, "--to", date] + options)
        #expect(outcome.exit == 0)
        #expect(outcome.stderr.contains("less than half of") == (volume != "off"))
        #expect(try place.rows("SELECT records FROM partitions WHERE log_date = '\(date)'") == ["507"])
    }

    @Test func theFiguresDoNotDependOnTheLimit() throws {
        var dumps: [[String]] = []
        for volume in ["off", "warn", "hold"] {
            let place = try Workplace.withThursdays(volume: volume)
            #expect(try place.load(507, "--force").0 == 0)
            dumps.append(try place.dump())
            // The limit makes no date stale.
            try place.scratch.write(pipeline("hold"), to: "push.yaml")
            #expect(
                try place.run("backfill", "--from", thursdays[0], "--to", date, "--dry-run").stdout.contains(
                    "nothing to load"))
        }
        #expect(dumps[0] == dumps[1] && dumps[1] == dumps[2])
    }

    @Test func aDateWaitsForOneThatTakesLonger() throws {
        let place = try Workplace()
        try place.scratch.write(pipeline("hold"), to: "push.yaml")
        try place.write(1000, thursdays[2])
        #expect(try place.run("run", "--date", thursdays[2]).exit == 0)
        let other = Workplace.hit("h1,d,7").replacing("/r/?id", with: "/img?id")
        try place.write(1000, thursdays[3], others: Array(repeating: other, count: 200_000))
        try place.write(400, date)
        let outcome = try place.run("backfill", "--from", thursdays[3], "--to", date, "--jobs", "2")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-19: held back: source 'adobe': 400 records, less than two thirds of 1,000"))
    }

    /// Dates are read in parallel, and judged in their order.
    @Test func aParallelBackfillJudgesEveryDateAgainstItsOwnPast() throws {
        var dumps: [[String]] = []
        for jobs in ["1", "4", "16"] {
            let place = try Workplace()
            try place.scratch.write(pipeline("hold"), to: "push.yaml")
            for day in 0..<36 {
                let date = day < 15 ? "2026-10-\(17 + day)" : "2026-11-\(day < 24 ? "0" : "")\(day - 14)"
                // Too few on a Wednesday, too many on a Monday, and the Wednesday a week later is compared without it.
                let count = date == "2026-11-11" ? 400 : date == "2026-11-16" ? 2600 : 1000 + day
                try place.write(count, date)
            }
            let outcome = try place.run("backfill", "--from", "2026-10-17", "--to", "2026-11-21", "--jobs", jobs)
            #expect(outcome.exit == 65)
            let held = outcome.stderr.split(separator: "\n").map { $0.prefix(57) }
            #expect(
                held == [
                    "error: 2026-11-11: held back: source 'adobe': 400 records",
                    "error: 2026-11-16: held back: source 'adobe': 2,600 recor",
                ], "\(outcome.stderr)")
            dumps.append(try place.dump())
        }
        #expect(dumps[0] == dumps[1] && dumps[1] == dumps[2])
    }
}
