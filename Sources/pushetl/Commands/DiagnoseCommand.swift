import ArgumentParser
import Calendar
import Configuration
import Foundation
import LogFiles
import Messages
import Output
import Partitions
import Pipelines
import Posix
import Reports

struct DiagnoseCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose",
        abstract: "Print what a report of a fault needs, without anything that is yours.",
        discussion: """
            Prints the version, the system, the pipeline file, the state of the output, and the first lines of each source's \
            latest file. Masked are all paths, names, patterns, ids, labels and texts: only words that pushetl itself gives \
            a meaning are left, with numbers, times and codes. Errors of the pipeline file are told by code and line.

            Read it before you post it. It writes nothing, and ends with 0 whatever is wrong with pipeline and output.

              pushetl diagnose push.yaml
              pushetl diagnose --output /srv/push
            """)

    @Argument(
        help: "The pipeline file. (default: the one that --pipeline names)",
        completion: .file(extensions: ["yaml", "yml"]))
    var file: String?

    @OptionGroup var options: PipelineOptions
    @OptionGroup var printing: PrintingOptions

    func validate() throws {
        guard file == nil || options.file.pipeline == nil else {
            throw ValidationError("Give the pipeline file either as FILE or with --pipeline.")
        }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        let pipeline = MaskedPipelineFile(at: file ?? options.file.pipelineFile)
        let folder = (options.outputFolder ?? pipeline.pipeline?.output).map { OutputFolder($0) }
        return Diagnosis(of: pipeline, output: folder)
    }
}

/// The result of `diagnose`. Of outside data, it contains only numbers and times. All its words are pushetl's own.
struct Diagnosis: CommandResult {
    private let pipeline: MaskedPipelineFile
    /// Nil if the folder of the output is not known.
    private let output: OutputFacts?
    /// The checks of `doctor` that are quick.
    private let checks: [DoctorCheck]
    /// Nil if the pipeline file has errors.
    private let logs: (date: LogDate, sources: [SourceFacts])?
    private let libraries = [Inflater.library, OutputDatabase.library] + [ZstdStream.library].compactMap(\.self)
    private let system = SystemFacts()

    init(of pipeline: MaskedPipelineFile, output folder: OutputFolder?) {
        self.pipeline = pipeline
        output = folder.map { OutputFacts(of: $0, pipeline: pipeline.pipeline) }
        checks = folder.map { Doctor(OutputDatabase($0, busyTimeout: 1), paths: .stored).quickChecks() } ?? []
        logs = pipeline.pipeline.map { SourceFacts.all(of: $0) }
    }

    func encode(to encoder: any Encoder) throws {
        func places(_ messages: [Message]) -> [JSONObject] {
            messages.map { ["code": $0.code.name, "line": $0.line, "column": $0.column] }
        }
        let pipeline: JSONObject = [
            "valid": pipeline.pipeline != nil, "lines": pipeline.lines, "errors": places(pipeline.errors),
            "warnings": places(pipeline.warnings),
        ]
        let checks: [JSONObject] = checks.map { ["check": $0.name, "status": $0.status] }
        try encoder.encode([
            "version": programVersion, "libraries": libraries, "system": system.text, "timezone": zone,
            "pipeline": pipeline, "output": output, "checks": checks, "log_date": logs?.date, "sources": logs?.sources,
        ])
    }

    private var zone: String? { pipeline.pipeline?.zone.name }

    var text: String {
        let program = [
            "pushetl \(programVersion), \(libraries.joined(separator: ", "))",
            system.text + (zone.map { ", time zone of the pipeline \($0)" } ?? ""),
        ]
        return [program, pipelineLines, outputLines, logLines].map { $0.joined(separator: "\n") }
            .joined(separator: "\n\n")
    }
}

extension Diagnosis {
    private var pipelineLines: [String] {
        let head =
            "pipeline: \(pipeline.pipeline.map { "valid, \(Text.plural($0.sources.count, of: "source"))" } ?? "not valid")"
        func places(_ messages: [Message], of level: String) -> [String] {
            messages.map { "  \(level) \($0.code.name) in line \($0.line ?? 1), column \($0.column ?? 1)" }
        }
        return [head] + pipeline.lines.map { "  \($0)" } + places(pipeline.errors, of: "error")
            + places(pipeline.warnings, of: "warning")
    }

    private var outputLines: [String] {
        guard let output else { return ["output: not known; name its folder with --output"] }
        guard output.isThere else { return ["output: the folder is not there"] }
        let left = output.isAsLeft ? "as the last command left it" : "not as the last command left it"
        let push = output.bytes.map { bytes in
            "\(Text.bytes(bytes)), \(output.schema.map { "schema \($0)" } ?? "no database of pushetl"), \(left)"
        }
        let sizes = output.partitionBytes
        let all =
            sizes.isEmpty ? "" : ", \(Text.bytes(sizes.reduce(0, +))), the largest \(Text.bytes(sizes.max() ?? 0))"
        var lines = [
            "output:", "  push.db     \(push ?? "not there")",
            "  partitions  \(Text.number(sizes.count))\(all)",
        ]
        func row(_ name: String, _ words: [String]) {
            if !words.isEmpty { lines.append("  \(Text.column(name, width: 12))\(words.joined(separator: ", "))") }
        }
        row("log dates", output.states.map { "\(Text.number($0.logDates)) \($0.word)" })
        row("checks", checks.map { "\($0.name.rawValue) \($0.status.rawValue)" })
        row("failures", output.failures)
        guard !output.loads.isEmpty else { return lines }
        var table = TextTable([.left, .left, .right, .right, .right, .right, .right, .left])
        table.add(["last loads", "verdict", "files", "records", "accepted", "filtered", "rejected", "warnings"])
        for row in output.loads {
            let load = row.load
            let counts = [load.files, load.records, load.accepted, load.filtered, load.rejected].map(Text.number)
            table.add(["\(load.date)", load.verdict] + counts + [row.codes.joined(separator: " ")])
        }
        return lines + table.lines.map { "  \($0)" }
    }

    private var logLines: [String] {
        guard let logs else { return ["logs: not read, since the pipeline file is not valid"] }
        return ["logs of \(logs.date), the first lines of each source's first file:"] + logs.sources.flatMap(lines)
    }

    private func lines(_ source: SourceFacts) -> [String] {
        var parts = [
            "  source \(source.number): \(source.format), \(source.layouts.joined(separator: ", "))",
            Text.plural(source.files, of: "file"),
        ]
        if let failure = source.failure { parts.append(failure) }
        guard let shape = source.shape else { return [parts.joined(separator: "; ")] }
        parts.append("\(shape.packing.rawValue), \(shape.isForeign ? "no log" : shape.status.rawValue)")
        parts += shape.tally.counts.map { count in
            "\(Text.number(count.records)) \(count.reason.isEmpty ? count.outcome.rawValue : count.reason)"
        }
        return [parts.joined(separator: "; ")] + shape.lines.map { "    \($0.shown)" }
            + shape.rejects.map { "    \($0.reason): \($0.sample.shown)" }
    }
}

/// The facts about the machine that may be shown to strangers.
private struct SystemFacts {
    /// `Linux 6.1.0 x86_64, debian 12, 2 cores`.
    let text: String

    init() {
        var names = utsname()
        uname(&names)
        func word(_ value: some Any) -> String {
            withUnsafeBytes(of: value) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        // The release may end in any text, so only its numbers are shown.
        let release = word(names.release).prefix { $0.isNumber || $0 == "." }
        let cores = ProcessInfo.processInfo.activeProcessorCount
        text = [
            "\(word(names.sysname)) \(release) \(word(names.machine))", Self.distribution,
            Text.plural(cores, of: "core"),
        ]
        .filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// The name and version, such as `debian 12`; empty if they are not known.
    private static var distribution: String {
        let lines = String(decoding: (try? WholeFile.read("/etc/os-release")) ?? [], as: UTF8.self).split(
            separator: "\n")
        let values = ["ID", "VERSION_ID"].compactMap { key in
            lines.first { $0.hasPrefix("\(key)=") }?.dropFirst(key.count + 1).filter { $0 != "\"" }
        }
        return values.filter { $0.wholeMatch(of: /[a-z0-9._]{1,20}/) != nil }.joined(separator: " ")
    }
}
