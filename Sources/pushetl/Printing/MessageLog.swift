import Foundation
import Messages

/// Writes messages to stderr: as text for people, or as one JSON object a line for programs that collect logs.
///
///     warning: source 'second' has no files (more/2026-11-19.log), so the date is partial; …
///     {"code":"missing_source","level":"warning","log_date":"2026-11-19","message":"source …","time":"2026-11-20T02:30:04.512Z"}
struct MessageLog: Sendable {
    enum Format: String, CaseIterable, Sendable {
        case text, json
    }

    enum Level: String, Encodable {
        case info, warning, error
    }

    let format: Format

    func write(_ message: Message, _ level: Level) {
        switch format {
        case .text: Console.message(text(message, level) + "\n")
        case .json: Console.message(json(message, level) + "\n")
        }
    }

    private func text(_ message: Message, _ level: Level) -> String {
        switch level {
        case .info: message.words
        case .warning: "\(message.location)warning: \(message.words)"
        case .error: "\(message.location.isEmpty ? "error: " : message.location)\(message.words)"
        }
    }

    private func json(_ message: Message, _ level: Level) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        guard let line = try? encoder.encode(Line(level: level, message: message)) else { return text(message, level) }
        return String(decoding: line, as: UTF8.self).shownJSON
    }
}

/// The message's own keys, with the time of writing and the level.
private struct Line: Encodable {
    let level: MessageLog.Level
    let message: Message

    private enum CodingKeys: CodingKey {
        case time, level
    }

    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        let time = Date().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        try container.encode(time, forKey: .time)
        try container.encode(level, forKey: .level)
    }
}
