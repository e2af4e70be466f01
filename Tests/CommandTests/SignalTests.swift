import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct SignalTests {
    private static let signals: [(signal: Int32, code: Int32)] = [(SIGINT, 130), (SIGHUP, 129), (SIGTERM, 143)]

    @Test(.needsLoggen, arguments: signals.prefix(Long.isOn ? 3 : 1))
    func aSignalStopsARunAndLeavesNothingBehind(signal: Int32, code: Int32) throws {
        let place = try Workplace.withLoggen("--preset easy --records 400000 --from 2026-11-19")
        let running = try place.start(["run", "--date", "2026-11-19"], until: "warehouse/partitions/.lock")
        running.send(signal)
        let outcome = try running.wait()
        #expect(outcome.exit == code)
        #expect(outcome.stderr == "error: stopped; nothing is lost, and the same command does the rest\n")
        #expect(!place.scratch.exists("warehouse"))
    }

    @Test func aSignalEndsTheWaitForAReader() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        try place.scratch.write(Workplace.hit("h2,d,7"), to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let before = try place.dump()
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            let partition = "out/partitions/2026-11-20.sqlite"
            let running = try place.start(["run", "--date", "2026-11-20"], until: partition)
            usleep(300_000)
            running.send(SIGINT)
            return try running.wait()
        }
        #expect(outcome.exit == 130)
        #expect(try place.dump() == before)
        // The partition was installed, and the next command publishes it.
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
    }
}
