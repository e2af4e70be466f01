import ArgumentParser
import Foundation
import Messages
import Pipelines
import Posix

struct GuessCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "guess",
        abstract: "Write a pipeline for logs of an unknown format and layout.",
        discussion: """
            Reads the first 10,000 lines of each file, and the rest of a JSON object that they end in, at most 16 MiB. \
            Prints a pipeline file that 'run' takes. Comments in it tell what was found. What the logs do not tell is marked \
            '# check'.

              pushetl guess /var/log/nginx/access.log-20261119.gz
              pushetl guess logs/2026-11-19/* --out push.yaml
              pushetl preview --pipeline push.yaml
            """)

    @Argument(help: ArgumentHelp("The log files; - is standard input.", valueName: "file"))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "Write the pipeline to this file. (default: standard output)",
            valueName: "pipeline"),
        completion: .file(extensions: ["yaml", "yml"]))
    var out: String?

    @Flag(help: "Replace the file of --out, if it exists.") var force = false

    @OptionGroup var printing: PrintingOptions

    func validate() throws {
        guard out != "" else { throw ValidationError("--out takes a file, and was given an empty name.") }
        guard !force || out != nil else { throw ValidationError("--force is for the file of --out: give both.") }
    }

    func execute(_ output: CommandOutput) throws -> (any CommandResult)? {
        if let out, !force, FileManager.default.fileExists(atPath: out) {
            throw ValidationError("\(out.shown) exists; give another name, or --force to replace it.")
        }
        if let out, let there = FileStamp(path: out), files.contains(where: { FileStamp(path: $0) == there }) {
            throw ValidationError("\(out.shown) is one of the logs; give another name for the pipeline.")
        }
        let spool = try files.contains("-") ? StandardInput(bytes: StandardInput.sampleBytes) : nil
        // Messages show the paths as they were given.
        output.paths = .stored
        let (guess, unreadable) = try Guess.reading(Preview.File.named(files, spool: spool))
        for failure in unreadable {
            output.end(.failedIO)
            output.fail(failure)
        }
        for file in guess.files {
            for warning in file.warnings { output.warn(warning) }
            guard let failure = file.obstacle else { continue }
            // A file without hits is an error if no file has any.
            if guess.sources.isEmpty {
                output.end(.badData)
                output.fail(failure)
            } else {
                output.warn(failure)
            }
        }
        guard !guess.sources.isEmpty else { return nil }
        let draft = PipelineDraft(guess)
        if let out {
            do {
                try WholeFile.replace(URL(fileURLWithPath: out).path, by: Array(draft.text.utf8))
            } catch {
                output.end(.failedIO)
                output.fail(
                    .at(out, code: .unwritablePipeline, text: "cannot be written: \(SystemError.reason(error.code))"))
                return nil
            }
        }
        return GuessResult(guess: guess, draft: draft, out: out)
    }
}

/// The pipeline that `guess` has made.
private struct GuessResult: CommandResult {
    let guess: Guess
    let draft: PipelineDraft
    /// The file that it was written to.
    let out: String?

    func encode(to encoder: any Encoder) throws {
        let files: [JSONObject] = guess.files.map { file in
            [
                "path": file.file.path, "packing": file.packing.rawValue, "is_whole": file.isWhole,
                "status": file.status, "lines": file.lines, "hits": file.trials.reduce(0) { $0 + $1.hits },
            ]
        }
        try encoder.encode([
            "pipeline": draft.text, "written_to": out, "checks": draft.checks, "sources": guess.sources.map(json),
            "files": files,
        ])
    }

    private func json(_ source: Guess.GuessedSource) -> JSONObject {
        let draft = source.draft
        let isCollector = draft.format == .collector
        let fields = draft.layoutFields.map { ($0.name, $1.joined(separator: ".")) }
        let actions: [JSONObject] = source.namedCodes.sorted { $0.key < $1.key }.map { ["action": $0, "records": $1] }
        return [
            "name": source.name, "format": draft.format.rawValue, "layout": JSONList(draft.layoutTexts),
            "layout_fields": Dictionary(uniqueKeysWithValues: fields),
            "dialect": isCollector ? source.dialect.rawValue : nil,
            "dialect_is_sure": isCollector ? source.isDialectSure : nil, "actions": actions,
            "patterns": source.patterns,
        ]
    }

    // It is meant to be copied.
    let layout = ResultLayout.lines

    var text: String {
        guard let out else { return String(draft.text.dropLast()) }
        return "\(out.shown): written, with \(Text.plural(guess.sources.count, of: "source")); "
            + "\(Text.plural(draft.checks, of: "line")) to check are marked '# check'"
            + (guess.sentence.map { "\n\ncounted: \($0)" } ?? "")
    }
}
