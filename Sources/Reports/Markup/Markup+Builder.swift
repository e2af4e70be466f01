extension Markup {
    /// Lets the content of an element be written as statements: texts, which are escaped, and markup.
    @resultBuilder
    enum Builder {
        static func buildExpression(_ text: String) -> Markup { Markup(text: text) }
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
