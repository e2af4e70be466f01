import ArgumentParser
import Foundation
import LogFiles
import Messages
import Pipelines
import Posix

struct GuessCommand: PushetlCommand {
    static let configuration = CommandConfiguration(
        commandName: "guess",
        abstract: "Write a pipeline for logs of an unknown format and layout.",
        discussion: """
            Reads the first 10,000 lines of each file, at most 16 MiB. Prints a pipeline file that 'run' takes. Comments in \
            it tell what was found. What the logs do not tell is marked '# check'.

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
        let spool = try files.contains("-") ? StandardInput(bytes: StandardInput.sampleBytes) : nil
        var guesses: [FileGuess] = []
        for argument in files {
            let isStandardInput = argument == "-"
            let file = Preview.File(
                path: isStandardInput ? "standard input" : argument,
                location: isStandardInput ? spool?.path ?? "" : URL(fileURLWithPath: argument).path,
                isStandardInput: isStandardInput)
            do {
                let known = guesses.flatMap { $0.trials.map(\.draft) }
                guesses.append(try FileGuess(of: file, known: known))
            } catch let error as LogFileError {
                output.end(.failedIO)
                let text = "\(file.path.shown): cannot be read: \(SystemError.reason(error.code))"
                output.fail(Message.told("unreadable_file", text, path: file.path))
            }
        }
        let guess = Guess(guesses)
        report(guess, output)
        guard !guess.sources.isEmpty else { return nil }
        let draft = PipelineDraft(guess)
        if let out {
            do {
                try WholeFile.replace(URL(fileURLWithPath: out).path, by: Array(draft.text.utf8), durably: true)
            } catch {
                output.end(.failedIO)
                let text = "\(out.shown): cannot be written: \(SystemError.reason(error.code))"
                output.fail(Message.told("unwritable_pipeline", text, path: out))
                return nil
            }
        }
        return GuessResult(guess, draft, out: out)
    }

    /// Says what looks wrong. A file without hits is an error if no file has any.
    private func report(_ guess: Guess, _ output: CommandOutput) {
        for file in guess.files {
            for message in Sentence.doubts(about: file) { output.warn(message) }
            guard let failure = Sentence.failure(of: file) else { continue }
            if guess.sources.isEmpty {
                output.end(.badData)
                output.fail(failure)
            } else {
                output.warn(failure)
            }
        }
    }
}
