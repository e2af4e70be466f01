import Foundation
import Support
import Testing

/// A fresh folder with a pipeline, its logs and its output, and the program to run there.
struct Workplace {
    static let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let scratch: ScratchFolder
    let program: Program

    init() throws {
        scratch = try ScratchFolder()
        program = try #require(Program.built)
    }

    /// With copies of `Pipelines` and `SampleLogs`, as in a fresh clone.
    /// - Parameter folder: another one that has both, from the package's.
    static func withSamples() throws -> Workplace {
        let place = try Workplace()
        for name in ["Pipelines", "SampleLogs"] {
            try FileManager.default.copyItem(
                at: packageFolder.appendingPathComponent(name),
                to: place.scratch.url.appendingPathComponent(name))
        }
        return place
    }

    /// With a pipeline of one collector source and its log for 2026-11-19.
    static func withHits(_ lines: [String], pipeline: String = onePipeline) throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(pipeline, to: "push.yaml")
        try place.scratch.write(lines.map { $0 + "\n" }.joined(), to: "logs/2026-11-19.log")
        return place
    }

    /// With logs that loggen writes, and their pipeline.
    static func withLoggen(_ arguments: String) throws -> Workplace {
        let place = try Workplace()
        let loggen = try #require(Program.loggen)
        let outcome = try loggen.run(
            arguments.split(separator: " ").map(String.init) + ["--out", "."], in: place.scratch.url)
        #expect(outcome.exit == 0)
        return place
    }

    static let onePipeline = """
        version: 1
        output: out
        sources:
          - name: adobe
            format: collector
            files: logs/%Y-%m-%d.log

        """

    /// The same for any number of files for each date.
    static let manyFiles = onePipeline.replacing("%d.log", with: "%d*.log")

    static func hit(_ id: String, _ time: String = "10:00:00", agent: String = "-") -> String {
        "192.0.2.1 - - [19/Nov/2026:\(time) +0000] \"GET /r/?id=\(id) HTTP/1.1\" 200 0 \"-\" \"\(agent)\""
    }

    func run(_ arguments: String...) throws -> Program.Outcome { try run(arguments) }

    func run(_ arguments: [String]) throws -> Program.Outcome { try start(arguments).wait() }

    func start(_ arguments: [String]) throws -> RunningProgram {
        // Folders without the sample pipelines have one in push.yaml.
        let environment = scratch.exists("Pipelines") ? [:] : ["PUSHETL_PIPELINE": "push.yaml"]
        return try program.start(arguments, in: scratch.url, environment: environment)
    }

    /// Starts the program, and waits until it has made a file or has ended.
    func start(_ arguments: [String], until file: String) throws -> RunningProgram {
        let running = try start(arguments)
        while running.isRunning && !scratch.exists(file) { usleep(1000) }
        return running
    }

    func rows(_ sql: String, _ database: String = "out/push.db") throws -> [String] {
        try Support.rows(sql, of: scratch.path(database))
    }

    /// What a database contains, without its history.
    func dump(_ database: String = "out/push.db", besides: Set<String> = []) throws -> [String] {
        try Support.dump(scratch.path(database), besides: besides)
    }

    /// Waits until a later change to the files is sure to show in their times. Only then are the files remembered.
    func settle() {
        usleep(30_000)
    }
}
