/// UTF-8 (RFC 3629): overlong forms, surrogates and code points above U+10FFFF are invalid.
extension Span<UInt8> {
    /// The number of bytes of the character at an offset, whose first byte is 0x80 or above; 0 if it is invalid, -1 if it
    /// is cut off by the end.
    func characterLength(at start: Int) -> Int {
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch self[start] {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: return 0
        }
        for offset in 1..<length {
            guard start + offset < count else { return -1 }
            let byte = self[start + offset]
            guard offset == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else { return 0 }
        }
        return length
    }

    /// The offset of the first character in a range that is invalid or cut off; nil if all are valid.
    package func invalidUTF8(in range: Range<Int>) -> Int? {
        let text = extracting(range)
        var index = 0
        while index < text.count {
            let length = text[index] < 0x80 ? 1 : text.characterLength(at: index)
            if length <= 0 { return range.lowerBound + index }
            index += length
        }
        return nil
    }
}
