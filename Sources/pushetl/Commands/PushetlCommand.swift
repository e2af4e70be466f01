import ArgumentParser
import Calendar
import Configuration
import Foundation
import LogFiles
import Pipelines

/// A command of pushetl: it does its work, says what is to be said, and returns its result, if it has one.
protocol PushetlCommand: ParsableCommand {
    associatedtype Outcome: CommandResult

    var options: PipelineOptions { get }

    /// What is thrown is told as the command's error, and ends it.
    func execute(_ output: CommandOutput) throws -> Outcome?
}

extension PushetlCommand {
    mutating func run() throws {
        let output = CommandOutput(
            Self.configuration.commandName ?? "", isJSON: options.json, isQuiet: options.quiet)
        var outcome: Outcome?
        do {
            outcome = try execute(output)
        } catch {
            output.fail(error, Sentence())
        }
        try output.finish(outcome)
    }
}

extension CommandOutput {
    /// Takes note of what ends a command, or a part of it.
    func fail(_ error: any Error, _ sentence: Sentence, logDate: LogDate? = nil) {
        end(ExitStatus(of: error))
        if let error = error as? PipelineFileError {
            for problem in error.problems { fail(Message(problem)) }
            for warning in error.warnings { warn(Message(warning)) }
        } else {
            fail(Message(error, sentence, logDate: logDate))
        }
    }
}
