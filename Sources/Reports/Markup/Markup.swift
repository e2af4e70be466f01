import Messages

/// A piece of HTML that is well-formed XML too. Every text is escaped on its way in.
struct Markup: Sendable {
    private(set) var html: String

    static let nothing = Markup(trusted: "")

    /// A text. Characters with a meaning in HTML are escaped, and unsafe ones are shown as `\u{9b}`.
    init(_ text: String) {
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

    static func element(
        _ name: String, with attributes: KeyValuePairs<String, String> = [:],
        @Markup.Builder content: () -> Markup = { .nothing }
    ) -> Markup {
        element(name, holding: content(), with: attributes.map { ($0, $1) })
    }

    /// An element whose attributes are computed at run time.
    static func element(_ name: String, holding content: Markup, with attributes: [(String, String)]) -> Markup {
        var html = "<" + name
        for (key, value) in attributes { html += " \(key)=\"\(escaped(value))\"" }
        // The only elements here that must not have an end tag.
        html += ["meta", "input"].contains(name) ? " />" : ">\(content.html)</\(name)>"
        return Markup(trusted: html)
    }

    mutating func append(_ other: Markup) { html += other.html }

    /// A name from the data that may be long.
    static func name(_ text: String) -> Markup { element("span", with: ["class": "name"]) { data(text) } }

    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            // XML cannot represent U+FFFE and U+FFFF.
            case _ where scalar.isUnsafeToShow || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                escaped.append(contentsOf: scalar.shownCode.unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension Markup {
    /// Lets the content of an element be written as statements: texts, which are escaped, and markup.
    @resultBuilder
    enum Builder {
        static func buildExpression(_ text: String) -> Markup { Markup(text) }
        static func buildExpression(_ markup: Markup) -> Markup { markup }
        static func buildBlock(_ parts: Markup...) -> Markup { buildArray(parts) }
        static func buildOptional(_ part: Markup?) -> Markup { part ?? .nothing }
        static func buildEither(first: Markup) -> Markup { first }
        static func buildEither(second: Markup) -> Markup { second }

        static func buildArray(_ parts: [Markup]) -> Markup {
            var all = Markup.nothing
            for part in parts { all.append(part) }
            return all
        }
    }
}

extension Markup {
    static func paragraph(_ text: String, style: String = "") -> Markup {
        element("p", with: style.isEmpty ? [:] : ["class": style]) { text }
    }

    /// The header of a page.
    /// - Parameters:
    ///   - over: the name of what the page belongs to. In an archive it is a link to the index.
    ///   - more: the text after `over`.
    static func header(over: String, in place: ArchivedPage?, more: String, title: Markup, under: String) -> Markup {
        element("header") {
            element("p", with: ["class": "over"]) {
                place.map { place in element("a", with: ["href": place.path(to: "index.html")]) { over } }
                    ?? Markup(over)
                more
            }
            element("h1") { title }
            paragraph(under, style: "under")
        }
    }
}
