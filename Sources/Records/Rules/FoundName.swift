import Events

/// What a record calls its delivery.
package struct FoundName: Equatable, Sendable {
    /// Longer names are cut.
    private static let mostBytes = 200

    static let fields: [(kind: NameKind, field: FieldPaths.Field)] = [
        (.label, .label), (.campaign, .campaign), (.variant, .variant),
    ]

    package let kind: NameKind
    /// Valid UTF-8.
    package let text: [UInt8]

    /// Nil if it is no name: if it is empty, or may be an e-mail address.
    /// - Parameter range: of the name, trimmed, in `bytes`.
    init?(_ kind: NameKind, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        var end = min(range.upperBound, range.lowerBound + FoundName.mostBytes)
        // Bytes that continue a code point begin with 10.
        while end < range.upperBound, end > range.lowerBound, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        let text = (range.lowerBound..<end).map { bytes[$0] }
        guard !text.isEmpty, !text.contains(UInt8(ascii: "@")) else { return nil }
        // Bytes that are no UTF-8 are shown as U+FFFD, in CSV too.
        (self.kind, self.text) = (kind, Array(String(decoding: text, as: UTF8.self).utf8))
    }
}
