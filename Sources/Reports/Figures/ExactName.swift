/// A name or an id from the data, as a key. As in push.db, two of them are equal only if they have the same bytes.
/// Strings would not do as keys: Swift treats a letter with a combining accent and the single accented letter as equal.
struct ExactName: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (a: ExactName, b: ExactName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    static func < (a: ExactName, b: ExactName) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}
