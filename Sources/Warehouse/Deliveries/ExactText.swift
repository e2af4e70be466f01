/// A text that equals only a text of the same bytes, and is ordered by its bytes. Strings are also equal if they only
/// look the same.
struct ExactText: Hashable, Comparable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    static func < (a: ExactText, b: ExactText) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension [ExactText] {
    /// Merges two lists, each sorted and without duplicates, into one that is so too.
    func merged(with other: [ExactText]) -> [ExactText] {
        if isEmpty || other.isEmpty { return isEmpty ? other : self }
        var merged: [ExactText] = []
        merged.reserveCapacity(Swift.max(count, other.count))
        var rest = other[...]
        for text in self {
            while let first = rest.first, first < text {
                merged.append(first)
                rest = rest.dropFirst()
            }
            if rest.first == text { rest = rest.dropFirst() }
            merged.append(text)
        }
        return merged + rest
    }
}
