/// How serious a message is.
package enum MessageLevel: String, Encodable, Sendable {
    case info, warning, error
}

/// An entry of `MessageCode`, which is written as one text: `missing_file (error): no task has read a file of the job`.
package struct MessageMeaning: Equatable, ExpressibleByStringLiteral {
    package let name: String
    package let levels: [MessageLevel]
    package let meaning: String

    package init(stringLiteral text: String) {
        guard let entry = text.wholeMatch(of: /([a-z0-9_]+) \(([a-z, ]+)\): (.+)/) else {
            fatalError("no entry of a code: \(text)")
        }
        name = String(entry.1)
        levels = entry.2.split(separator: ", ").map { level in
            guard let level = MessageLevel(rawValue: String(level)) else { fatalError("no level '\(level)'") }
            return level
        }
        meaning = String(entry.3)
    }
}
