import Foundation
import Support
import Testing

private let pipeline = Workplace.onePipeline.replacing("sources:", with: "limits: {volume: hold}\nsources:")
private let months = [10: "Oct", 11: "Nov"]

extension Workplace {
    /// As many hits of a log date, each of its own message.
    fileprivate func write(_ count: Int, _ date: String, others: [String] = []) throws {
        let parts = date.split(separator: "-").map { Int($0) ?? 0 }
        let day = "\(date.suffix(2))/\(months[parts[1], default: "Dec"])/2026"
        let hits = (0..<count).map { number in
            Workplace.hit("h\(parts[1])\(parts[2])\(100_000 + number),d,7").replacing("19/Nov/2026", with: day)
        }
        try scratch.write((hits + others).map { $0 + "\n" }.joined(), to: "logs/\(date).log")
        settle()
    }
}

/// Dates are read in parallel, and judged in their order.
@Suite(.needsPushetl)
struct VolumeTests {
    @Test func aDateWaitsForOneThatTakesLonger() throws {
        let place = try Workplace()
        try place.scratch.write(pipeline, to: "push.yaml")
        try place.write(1000, "2026-11-05")
        #expect(try place.run("run", "--date", "2026-11-05").exit == 0)
        let other = Workplace.hit("h1,d,7").replacing("/r/?id", with: "/img?id")
        try place.write(1000, "2026-11-12", others: Array(repeating: other, count: 200_000))
        try place.write(400, "2026-11-19")
        let outcome = try place.run("backfill", "--from", "2026-11-12", "--to", "2026-11-19", "--jobs", "2")
        #expect(outcome.exit == 65)
        #expect(
            outcome.stderr.contains(
                "error: 2026-11-19: held back: source 'adobe': 400 records, less than two thirds of 1,000"))
    }

    @Test func aParallelBackfillJudgesEveryDateAgainstItsOwnPast() throws {
        var dumps: [[String]] = []
        for jobs in ["1", "4", "16"] {
            let place = try Workplace()
            try place.scratch.write(pipeline, to: "push.yaml")
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
