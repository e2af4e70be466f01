import Events

/// What a record calls its delivery.
package struct FoundName: Equatable, Sendable {
    /// Longer names are cut.
    private static let mostBytes = 200

    /// Where they are.
    static let fields = NameKind.allCases.compactMap { kind in
        FieldPaths.Field(rawValue: kind.rawValue).map { (kind: kind, field: $0) }
    }

    package let kind: NameKind
    /// Valid UTF-8.
    package let text: [UInt8]

    /// Nil if it is no name: if it is empty, or may be an e-mail address.
    /// - Parameter range: of the name, trimmed, in `bytes`.
    init?(_ kind: NameKind, from bytes: Span<UInt8>, in range: Range<Int>) {
        // What is no UTF-8, as in CSV, becomes U+FFFD, which is no shorter. So of more bytes nothing is left.
        let beginning = String(decoding: range.prefix(FoundName.mostBytes + 4).map { bytes[$0] }, as: UTF8.self)
        var text: [UInt8] = []
        for scalar in beginning.unicodeScalars {
            if text.count + UTF8.width(scalar) > FoundName.mostBytes { break }
            text += Array(String(scalar).utf8)
        }
        guard !text.isEmpty, !text.contains(UInt8(ascii: "@")) else { return nil }
        self.kind = kind
        self.text = text
    }
}
