/// Classes of ASCII bytes.
extension UInt8 {
    /// Whether this is a space, tab, LF, VT, FF or CR.
    @inline(__always)
    var isWhiteSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    @inline(__always)
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit, 0 to 15; nil for another byte.
    @inline(__always)
    var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    @inline(__always)
    var lowerCased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Returns the bytes of an ASCII literal.
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

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
