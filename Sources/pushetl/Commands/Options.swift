import ArgumentParser
import Foundation
import LogFiles
import Pipelines

/// Which pipeline, and where its output lies.
struct PipelineOptions: ParsableArguments {
    @Option(
        name: [.short, .long],
        help: ArgumentHelp(
            "The pipeline file. (default: the environment's PUSHETL_PIPELINE, else Pipelines/push.yaml)",
            valueName: "file"),
        completion: .file(extensions: ["yaml", "yml"]))
    var pipeline: String?

    @Option(
        help: ArgumentHelp("The folder of push.db. (default: the pipeline file's 'output')", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(name: [.short, .long], help: "Print nothing but warnings and errors, and with --json the result.")
    var quiet = false

    func validate() throws {
        guard output != "" else { throw ValidationError("--output takes a folder, and was given an empty name.") }
        guard pipeline != "" else { throw ValidationError("--pipeline takes a file, and was given an empty name.") }
    }

    var pipelineFile: String {
        pipeline ?? ProcessInfo.processInfo.environment["PUSHETL_PIPELINE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? "Pipelines/push.yaml"
    }

    /// The absolute folder that `--output` names.
    var outputFolder: String? {
        output.map { URL(fileURLWithPath: $0, isDirectory: true).standardizedFileURL.path }
    }

    /// The pipeline file's content. To load past dates it must tell them apart.
    func readPipeline(loadsPastDates: Bool = false) throws(PipelineFileError) -> Pipeline {
        let pipeline = try PipelineFile.read(pipelineFile)
        if loadsPastDates { try pipeline.checkDatePlaceholders() }
        return pipeline
    }
}

/// How a command that loads does its work. The others take these options too, so that a script may give the same ones to
/// all; most mean nothing there.
struct LoadOptions: ParsableArguments {
    // A number below 0 is a value too, which `validate` refuses by name.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Worker threads; as many as there are cores, unless given.", valueName: "n"))
    var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

    @Option(
        help: ArgumentHelp(
            "Memory for events in hand: bytes, or with K, M or G; at least 16M. (default: 1G)", valueName: "size"),
        transform: { try MemorySize(parsing: $0) })
    var memory: MemorySize = MemorySize(bytes: 1 << 30)

    @Flag(
        help: "Let a partial load replace a complete partition, and load in spite of too many rejects.")
    var force = false

    @Flag(help: "List all log dates, also the many that are simply complete.")
    var verbose = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long to wait for a reader of push.db.", valueName: "seconds"))
    var wait: Int = 30

    @Flag(help: "Show no progress on the terminal.")
    var noProgress = false

    func validate() throws {
        guard (1...1024).contains(jobs) else { throw ValidationError("--jobs takes a number from 1 to 1024.") }
        guard (0...86_400).contains(wait) else { throw ValidationError("--wait takes seconds, from 0 to 86400.") }
    }
}

/// A number of bytes, as `--memory` takes it.
struct MemorySize: CustomStringConvertible {
    static let least = 16 << 20

    let bytes: Int

    init(bytes: Int) {
        self.bytes = bytes
    }

    init(parsing argument: String) throws(ValidationError) {
        guard let bytes = MemorySize.bytes(argument) else {
            throw ValidationError(
                "'\(argument.shown)' is not a size; give bytes, or a number with K, M or G, such as 512M.")
        }
        guard bytes >= MemorySize.least else {
            throw ValidationError("--memory takes at least \(MemorySize(bytes: MemorySize.least)).")
        }
        self.bytes = bytes
    }

    private static func bytes(_ argument: String) -> Int? {
        let units: [Character: Int] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        var text = argument.lowercased()[...]
        if text.hasSuffix("ib") { text = text.dropLast(2) } else if text.hasSuffix("b") { text = text.dropLast() }
        var unit = 1
        if let last = text.last, let known = units[last] {
            unit = known
            text = text.dropLast()
        }
        guard let number = Int(text), number > 0 else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: unit)
        return overflow ? nil : bytes
    }

    var description: String { bytes % (1 << 30) == 0 ? "\(bytes >> 30)G" : "\(bytes >> 20)M" }
}
