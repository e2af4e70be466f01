extension Markup {
    /// A section of the page.
    static func section(
        _ id: String, _ title: String, style: String = "", @Markup.Builder _ content: () -> Markup
    ) -> Markup {
        element("section", ["id": id, "class": style, "aria-labelledby": id + "-heading"]) {
            element("h2", ["id": id + "-heading"]) { title }
            content()
        }
    }

    static func paragraph(_ text: String, style: String = "") -> Markup {
        element("p", style.isEmpty ? [:] : ["class": style]) { text }
    }
}
