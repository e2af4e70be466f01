import Foundation
import Support
import Testing

extension Workplace {
    /// Runs the program by a shell, with other words of the shell after its arguments.
    fileprivate func shell(_ arguments: String, _ after: String) throws -> Program.Outcome {
        try Program(executable: URL(fileURLWithPath: "/bin/sh")).run(
            ["-c", "'\(program.executable.path)' \(arguments) \(after)"], in: scratch.url,
            environment: ["PUSHETL_PIPELINE": "push.yaml"])
    }
}

/// What hinders a command, and a transcript cannot show: closed streams.
@Suite(.needsPushetl)
struct ObstacleTests {
    @Test(arguments: [
        "run --date 2026-11-19", "status", "validate", "explain h1",
        "backfill --from 2026-11-19 --to 2026-11-19 --dry-run",
    ])
    func aClosedStdoutEndsWith74(arguments: String) throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        let outcome = try place.shell(arguments, ">&-")
        #expect(outcome.exit == 74)
        #expect(outcome.stderr.hasPrefix("error: the result cannot be written to stdout: "))
        if arguments.hasPrefix("run") { #expect(try place.rows("SELECT sum(events) FROM days") == ["1"]) }
    }

    @Test func aClosedStderrChangesNothing() throws {
        let place = try Workplace.withHits([Workplace.hit("h1,d,7")])
        #expect(try place.shell("run --date 2026-11-18", "2>&-").exit == 66)
        #expect(try place.shell("run --date 2026-11-19", "2>&-").exit == 0)
    }
}
