import Calendar

/// What a message says. A text that is put into it, such as a name from a log, has its unsafe characters escaped. Paths
/// are kept apart until the message is shown, since a reader sees them from where the command was given. So are
/// commands, which need the pipeline file and the output that the command was given:
///
///     Message(.unwritableReport, "\(path: file): cannot be written: \(reason)")
package struct MessageText: ExpressibleByStringInterpolation, Hashable, Sendable {
    fileprivate enum Part {
        case words(String)
        /// As it is known; relative to the pipeline file's folder, or absolute.
        case path(String)
        /// Of pushetl, with a pipeline: `run --settle`.
        case command(String)
    }

    private var parts: [Part]

    package init(stringLiteral words: String) {
        parts = [.words(words)]
    }

    package init(stringInterpolation text: StringInterpolation) {
        parts = text.parts
    }

    private init(_ parts: [Part]) {
        self.parts = parts
    }

    /// Words that are safe to show as they are, such as a text that was shown before.
    package static func verbatim(_ words: String) -> MessageText { MessageText([.words(words)]) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ words: String) { parts.append(.words(words)) }

        /// A text from outside.
        package mutating func appendInterpolation(_ text: some StringProtocol) {
            parts.append(.words(String(text).shown))
        }

        package mutating func appendInterpolation(path: String) { parts.append(.path(path)) }

        package mutating func appendInterpolation(command: String) { parts.append(.command(command)) }

        package mutating func appendInterpolation(_ text: MessageText) { parts += text.parts }

        /// A number as it is written in commands and files. `Text.number` makes one for people.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { parts.append(.words("\(number)")) }

        package mutating func appendInterpolation(_ number: Double) { parts.append(.words("\(number)")) }

        package mutating func appendInterpolation(_ date: LogDate) { parts.append(.words("\(date)")) }
    }

    package static func + (a: MessageText, b: MessageText) -> MessageText { MessageText(a.parts + b.parts) }

    package static func += (a: inout MessageText, b: MessageText) { a.parts += b.parts }

    /// The words between paths and commands.
    var withoutPaths: String {
        parts.map { part in
            if case .words(let words) = part { words } else { "" }
        }.joined()
    }

    /// The text with others in the place of a command.
    func replacing(command: String, with others: MessageText) -> MessageText {
        MessageText(
            parts.flatMap { part in
                if case .command(command) = part { others.parts } else { [part] }
            })
    }

    /// The text for a reader.
    package func shown(_ paths: ShownPaths) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .path(let path): paths(path)
            case .command(let command): "'pushetl \(command)\(paths.options)'"
            }
        }.joined()
    }
}

extension MessageText: Codable {
    /// As it is stored:
    ///
    ///     [{"words": "lacks "}, {"path": "logs/web2.log"}, {"words": "; accept: "}, {"command": "run --date …"}]
    package init(from decoder: any Decoder) throws {
        parts = try [[String: String]](from: decoder).joined().compactMap { Part(kind: $0, text: $1) }
    }

    package func encode(to encoder: any Encoder) throws { try stored.encode(to: encoder) }

    private var stored: [[String: String]] {
        var stored: [(kind: String, text: String)] = []
        for part in parts {
            if case .words(let more) = part, let last = stored.last, last.kind == part.kind {
                stored[stored.count - 1].text += more
            } else {
                stored.append((part.kind, part.text))
            }
        }
        return stored.filter { !$0.text.isEmpty }.map { [$0.kind: $0.text] }
    }

    package static func == (a: MessageText, b: MessageText) -> Bool { a.stored == b.stored }

    package func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}

extension MessageText.Part {
    fileprivate init?(kind: String, text: String) {
        switch kind {
        case "words": self = .words(text)
        case "path": self = .path(text)
        case "command": self = .command(text)
        default: return nil
        }
    }

    fileprivate var kind: String {
        switch self {
        case .words: "words"
        case .path: "path"
        case .command: "command"
        }
    }

    fileprivate var text: String {
        switch self {
        case .words(let text), .path(let text), .command(let text): text
        }
    }
}

extension Sequence<MessageText> {
    package func joined(separator: MessageText) -> MessageText {
        var text: MessageText = ""
        for (index, next) in enumerated() { text += index == 0 ? next : separator + next }
        return text
    }
}

extension Collection {
    /// The texts of at most three elements: `a, b, c and 5 more`.
    package func few(_ text: (Element) -> MessageText) -> MessageText {
        prefix(3).map(text).joined(separator: ", ") + (count > 3 ? " and \(count - 3) more" : "")
    }
}

// Texts from outside, such as file names, ids and values of the pipeline file, are shown with unsafe characters
// escaped.

extension String {
    /// The text on one line, in which each unsafe character is written as `\u{9b}`.
    package var shown: String { escaped(by: String.escape) }

    /// The same for a text of several lines, with the line breaks kept.
    package var shownLines: String { escaped(keeping: "\n", by: String.escape) }

    private static func escape(_ scalar: Unicode.Scalar) -> String { scalar.shownCode }

    /// A JSON text in which unsafe characters are written as `\u009b`. They can only stand in its strings, where JSON
    /// allows both.
    package var shownJSON: String {
        escaped(keeping: "\n") { scalar in
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    private func escaped(keeping kept: Unicode.Scalar? = nil, by escape: (Unicode.Scalar) -> String) -> String {
        guard unicodeScalars.contains(where: { $0.isUnsafeToShow && $0 != kept }) else { return self }
        var text = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isUnsafeToShow && scalar != kept {
                text.append(contentsOf: escape(scalar).unicodeScalars)
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether it could control a terminal or change the order of the text around it: control characters and
    /// bidirectional marks.
    package var isUnsafeToShow: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// What is shown instead of an unsafe character: `\u{9b}`.
    package var shownCode: String { "\\u{\(String(value, radix: 16))}" }
}
