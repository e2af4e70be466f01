import Foundation
import Messages

/// Writes messages to stderr: as text for people, or as one JSON object a line for programs that collect logs.
///
///     warning: source 'second' has no files (more/2026-11-19.log), so the date is partial; …
///     {"code":"missing_source","level":"warning",…,"message":"source …","time":"2026-11-20T02:30:04.512Z"}
struct MessageLog: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    let format: Format

    func write(_ message: Message, as level: MessageLevel) {
        switch format {
        case .text: Console.message(text(of: message, as: level) + "\n")
        // One line, without regard to the width of a terminal.
        case .json: Console.draw(json(of: message, as: level) + "\n")
        }
    }

    private func text(of message: Message, as level: MessageLevel) -> String {
        switch level {
        case .info: message.words
        case .warning: "\(message.location)warning: \(message.words)"
        case .error: "\(message.location.isEmpty ? "error: " : message.location)\(message.words)"
        }
    }

    private func json(of message: Message, as level: MessageLevel) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Texts and dates always encode; if not, the message matters more than its form.
        guard let line = try? encoder.encode(Line(level: level, message: message)) else {
            return text(of: message, as: level)
        }
        return String(decoding: line, as: UTF8.self).shownJSON
    }
}

/// The message's own keys, with the time of writing and the level.
private struct Line: Encodable {
    let level: MessageLevel
    let message: Message

    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        try encoder.encode(["time": time, "level": level])
    }
}
