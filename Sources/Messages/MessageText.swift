import Calendar

/// What a message says. A text that is put into it, such as a name from a log, has its unsafe characters escaped. Paths are kept
/// apart until the message is shown, since a reader sees them from where the command was given:
///
///     Message("unwritable_report", "\(path: file): cannot be written: \(reason)")
package struct MessageText: ExpressibleByStringInterpolation, Hashable, Sendable {
    fileprivate enum Part: Hashable {
        case words(String)
        /// As it is known; relative to the pipeline file's folder, or absolute.
        case path(String)
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

        package mutating func appendInterpolation(_ text: MessageText) { parts += text.parts }

        /// A number as it is written in commands and files. `Text.number` makes one for people.
        package mutating func appendInterpolation(_ number: some BinaryInteger) { parts.append(.words("\(number)")) }

        package mutating func appendInterpolation(_ number: Double) { parts.append(.words("\(number)")) }

        package mutating func appendInterpolation(_ date: LogDate) { parts.append(.words("\(date)")) }
    }

    package static func + (a: MessageText, b: MessageText) -> MessageText { MessageText(a.parts + b.parts) }

    package static func += (a: inout MessageText, b: MessageText) { a.parts += b.parts }

    /// The text for a reader.
    package func shown(_ paths: ShownPaths) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .path(let path): paths(path)
            }
        }.joined()
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
