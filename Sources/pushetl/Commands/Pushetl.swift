import ArgumentParser
import Foundation
import LogFiles
import Messages
import Pipelines

@main
struct Pushetl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pushetl",
        abstract: "Turns push tracking logs into exact daily figures in SQLite.",
        discussion: """
            Reads the files of each log date, counts every (broadlogId, action) once, and writes the figures of all log \
            dates to OUTPUT/push.db, ready for Metabase, Superset, Grafana or Datasette.

            Exit codes: 0 done; 64 wrong usage; 65 faults in the data; 66 no input files; 70 an internal check \
            failed; 74 reading or writing failed; 75 another run or a reader holds the output; 78 the pipeline file \
            is wrong; 129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM.
            """,
        version: "\(programVersion) (\(Inflater.library))",
        subcommands: [
            RunCommand.self, BackfillCommand.self, StatusCommand.self, RejectsCommand.self, ExplainCommand.self,
            ValidateCommand.self, PreviewCommand.self, GuessCommand.self, ReportCommand.self, ExportCommand.self,
            DoctorCommand.self, DiagnoseCommand.self, SparkPlanCommand.self, SparkReadCommand.self,
            ManualListsCommand.self,
        ])

    static func main() {
        // Ignored, so that exceeding a file size limit is an error of the call, as on a full disk.
        signal(SIGXFSZ, SIG_IGN)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try checkEncoding()
            try checkCommand(arguments)
            var command = try parseAsRoot(arguments)
            try command.run()
        } catch {
            leave(for: error, arguments: arguments)
        }
    }

    private static var commands: [String] {
        configuration.subcommands.compactMap { $0.configuration.commandName }
    }

    /// The commands for users, which the help lists.
    private static var listedCommands: [String] {
        configuration.subcommands.filter { $0.configuration.shouldDisplay }.compactMap { $0.configuration.commandName }
    }

    /// Refuses arguments that are not UTF-8. Swift would replace the invalid bytes by U+FFFD, and a path would name
    /// another file.
    private static func checkEncoding() throws {
        // The command's own name is always among them.
        guard CommandLine.argc > 0 else {
            throw ValidationError("The arguments cannot be read; on Linux they stand in /proc, which must be mounted.")
        }
        for index in 1..<max(1, Int(CommandLine.argc)) {
            if let argument = CommandLine.unsafeArgv[index], String(validatingCString: argument) == nil {
                throw ValidationError("Argument \(index) is not UTF-8.")
            }
        }
    }

    /// Checks the command's name. The parser itself would answer an unknown command with the whole help.
    private static func checkCommand(_ arguments: [String]) throws {
        guard var name = arguments.first else { return }
        if name == "help" {
            guard arguments.count > 1 else { return }
            name = arguments[1]
        }
        guard !name.hasPrefix("-"), name != "help", !commands.contains(name) else { return }
        let near = name.nearest(of: listedCommands).map { "did you mean '\($0)'?" }
        throw ValidationError(
            "There is no command '\(name.shown)'; \(near ?? "the commands are \(listedCommands.joined(separator: ", ")).")"
        )
    }

    /// Ends the program after a parsing error. Help and version are results; all other errors are wrong usage.
    private static func leave(for error: any Error, arguments: [String]) -> Never {
        let code = exitCode(for: error)
        if error is ExitCode || code.isSuccess { exit(withError: error) }
        let text = (error as? ValidationError)?.message ?? message(for: error)
        let options = arguments.prefix { $0 != "--" }
        let isJSON = options.contains("--json")
        let log = MessageLog(format: value(of: "--log-format", in: options) == "json" ? .json : .text)
        let command = arguments.first.flatMap { commands.contains($0) ? $0 : nil } ?? "pushetl"
        let output = CommandOutput(command, isJSON: isJSON, isQuiet: false, log: log)
        output.endAsWrongUsage(text)
        writeMetrics(of: command, options: options, output: output)
        if isJSON || log.format == .json {
            // It throws the exit code, with which the program ends below.
            try? output.finish(nil)
        } else {
            let full = fullMessage(for: error)
            let usage = full.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { !$0.hasPrefix("Usage:") }.joined(separator: "\n")
            Console.message("error: \(text)\n" + (usage.isEmpty ? "" : usage + "\n"))
        }
        Foundation.exit(code.rawValue)
    }

    /// Writes metrics, so that monitoring sees that a command with wrong options has not run. The folder of the output
    /// is not known.
    private static func writeMetrics(of command: String, options: ArraySlice<String>, output: CommandOutput) {
        let commands: [any ParsableCommand.Type] = [RunCommand.self, BackfillCommand.self]
        guard commands.contains(where: { $0.configuration.commandName == command }), !options.contains("--dry-run"),
            let file = value(of: "--metrics", in: options),
            !file.isEmpty, !file.hasPrefix("-")
        else { return }
        let metrics = Metrics(exitCode: output.exitCode, seconds: 0, finished: Date(), output: nil)
        if let message = MetricsFile(path: file).write(metrics) { output.warn(message) }
    }

    /// The value of an option, found in arguments that could not be parsed.
    private static func value(of option: String, in options: ArraySlice<String>) -> String? {
        if let joined = options.first(where: { $0.hasPrefix(option + "=") }) {
            return String(joined.dropFirst(option.count + 1))
        }
        return zip(options, options.dropFirst()).first { $0.0 == option }?.1
    }
}
