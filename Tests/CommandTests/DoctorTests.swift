import Support
import Testing

@Suite(.needsPushetl)
struct DoctorTests {
    @Test func whileAnotherCommandIsAtWorkItExitsWith75() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.run("run", "--date", "2026-11-19").exit == 0)
        let outcome = try place.whileLocked("pushetl run, process 1") { try place.run("doctor") }
        #expect(outcome.exit == 75)
        #expect(outcome.stderr.contains("pushetl run, process 1"))
    }
}
