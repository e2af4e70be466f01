import ArgumentParser
import Foundation

/// How a command prints its result and its messages.
struct PrintingOptions: ParsableArguments {
    @Flag(help: "Print the result as JSON.")
    var json = false

    @Flag(name: [.short, .long], help: "Print only warnings and errors, and with --json the result.")
    var quiet = false

    @Option(help: "How to write messages on stderr: as text, or as JSON, one object per line, without progress.")
    var logFormat: MessageLog.Format = .text

    /// Where messages go.
    var log: MessageLog { MessageLog(format: logFormat) }

    /// Whether progress may be shown: stderr is a terminal, and nothing else was asked to be printed there.
    var mayShowProgress: Bool { !quiet && logFormat == .text && isatty(STDERR_FILENO) == 1 }
}
