import Foundation
import Support
import Testing

private let history = "SELECT log_date, verdict, detail, files, records, accepted, events, duplicates FROM loads"

@Suite(.needsPushetl)
struct HistoryTests {
    @Test func everyLoadHasARowWithThePrintedMessage() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), Workplace.hit("h1,d,7"), Workplace.hit("h2,d,1")])
        let date = "2026-11-19"
        #expect(try place.run("run", "--date", date).exit == 0)
        #expect(try place.rows(history) == ["2026-11-19|complete||1|3|3|2|1"])
        // The same files again change nothing.
        #expect(try place.run("run", "--date", date).exit == 0)
        #expect(try place.rows(history).count == 1)
        #expect(try place.rows("SELECT log_dates, exit_code FROM runs") == ["2026-11-19|0"])

        try place.scratch.write("no hit\nnone\n", to: "logs/2026-11-19.log")
        let held = try place.run("run", "--date", date)
        #expect(held.exit == 65)
        let row = try #require(try place.rows(history + " WHERE verdict = 'held_back'").first)
        let parts = row.split(separator: "|", omittingEmptySubsequences: false)
        try #require(parts.count == 8)
        #expect(parts[3...] == ["1", "2", "0", "", ""])
        #expect(held.stderr.contains("error: " + parts[2]))
        #expect(parts[2].hasPrefix("2026-11-19: held back: 2 of 2 records were rejected"))
        #expect(
            try place.rows("SELECT log_dates, exit_code, records FROM runs WHERE exit_code <> 0") == ["2026-11-19|65|2"]
        )
        #expect(
            try place.rows(
                "SELECT count(*) FROM loads WHERE started_at <= finished_at AND started_at LIKE '20__-__-__ %'")
                == ["2"])
        // The record of the held back load is not taken for a change by another program.
        #expect(try place.run("run", "--date", "2026-01-01").stderr.contains("warning") == false)
    }

    @Test func aHoldBeforeTheFirstOutputIsRecordedByTheFirstPublishing() throws {
        let place = try Workplace.withHits(["no hit"])
        for _ in 0..<2 { #expect(try place.run("run", "--date", "2026-11-19").exit == 65) }
        #expect(!place.scratch.exists("out/push.db"))
        try? place.scratch.remove("out/partitions/.kept")
        try place.scratch.write(Workplace.hit("h1,d,7"), to: "logs/2026-11-19.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        #expect(try place.rows("SELECT verdict FROM loads ORDER BY verdict") == ["complete", "held_back", "held_back"])
        #expect(try place.rows("SELECT exit_code FROM runs ORDER BY 1") == ["0", "65", "65"])
        #expect(
            try place.scratch.names("out/partitions").filter { $0.hasSuffix(".json") }.isEmpty)
    }

    @Test func aHoldDuringAReadIsRecordedLater() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write("no hit\n", to: "logs/2026-11-20.log")
        let outcome = try whileRead(place.scratch.path("out/push.db")) { try place.run("run", "--date", "2026-11-20") }
        #expect(outcome.exit == 65)
        #expect(try place.rows(history).count == 1)
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-20").exit == 0)
        #expect(
            try place.rows("SELECT log_date, verdict FROM loads ORDER BY 1, 2") == [
                "2026-11-19|complete", "2026-11-20|complete", "2026-11-20|held_back",
            ])
    }

    @Test(.enabled(if: geteuid() != 0, "root may read every file"))
    func anUnreadableFileIsAFailedLoad() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write("x", to: "logs/2026-11-20.log")
        chmod(place.scratch.path("logs/2026-11-20.log"), 0)
        #expect(try place.run("run", "--date", "2026-11-20").exit == 74)
        #expect(try place.rows("SELECT verdict FROM loads ORDER BY 1") == ["complete", "failed"])
    }
}
