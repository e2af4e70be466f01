/// A part of a page: a title, and below it sentences, charts and tables.
struct PageSection {
    let id: String
    let title: String
    let style: String
    let content: Markup

    /// - Parameter nothing: a sentence in place of the content; nil if there is content.
    init(
        _ id: String, title: String, style: String = "", nothing: String? = nil, @Markup.Builder content: () -> Markup
    ) {
        self.id = id
        self.title = title
        self.style = style
        self.content = nothing.map { Markup.paragraph($0) } ?? content()
    }

    var markup: Markup {
        .element("section", with: ["id": id, "class": style, "aria-labelledby": id + "-heading"]) {
            Markup.element("h2", with: ["id": id + "-heading"]) { title }
            content
        }
    }
}

extension PageSection {
    /// The most important figures, with notes and a table below.
    static func headline(
        _ cards: [Card], notes: [String?], @Markup.Builder table: () -> Markup
    ) -> PageSection {
        PageSection("headline", title: "In short", style: "untitled") {
            Markup.element("dl", with: ["class": "cards", "style": "--columns:\(cards.count)"]) {
                for card in cards {
                    Markup.element("div", with: ["class": "card"]) {
                        Markup.element("dt") { card.name }
                        Markup.element("dd", with: ["class": "big"]) { card.value ?? NumberText.none }
                        if let detail = card.detail { Markup.element("dd") { detail } }
                        if let change = card.change { Markup.element("dd", with: ["class": "change"]) { change } }
                    }
                }
            }
            for note in notes.compactMap(\.self) { Markup.paragraph(note, style: "note") }
            table()
        }
    }
}

extension Markup.Builder {
    static func buildExpression(_ section: PageSection) -> Markup { section.markup }
}
