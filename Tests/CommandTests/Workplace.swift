import Foundation
import Support
import Testing

/// A fresh folder with a pipeline, its logs and its output, and the program to work there.
struct Workplace {
    static let packageFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    let scratch: ScratchFolder
    let program: Program

    init() throws {
        scratch = try ScratchFolder()
        program = try #require(Program.built, "pushetl is not built beside the tests")
    }

    /// With copies of `Pipelines` and `SampleLogs`, as in a fresh clone.
    static func withSamples() throws -> Workplace {
        let place = try Workplace()
        for name in ["Pipelines", "SampleLogs"] {
            try FileManager.default.copyItem(
                at: packageFolder.appendingPathComponent(name), to: place.scratch.url.appendingPathComponent(name))
        }
        return place
    }

    /// With a pipeline of one collector source and its log for 2026-11-19.
    static func withHits(_ lines: [String], pipeline: String = onePipeline) throws -> Workplace {
        let place = try Workplace()
        try place.scratch.write(pipeline.utf8, to: "push.yaml")
        try place.scratch.write(lines.map { $0 + "\n" }.joined().utf8, to: "logs/2026-11-19.log")
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

    static func hit(_ id: String, _ time: String = "10:00:00", status: Int = 200, agent: String = "-") -> String {
        "192.0.2.1 - - [19/Nov/2026:\(time) +0000] \"GET /r/?id=\(id) HTTP/1.1\" \(status) 0 \"-\" \"\(agent)\""
    }

    func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Program.Outcome {
        try run(arguments, environment: environment)
    }

    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Program.Outcome {
        // Without SampleLogs' pipelines the one in the folder is meant.
        let hasSamples = FileManager.default.fileExists(atPath: scratch.path("Pipelines"))
        let defaults = hasSamples ? [:] : ["PUSHETL_PIPELINE": "push.yaml"]
        return try program.run(arguments, in: scratch.url, environment: defaults.merging(environment) { $1 })
    }

    func rows(_ sql: String, _ database: String = "out/push.db") throws -> [String] {
        try Support.rows(sql, of: scratch.path(database))
    }

    /// Waits until files' times are so old that a later write is sure to show in them, so that they are remembered.
    func settle() {
        usleep(30_000)
    }

    /// Every file of the output with its bytes.
    func outputBytes(_ folder: String = "out") throws -> [String: Data] {
        let root = scratch.url.appendingPathComponent(folder)
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        var bytes: [String: Data] = [:]
        for name in names { bytes[name] = try? Data(contentsOf: root.appendingPathComponent(name)) }
        return bytes
    }

    func bytes(_ name: String) -> Data? {
        try? Data(contentsOf: scratch.url.appendingPathComponent(name))
    }
}
