import Foundation
import Support
import Testing

/// Several commands that write the same files at once.
@Suite(.needsPushetl)
struct SharedFileTests {
    private static let commands = 8

    private let place: Workplace

    init() throws {
        let hits = (1...300).map { Workplace.hit("h\($0),d\($0),7") }
        place = try Workplace.withHits(hits)
        try place.scratch.write(
            Workplace.hit("h9,d9,7").replacing("19/Nov", with: "02/Dec") + "\n", to: "logs/2026-12-02.log")
        for date in ["2026-11-19", "2026-12-02"] { #expect(try place.run("run", "--date", date).exit == 0) }
    }

    private static let writing = [
        ["export", "csv", "--out", "x"], ["export", "datasette", "--out", "x"], ["export", "superset", "--out", "x"],
        ["export", "grafana", "--out", "x"],
        ["report", "--out", "x/r.html"], ["guess", "logs/2026-11-19.log", "--out", "x/p.yaml", "--force"],
        ["run", "--date", "2026-11-19", "--metrics", "x/m.prom", "--wait", "60"],
    ]

    @Test(arguments: writing)
    func eachOfSeveralAtOnceEndsAsIfItWereAlone(_ arguments: [String]) throws {
        try place.scratch.makeFolder("x")
        let alone = try place.run(arguments)
        let expected = place.scratch.contentsOfAll("x")
        #expect(alone.exit == 0)
        try place.scratch.remove("x")
        try place.scratch.makeFolder("x")
        let outcomes = try (0..<Self.commands).map { _ in try place.start(arguments) }.map { try $0.wait() }
        // Only one at a time may write the output. The others wait, and say so.
        let isRun = arguments[0] == "run"
        #expect(outcomes.allSatisfy { $0.exit == 0 }, "\(outcomes.map(\.stderr))")
        #expect(isRun || outcomes.allSatisfy { $0.stderr == alone.stderr })
        #expect(place.scratch.contentsOfAll("x").keys == expected.keys)
        if !isRun { #expect(place.scratch.contentsOfAll("x") == expected) }
    }

    @Test(arguments: writing.dropLast())
    func afterKillsFilesAreWholeAndNothingElseIsLeft(_ arguments: [String]) throws {
        try place.scratch.makeFolder("x")
        #expect(try place.run(arguments).exit == 0)
        let expected = place.scratch.contentsOfAll("x")
        try place.scratch.remove("x")
        try place.scratch.makeFolder("x")
        for milliseconds in stride(from: 0 as UInt32, to: 80, by: Long.isOn ? 10 : 20) {
            let running = try (0..<3).map { _ in try place.start(arguments) }
            usleep(1000 * milliseconds)
            for program in running { program.send(SIGKILL) }
            for program in running { _ = try program.wait() }
            for (name, bytes) in place.scratch.contentsOfAll("x") where !name.hasSuffix(".tmp") && expected[name] != nil
            {
                #expect(bytes == expected[name] ?? Data())
            }
        }
        #expect(try place.run(arguments).exit == 0)
        #expect(place.scratch.contentsOfAll("x") == expected)
    }

    @Test func exportsOfOtherMonthsIntoOneFolderDoNoHarm() throws {
        let november = ["export", "csv", "--to", "2026-11-01", "--out", "x"]
        let december = ["export", "csv", "--from", "2026-12-01", "--out", "x"]
        #expect(try place.run("export", "csv", "--out", "x").exit == 0)
        let expected = place.scratch.contentsOfAll("x")
        try place.scratch.remove("x")
        let outcomes = try (0..<8).map { try place.start($0 % 2 == 0 ? november : december) }.map { try $0.wait() }
        #expect(outcomes.allSatisfy { $0.exit == 0 }, "\(outcomes.map(\.stderr))")
        #expect(place.scratch.contentsOfAll("x") == expected)
    }

    /// Of several pipelines on one file of metrics, none sees the other's half-written file.
    @Test func metricsOfSeveralPipelinesMayShareAFile() throws {
        let others = try (0..<3).map { _ in try Workplace.withHits([Workplace.hit("h1,d,7")]) }
        try place.scratch.makeFolder("m")
        let file = place.scratch.path("m/push.prom")
        for _ in 0..<5 {
            let running = try ([place] + others).map { place in
                try place.start(["run", "--date", "2026-11-19", "--metrics", file])
            }
            for command in running { #expect(try command.wait().exit == 0) }
            #expect(try place.scratch.names("m") == ["push.prom"])
            #expect(try place.scratch.text("m/push.prom").contains("\npushetl_exit_code 0\n"))
        }
    }
}
