import CVectors
import Events
import Hashing

/// The id of a message in normal form, which does not depend on the spelling.
///
/// `h1685A5`, `1685a5` and `h00001685a5` are the same message. So are a UUID in upper case and in lower case, and
/// `hffffffffd7e15e5c` and `hd7e15e5c`, because some SDKs sign-extend an id of 32 bits to 64 bits.
package struct BroadlogID: Equatable, Sendable {
    package var kind: Section.Kind
    package var id: EventID

    package init(kind: Section.Kind, id: EventID) {
        self.kind = kind
        self.id = id
    }
}

extension BroadlogID {
    /// The hexadecimal id with this number; nil for 0, which Campaign ignores.
    @inline(__always)
    init?(number: UInt64) {
        guard number != 0 else { return nil }
        // An id of 32 bits that an SDK sign-extended to 64 bits.
        let extended = number >> 31 == 0x1_FFFF_FFFF
        self.init(kind: .hex, id: EventID(high: 0, low: extended ? number & 0xFFFF_FFFF : number))
    }

    /// Parses an id in a collector's URL: a type letter, followed by a UUID or hexadecimal digits.
    /// - Parameter range: without white space at both ends.
    init?(url text: Span<UInt8>, in range: Range<Int>) {
        assert(text.trimmed(range) == range)
        guard let first = range.first, text[first].isLetter,
            case .id(let id) = Self.hexOrUUID(text, in: first + 1..<range.upperBound)
        else { return nil }
        self = id
    }

    /// Parses an id in a JSON string; nil if it is malformed.
    /// - Parameter range: not empty, without white space at both ends.
    init?(json text: Span<UInt8>, in range: Range<Int>) {
        assert(text.trimmed(range) == range)
        guard let first = range.first else { return nil }
        var spelling = Self.hexOrUUID(text, in: range)
        if case .neither = spelling, text[first] | 0x20 == UInt8(ascii: "h") {
            spelling = Self.hexOrUUID(text, in: first + 1..<range.upperBound)
        }
        switch spelling {
        case .id(let id): self = id
        case .zero: return nil
        case .neither:
            guard range.count <= 128, range.allSatisfy({ text[$0] >= 0x20 }) else { return nil }
            self.init(joined: text.extracting(range))
        }
    }

    /// Parses an id that is a JSON integer; nil outside 1…2^64−1.
    init?(integer text: Span<UInt8>, in range: Range<Int>) {
        var number = 0 as UInt64
        for index in range {
            guard text[index].isDigit else { return nil }
            let (tens, over) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt64(text[index] - 0x30))
            guard !over, !carry else { return nil }
            number = sum
        }
        self.init(number: number)
    }

    /// Parses an id with the content of a JSON string; nil if it is blank or malformed.
    package init?(jsonText text: String) {
        let bytes = Array(text.utf8)
        let span = bytes.span
        self.init(json: span, in: span.trimmed(0..<span.count))
    }

    /// Stands between the parts of an id.
    static let separator = 0x1F as UInt8

    /// Adds a part of an id that is made of several values: a UUID in lower case, any other text as it is. Returns
    /// false if it is malformed.
    /// - Parameter range: not empty, without white space at both ends.
    static func append(part text: Span<UInt8>, in range: Range<Int>, to joined: inout [UInt8]) -> Bool {
        assert(text.trimmed(range) == range)
        guard (1...512).contains(range.count), range.allSatisfy({ text[$0] >= 0x20 }) else { return false }
        if !joined.isEmpty { joined.append(separator) }
        let start = joined.count
        joined.append(text, in: range)
        if range.count == 36, uuid(text, at: range.lowerBound) != nil {
            for index in start..<joined.count { joined[index] = joined[index].lowerCased }
        }
        return true
    }

    /// The id that the parts in `joined` make together. A text that is no UUID and no number is the only part of its
    /// id.
    init(joined: Span<UInt8>) {
        let digest = SHA256.digest(joined)
        func word(_ index: Int) -> UInt64 { UInt64(digest[index]) << 32 | UInt64(digest[index + 1]) }
        self.init(kind: .opaque, id: EventID(high: word(0), low: word(2)))
    }

    enum Spelling {
        case id(BroadlogID)
        /// Hexadecimal digits with the value 0.
        case zero
        case neither
    }

    /// Parses a UUID or 1 to 16 hexadecimal digits.
    static func hexOrUUID(_ text: Span<UInt8>, in range: Range<Int>) -> Spelling {
        if range.count == 36 {
            return uuid(text, at: range.lowerBound).map { .id($0) } ?? .neither
        }
        guard (1...16).contains(range.count) else { return .neither }
        if range.lowerBound + 16 <= text.count {
            let digits = text.hexDigits(at: range.lowerBound)
            guard digits.others.trailingZeroBitCount >= range.count else { return .neither }
            return BroadlogID(number: digits.number >> UInt64(64 - 4 * range.count)).map { .id($0) } ?? .zero
        }
        guard let number = text.hexNumber(range) else { return .neither }
        return BroadlogID(number: number).map { .id($0) } ?? .zero
    }

    /// Parses a UUID in the 36 bytes at `start`.
    static func uuid(_ text: Span<UInt8>, at start: Int) -> BroadlogID? {
        BroadlogID(
            uuid: text.word(at: start), text.word(at: start + 8), text.word(at: start + 16), text.word(at: start + 24),
            text.halfWord(at: start + 32))
    }

    /// Parses a UUID in 36 bytes, in words such as `6b6499a8`, `-9d43-4b`, `c5-acf0-`, `b6aeb968` and `46f6`.
    @inline(__always)
    init?(uuid first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64, _ fifth: UInt32) {
        guard second & 0xFF_0000_0000_FF == 0x2D_0000_0000_2D, third & 0xFF00_0000_00FF_0000 == 0x2D00_0000_002D_0000
        else { return nil }
        let b = (second >> 8) & 0xFFFF_FFFF | (second >> 48) << 32 | third << 48
        let c = (third >> 24) & 0xFFFF_FFFF | fourth << 32
        let d = fourth >> 32 | UInt64(fifth) << 32
        let high = vector_hex_of(first, b)
        let low = vector_hex_of(c, d)
        guard high.others | low.others == 0 else { return nil }
        self.init(kind: .uuid, id: EventID(high: high.number, low: low.number))
    }
}

extension BroadlogID: CustomStringConvertible {
    /// The normal form: `1685a5` or `6b6499a8-9d43-4bc5-acf0-b6aeb96846f6`. The text of an opaque id is not known.
    package var description: String {
        switch kind {
        case .hex: return String(id.low, radix: 16)
        case .uuid:
            var digits = id.high.hexDigits + id.low.hexDigits
            for offset in [20, 16, 12, 8] {
                digits.insert("-", at: digits.index(digits.startIndex, offsetBy: offset))
            }
            return digits
        case .opaque: return "opaque"
        }
    }
}
