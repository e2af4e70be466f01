import Support
import Testing

@Suite(.needsPushetl)
struct MetricsTests {
    /// Several pipelines on one file of metrics: the last one to end is told of, and neither sees the other's half-written file.
    @Test func commandsMayShareAFile() throws {
        let places = try (0..<4).map { _ in try Workplace.withHits([Workplace.hit("h1,d,7")]) }
        let file = places[0].scratch.path("m/push.prom")
        try places[0].scratch.makeFolder("m")
        for _ in 0..<5 {
            let running = try places.map { place in
                try place.program.start(
                    ["run", "--date", "2026-11-19", "--metrics", file], in: place.scratch.url,
                    environment: ["PUSHETL_PIPELINE": "push.yaml"])
            }
            for command in running { #expect(try command.wait().exit == 0) }
            #expect(try places[0].scratch.names("m") == ["push.prom"])
            #expect(try places[0].scratch.text("m/push.prom").contains("\npushetl_exit_code 0\n"))
        }
    }
}
