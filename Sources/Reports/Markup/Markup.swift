import Messages

/// A piece of HTML that is well-formed XML too. Every text is escaped on its way in.
struct Markup: Sendable {
    private(set) var html: String

    static let nothing = Markup(trusted: "")

    /// A text. Characters with a meaning in HTML are escaped, and unsafe ones are shown as `\u{9b}`.
    init(text: String) {
        html = Markup.escaped(text)
    }

    /// HTML that is taken as it is, so it must not contain anything from the data.
    init(trusted html: String) {
        self.html = html
    }

    /// A text from the data, such as a label. Its direction does not affect the text around it.
    static func data(_ text: String) -> Markup {
        element("bdi") { text }
    }

    /// An element.
    static func element(
        _ name: String, _ attributes: KeyValuePairs<String, String> = [:],
        @Markup.Builder _ content: () -> Markup = { .nothing }
    ) -> Markup {
        var html = "<" + name
        for (key, value) in attributes { html += " \(key)=\"\(escaped(value))\"" }
        // The only element here that must not have an end tag.
        html += name == "meta" ? " />" : ">\(content().html)</\(name)>"
        return Markup(trusted: html)
    }

    mutating func append(_ other: Markup) {
        html += other.html
    }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            // XML has no way to write the last two.
            case _ where scalar.isUnsafeToShow || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                escaped.append(contentsOf: scalar.shownCode.unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
