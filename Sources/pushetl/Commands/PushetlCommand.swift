import ArgumentParser
import Configuration
import Pipelines

/// A command of pushetl. It does its work, passes warnings and errors to the output, and returns its result, if there is one.
protocol PushetlCommand: ParsableCommand {
    var options: PipelineOptions { get }

    /// An error that is thrown ends the command.
    func execute(_ output: CommandOutput) throws -> (any CommandResult)?
}

extension PushetlCommand {
    mutating func run() throws {
        let output = CommandOutput(
            Self.configuration.commandName ?? "", isJSON: options.json, isQuiet: options.quiet)
        var result: (any CommandResult)?
        do {
            result = try execute(output)
        } catch let error as ValidationError {
            output.endAsWrongUsage(error.message)
        } catch {
            output.fail(error)
        }
        try output.finish(result)
    }
}

extension CommandOutput {
    /// Notes an error that ends the command, or a part of it.
    func fail(_ error: any Error) {
        end(ExitStatus(of: error))
        if let error = error as? PipelineFileError {
            for problem in error.problems { fail(Message(problem)) }
            for warning in error.warnings { warn(Message(warning)) }
        } else {
            fail(Message(error, Sentence()))
        }
    }
}
