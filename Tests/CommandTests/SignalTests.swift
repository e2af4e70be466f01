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

    /// At any moment: while the files are looked at, while they are loaded, and while the page is made.
    @Test(.needsLoggen, arguments: [10, 150, 300, 450])
    func aSignalStopsAReportOnFilesAndLeavesNoFolder(milliseconds: UInt32) throws {
        let place = try Workplace.withLoggen("--preset easy --records 400000 --from 2026-11-19")
        let files = ["host1", "host2"].map { "collector/2026-11-19/\($0).log.gz" }
        try place.scratch.makeFolder("tmp")
        let environment = ["TMPDIR": place.scratch.path("tmp")]
        let running = try place.program.start(["report"] + files, in: place.scratch.url, environment: environment)
        usleep(milliseconds * 1000)
        running.send(SIGINT)
        let outcome = try running.wait()
        #expect([130, 0, -SIGINT].contains(outcome.exit), "\(outcome)")
        #expect(try place.scratch.names("tmp").isEmpty)
        #expect(place.scratch.exists("report.html") == (outcome.exit == 0))
    }

    /// However often it needs push.db.
    @Test func aCommandWaitsOnce() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try place.scratch.write(Workplace.hit("h3,d,7") + "\n", to: "logs/2026-11-20.log")
        let outcome = try whileWritten(place.scratch.path("out/push.db")) {
            try place.run("run", "--date", "2026-11-20", "--wait", "2")
        }
        #expect(outcome.exit == 75)
        #expect(outcome.stderr.matches(of: /waiting for a reader/).count == 1, "\(outcome.stderr)")
        #expect(place.scratch.exists("out/partitions/2026-11-20.sqlite"))
    }

    /// A reader or a writer holds push.db, of which something else may have changed a table.
    @Test(arguments: [(false, "", SIGINT, 130), (false, "DELETE FROM days", SIGTERM, 143), (true, "", SIGTERM, 143)])
    func aSignalEndsTheWaitForPushDB(isWriter: Bool, change: String, signal: Int32, code: Int32) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), Workplace.hit("h2,d,1")])
        try place.scratch.write(Workplace.hit("h3,d,7") + "\n", to: "logs/2026-11-20.log")
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let database = place.scratch.path("out/push.db")
        try execute(change, on: database)
        let before = try place.dump()
        func stop() throws -> Program.Outcome {
            // Once the partition is there, the program waits for the output DB.
            let running = try place.start(
                ["run", "--date", "2026-11-20", "--wait", "60"], until: "out/partitions/2026-11-20.sqlite")
            usleep(300_000)
            running.send(signal)
            return try running.wait()
        }
        let outcome = try isWriter ? whileWritten(database, stop) : whileRead(database, stop)
        #expect(outcome.exit == code)
        #expect(try place.dump() == before)
        // The next command publishes what is loaded.
        #expect(try place.run("backfill", "--from", "2026-11-19", "--to", "2026-11-20").exit == 0)
        #expect(try place.rows("SELECT log_date FROM partitions") == ["2026-11-19", "2026-11-20"])
        // The command that could not write push.db has no row of its own, but what it has loaded is told.
        #expect(try place.rows("SELECT exit_code FROM runs") == ["0", "0"])
        #expect(
            try place.rows("SELECT log_date, verdict FROM loads") == ["2026-11-19|loaded", "2026-11-20|loaded"])
        #expect(try place.run("doctor").exit == 0)
    }
}
