import Support
import Testing

private let date = "2026-11-19"

/// A load on a cluster that would take many events of a log date away is held back.
@Suite(.needsPushetl)
struct LossTests {
    /// As many messages of a log date, each with one hit.
    private func write(_ count: Int, _ date: String = date, in place: Workplace) throws {
        let lines = (1...count).map { Workplace.hit("h\(date.suffix(2))\(100_000 + $0),d,7") + "\n" }
        try place.scratch.write(
            lines.joined().replacing("19/Nov", with: "\(date.suffix(2))/Nov"), to: "logs/\(date).log")
        place.settle()
    }

    @Test func aJobHoldsBackWhatLosesAndLoadsTheRest() throws {
        let place = try Workplace.withHits([])
        try write(1500, in: place)
        try write(1500, "2026-11-20", in: place)
        func job(_ more: String...) throws -> (outcome: Program.Outcome, steps: [String]) {
            let job = try SparkJob(place.program, in: place.scratch.url)
            let arguments = ["--from", date, "--to", "2026-11-20", "--shards", "3", "-p", "push.yaml"]
            return (try job.run(arguments + more), job.steps)
        }
        #expect(try job().outcome.exit == 0)
        try write(100, in: place)
        try write(1499, "2026-11-20", in: place)
        let (outcome, steps) = try job()
        #expect(outcome.exit == 65)
        #expect(steps == ["map", "reduce", "figures", "reduce", "figures", "done"])
        let message = "held back: source 'adobe' would have 100 events instead of 1,500; the former content is kept; "
        #expect(outcome.stderr.contains("error: \(date): \(message)"), "\(outcome.stderr)")
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|1500", "2026-11-20|1499"])
        #expect(try place.run("doctor").exit == 0)

        let again = try job()
        #expect(again.outcome.exit == 65 && again.steps == ["done"])
        #expect(try job("--accept-loss").outcome.exit == 0)
        #expect(try place.rows("SELECT day, events FROM days") == ["2026-11-19|100", "2026-11-20|1499"])
        #expect(try place.run("doctor").exit == 0)
    }
}
