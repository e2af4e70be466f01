import Hashing

/// The id of a thing in the bundle for Superset. It depends on the name alone, so an import replaces what an earlier one made.
struct SupersetName {
    static let database = SupersetName(kind: "database", name: "push")

    let kind: String
    let name: String

    /// A UUID made of a hash, as version 8 has it.
    var id: String {
        let text = Array("pushetl superset \(kind) \(name)".utf8)
        let words = SHA256.digest(text.span)
        let high = UInt64(words[0]) << 32 | UInt64(words[1])
        let low = UInt64(words[2]) << 32 | UInt64(words[3])
        let version = high & ~0xF000 | 0x8000
        let variant = low & ~(3 << 62) | 2 << 62
        var rest = (version.hexDigits + variant.hexDigits)[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }
}
