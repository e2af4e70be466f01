/// An entry of `MessageCode`, which is written as one text: `missing_file (error): no task has read a file of the job`.
///
/// The raw value of an enum's case must be a literal. A text that is no entry is a fault in `MessageCode`, so it ends
/// the program; `MessageCodeTests` reads them all.
package struct MessageMeaning: Equatable, ExpressibleByStringLiteral {
    package let name: String
    package let levels: [MessageLevel]
    package let meaning: String

    package init(stringLiteral text: String) {
        guard let entry = text.wholeMatch(of: /([a-z0-9_]+) \(([a-z, ]+)\): (.+)/) else {
            fatalError("not an entry of a code: \(text)")
        }
        name = String(entry.1)
        levels = entry.2.split(separator: ", ").map { level in
            guard let level = MessageLevel(rawValue: String(level)) else { fatalError("no level '\(level)'") }
            return level
        }
        meaning = String(entry.3)
    }
}
