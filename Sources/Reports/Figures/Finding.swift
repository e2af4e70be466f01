/// An unusual fact, as a sentence with the figures behind it.
struct Finding {
    /// A text that may contain names from the data: `"Variants of \(name: campaign) differ"`.
    struct Sentence: ExpressibleByStringInterpolation {
        enum Part {
            case text(String)
            /// A name from the data.
            case name(String)
        }

        struct StringInterpolation: StringInterpolationProtocol {
            fileprivate var parts: [Part] = []

            init(literalCapacity: Int, interpolationCount: Int) {}

            mutating func appendLiteral(_ text: String) { parts.append(.text(text)) }
            mutating func appendInterpolation(_ text: String) { parts.append(.text(text)) }
            mutating func appendInterpolation(_ sentence: Sentence) { parts += sentence.parts }
            mutating func appendInterpolation(name: String) { parts.append(.name(name)) }
        }

        private(set) var parts: [Part]

        init(stringLiteral text: String) { parts = [.text(text)] }
        init(stringInterpolation text: StringInterpolation) { parts = text.parts }
        private init(_ parts: [Part]) { self.parts = parts }

        static func + (a: Sentence, b: Sentence) -> Sentence { Sentence(a.parts + b.parts) }
    }

    /// The section of the page that shows more.
    let section: String
    let sentence: Sentence
}

extension [Finding.Sentence] {
    /// The sentences with commas between.
    var joined: Finding.Sentence { dropFirst().reduce(first ?? "") { $0 + ", " + $1 } }
}
