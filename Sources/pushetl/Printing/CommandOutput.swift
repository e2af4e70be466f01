import ArgumentParser
import Foundation
import Messages

/// Everything that a command prints, and its exit code. Warnings go to stderr at once, then the result to stdout, then
/// the errors to stderr. With `--json` the result is one object, which holds the warnings and errors too, on success
/// and failure.
final class CommandOutput {
    private let command: String
    private let isJSON: Bool
    private let isQuiet: Bool
    private let log: MessageLog
    /// How messages show paths: relative ones start at the pipeline file's folder, if there is one.
    var paths = ShownPaths(FileManager.default.currentDirectoryPath)
    /// Stops the command at a signal. Before its first use, a signal ends the program at once.
    lazy var stopping = Stopping()
    private var warnings: [Message] = []
    private var errors: [Message] = []
    /// Messages for the end: first those about many log dates, grouped by cause, then single errors.
    private var together: [Notice] = []
    private var single: [Message] = []
    /// The number of lines that were printed already.
    private var printed = 0
    private var status = ExitStatus.done
    /// The exit code after a signal or wrong usage; it replaces the one of `status`.
    private var givenExit: Int32?

    init(_ command: String, isJSON: Bool, isQuiet: Bool, log: MessageLog) {
        self.command = command
        self.isJSON = isJSON
        self.isQuiet = isQuiet
        self.log = log
    }

    /// Whether to print text for people.
    var wantsText: Bool { !isJSON && !isQuiet }

    func warn(_ message: Message) {
        assert(message.code.levels.contains(.warning), "\(message.code) is no code of warnings")
        let message = message.shown(paths)
        warnings.append(message)
        log.write(message, as: .warning)
        printed += 1
    }

    /// Warns at once of likely mistakes in the pipeline file. If there are many, only the first ones are shown.
    func warn(ofSlips messages: [Message]) {
        let isShort = log.format == .json || messages.count <= CommandOutput.mostSlips
        let limit = isShort ? messages.count : CommandOutput.mostSlips
        for message in messages.prefix(limit) { warn(message) }
        let left = messages.dropFirst(limit)
        warnings += left.map { $0.shown(paths) }
        guard !left.isEmpty else { return }
        printed += 1
        log.write(CommandOutput.rest(left), as: .warning)
    }

    /// Notes an error, to be printed after the result.
    func fail(_ message: Message) {
        assert(message.code.levels.contains(.error), "\(message.code) is no code of errors")
        let message = message.shown(paths)
        errors.append(message)
        single.append(message)
    }

    /// Notes all that is wrong with a pipeline file. If it is much, only `validate` shows all of it.
    func fail(ofPipelineFile messages: [Message]) {
        let hasAll = command == "validate" || log.format == .json
        let isShort = hasAll || messages.count <= CommandOutput.mostLines
        let limit = isShort ? messages.count : CommandOutput.mostLines - 1
        for message in messages.prefix(limit) { fail(message) }
        let left = messages.dropFirst(limit)
        errors += left.map { $0.shown(paths) }
        guard !left.isEmpty else { return }
        single.append(CommandOutput.rest(left))
    }

    /// The message that so many about a pipeline file were left out.
    private static func rest(_ left: ArraySlice<Message>) -> Message {
        let file = left.first?.path.map { " " + Shell.argument($0) } ?? ""
        return Message(.moreMessages, text: "\(left.count) more messages; 'pushetl validate\(file)' shows them")
    }

    /// Notes what a command has to say about many log dates, to be printed after the result.
    func tell(_ notices: [Notice]) {
        for notice in notices {
            let message = notice.message.shown(paths)
            assert(message.code.levels.contains(notice.level), "\(message.code) is no code of this level")
            if notice.level == .error { errors.append(message) } else { warnings.append(message) }
        }
        together += notices.filter { $0.level != .info || !isQuiet }
    }

    /// Sets the exit status, unless a more serious one is set already.
    func end(_ status: ExitStatus) {
        self.status = max(self.status, status)
    }

    func endAsWrongUsage(_ text: String) {
        fail(Message(.usage, text: .verbatim(text)))
        givenExit = ExitCode.validationFailure.rawValue
    }

    /// Prints a part of the result's text before the end.
    func print(_ text: String) throws {
        if wantsText, !text.isEmpty { try Console.result(text, layout: .words) }
    }

    /// Ends the command with the exit code of a signal.
    func end(signalExit: Int32) {
        givenExit = signalExit
    }

    /// How the command ends, as far as it is known now.
    var exitCode: Int32 { givenExit ?? status.rawValue }

    /// Prints the result, if there is one, and the errors.
    ///
    /// - Throws: `ExitCode` unless the command ends with 0.
    func finish(_ result: (any CommandResult)?) throws {
        do {
            if isJSON {
                try Console.page(json(result) + "\n")
            } else if !isQuiet, let result {
                let text = result.text
                if !text.isEmpty { try Console.result(text, layout: result.layout) }
            }
        } catch let error as Fault {
            fail(error.message)
            end(.failedIO)
        }
        assert(exitCode == 0 || !errors.isEmpty, "the command does not say why it ends with \(exitCode)")
        for notice in log.format == .json ? together : few(together.gathered()) {
            log.write(notice.message.shown(paths), as: notice.level)
        }
        for error in single { log.write(error, as: .error) }
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// The most lines of messages of one command, and the most warnings about the pipeline file.
    private static let mostLines = 20
    private static let mostSlips = 9

    private func few(_ notices: [Notice]) -> [Notice] {
        let most = max(1, CommandOutput.mostLines - printed)
        guard notices.count > most else { return notices }
        let left = notices.dropFirst(most - 1)
        let level = left.contains { $0.level == .error } ? MessageLevel.error : .warning
        let place: MessageText =
            left.allSatisfy { $0.message.logDate == nil }
            ? "with --json each is told" : "\(command: "status") names each log date"
        let rest = Message(.moreMessages, text: "\(left.count) more messages; \(place)")
        return notices.prefix(most - 1) + [Notice(level, message: rest)]
    }

    private func json(_ result: (any CommandResult)?) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.show(paths)
        let envelope = Envelope(
            command: command, exitCode: exitCode, warnings: warnings, errors: errors, result: result)
        return String(decoding: try encoder.encode(envelope), as: UTF8.self).shownJSON
    }
}

/// The JSON of a command: the result's own keys, and the keys that every command has.
private struct Envelope: Encodable {
    let command: String
    let exitCode: Int32
    let warnings: [Message]
    let errors: [Message]
    let result: (any CommandResult)?

    func encode(to encoder: any Encoder) throws {
        try result?.encode(to: encoder)
        try encoder.encode([
            "schema": "pushetl/4", "command": command, "exit_code": exitCode, "warnings": warnings, "errors": errors,
        ])
    }
}
