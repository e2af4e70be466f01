/// Raw bytes of a file, a line or a value. The reference copies them often: it is meant to be obvious, not fast.
package typealias Bytes = [UInt8]

extension [UInt8] {
    package init(_ text: String) {
        self = Array(text.utf8)
    }

    /// The bytes as text. Broken UTF-8 becomes U+FFFD.
    package var text: String {
        String(decoding: self, as: UTF8.self)
    }

    /// Without the ASCII white space at both ends.
    package var trimmed: Bytes {
        var bytes = self[...]
        while let first = bytes.first, isWhiteSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isWhiteSpace(last) { bytes.removeLast() }
        return Array(bytes)
    }

    /// With the capital letters of ASCII in lower case.
    package var lowercased: Bytes {
        map { 0x41 <= $0 && $0 <= 0x5A ? $0 + 0x20 : $0 }
    }

    package var isDigits: Bool {
        !isEmpty && allSatisfy { 0x30 <= $0 && $0 <= 0x39 }
    }

    package var isHex: Bool {
        !isEmpty && allSatisfy { hexValue($0) != nil }
    }

    /// The pieces between the separators, also empty ones.
    package func pieces(_ separator: Character) -> [Bytes] {
        let byte = separator.asciiValue ?? 0
        return split(separator: byte, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// The bytes before and after the first `separator`. Nil if there is none.
    package func cut(at separator: String) -> (before: Bytes, after: Bytes)? {
        guard let start = firstIndex(of: Array(separator.utf8), from: 0) else { return nil }
        return (Array(self[..<start]), Array(self[(start + separator.utf8.count)...]))
    }

    package func firstIndex(of needle: Bytes, from start: Int) -> Int? {
        var index = start
        while index + needle.count <= count {
            if self[index...].starts(with: needle) { return index }
            index += 1
        }
        return nil
    }

    package func contains(_ text: String) -> Bool {
        firstIndex(of: Array(text.utf8), from: 0) != nil
    }

    package func hasPrefix(_ text: String) -> Bool {
        starts(with: text.utf8)
    }
}

package func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09 <= byte && byte <= 0x0D)
}

package func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
}

/// The two digits of a byte, in lower case.
func hexDigits(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

/// With an escape such as `%2f` for each byte that is `escaped`, now and then in lower case.
func percentEncoded(
    _ text: Bytes, _ random: inout SplitMix64, where isEscaped: (UInt8) -> Bool
) -> Bytes {
    text.flatMap { byte in
        guard isEscaped(byte) else { return [byte] }
        return Bytes("%" + (random.chance(90) ? hexDigits(byte).uppercased() : hexDigits(byte)))
    }
}
