import Foundation
import Support
import Testing

@Suite(.needsPushetl)
struct RebuildTests {
    @Test(arguments: ["DELETE FROM days", ""])
    func aSignalEndsTheWaitForAReader(_ change: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7"), Workplace.hit("h2,d,1")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        try execute(change, on: place.scratch.path("out/push.db"))
        try place.scratch.write(Workplace.hit("h9,d,7"), to: "logs/2026-11-21.log")
        let before = try place.dump()
        let outcome = try whileRead(place.scratch.path("out/push.db")) {
            let arguments = ["run", "--date", "2026-11-21", "--wait", "60"]
            let running = try place.start(arguments, until: "out/partitions/2026-11-21.sqlite")
            sleep(1)
            running.send(SIGTERM)
            return try running.wait()
        }
        #expect(outcome.exit == 143)
        #expect(try place.dump() == before)
        #expect(try place.run("run", "--date", "2026-11-21").exit == 0)
        #expect(try place.run("doctor").exit == 0)
    }
}
