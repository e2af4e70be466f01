/// Estimates the width of labels, in pixels. Fonts differ, so the mean width of a character is that of a wide font.
enum LabelWidth {
    private static let ofCharacter = 7.4
    private static let wideLetters: Set<Character> = ["W", "M", "w", "m", "@", "%"]

    private static func of(_ character: Character) -> Double {
        // Han, kana, Hangul and emoji begin there.
        let isWide = character.unicodeScalars.contains { $0.value >= 0x2E80 } || wideLetters.contains(character)
        return isWide ? 13.5 : ofCharacter
    }

    static func of(_ text: String) -> Double { text.reduce(0) { $0 + of($1) } }

    /// The width of the widest text; 0 without texts.
    static func most(of texts: some Sequence<String>) -> Double { texts.map { of($0) }.max() ?? 0 }

    /// The text, shortened to a width. `…` stands for the rest.
    static func shortened(_ text: String, to width: Double) -> String {
        guard of(text) > width else { return text }
        var rest = width - ofCharacter
        let kept = text.prefix { character in
            rest -= of(character)
            return rest >= 0
        }
        return kept + "…"
    }
}
