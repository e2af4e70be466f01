import ArgumentParser
import Configuration
import Foundation
import Messages
import Partitions
import Pipelines
import Posix
import Reports

/// A command of pushetl. It does its work, passes warnings and errors to the output, and returns its result, if there is one.
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
            // The result could not be printed.
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
    /// Notes an error that ends the command, or a part of it.
    func fail(_ error: any Error) {
        if let error = error as? PipelineFileError {
            end(.badPipeline)
            for message in error.messages { fail(message) }
            for warning in error.warnings { warn(warning) }
        } else {
            let message = Message(of: error)
            switch message.code {
            case "usage": return endAsWrongUsage(message.words)
            case "stopped": end(signalExit: stopping.flag.exitCode)
            default: end(ExitStatus(of: error))
            }
            fail(message)
        }
    }
}

/// A copy of standard input, as a file that can be read more than once. The file has no name, so nothing is left when the
/// program ends, however it does.
final class StandardInput {
    /// What is enough for a sample.
    static let sampleBytes = 16 << 20

    private let file: FileDescriptor

    /// - Parameters:
    ///   - folder: where the bytes are kept.
    ///   - bytes: how many are read at most.
    init(copyIn folder: String = NSTemporaryDirectory(), bytes: Int = .max) throws(SystemError) {
        var template = Array("\(folder)/.pushetl-stdin.XXXXXX".utf8CString)
        file = FileDescriptor(mkstemp(&template), path: folder)
        guard file.number >= 0 else { throw SystemError(call: "open", path: folder, code: errno) }
        unlink(template)
        let input = FileDescriptor(STDIN_FILENO, path: "stdin")
        var block = [UInt8](repeating: 0, count: 1 << 18)
        var left = bytes
        while left > 0 {
            let count = try input.fill(&block, in: 0..<min(block.count, left))
            if count == 0 { break }
            try file.write(block.span.extracting(first: count))
            left -= count
        }
    }

    deinit {
        file.close()
    }

    var path: String { "/proc/self/fd/\(file.number)" }
}
