import ArgumentParser
import Configuration
import Foundation
import Messages
import Partitions
import Pipelines

/// A command of pushetl. It does its work, passes warnings and errors to the output, and returns its result, if there
/// is one.
protocol PushetlCommand: ParsableCommand {
    var printing: PrintingOptions { get }
    /// The name of the command in its JSON.
    var nameInJSON: String { get }
    /// The file for metrics; nil if the command writes none.
    var metricsFile: String? { get }
    /// The folder of the output that the metrics are about; nil if it is not known.
    var metricsFolder: String? { get }

    /// An error that is thrown ends the command.
    func execute(_ output: CommandOutput) throws -> (any CommandResult)?
}

extension PushetlCommand {
    var nameInJSON: String { Self.configuration.commandName ?? "" }
    var metricsFile: String? { nil }
    var metricsFolder: String? { nil }

    mutating func run() throws {
        let stopwatch = Stopwatch()
        let output = CommandOutput(
            nameInJSON, isJSON: printing.json, isQuiet: printing.quiet, log: printing.log)
        var result: (any CommandResult)?
        do {
            result = try execute(output)
        } catch let error as ValidationError {
            output.endAsWrongUsage(error.message)
        } catch {
            output.fail(error)
        }
        let exitCode = output.exitCode
        writeMetrics(stopwatch, output: output)
        do {
            try output.finish(result)
        } catch {
            // The result could not be printed, so the exit code has changed.
            if output.exitCode != exitCode { writeMetrics(stopwatch, output: output) }
            throw error
        }
    }

    private func writeMetrics(_ stopwatch: Stopwatch, output: CommandOutput) {
        guard let metricsFile else { return }
        let metrics = Metrics(
            exitCode: output.exitCode, seconds: stopwatch.seconds, finished: Date(),
            output: metricsFolder.map { OutputFolder($0) })
        if let message = MetricsFile(path: metricsFile).write(metrics) { output.warn(message) }
    }
}

extension CommandOutput {
    /// Notes an error that ends the command, or a part of its work.
    func fail(_ error: any Error) {
        if let error = error as? PipelineFileError {
            end(.badPipeline)
            fail(ofPipelineFile: error.messages)
            for warning in error.warnings { warn(warning) }
        } else {
            let message = Message(of: error)
            switch message.code {
            case .usage: return endAsWrongUsage(message.words)
            case .stopped: end(signalExit: stopping.flag.exitCode)
            default: end(ExitStatus(of: error))
            }
            fail(message)
        }
    }
}
