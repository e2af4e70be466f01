/// The classes of bytes that the formats speak of; all of them are ASCII's.
extension UInt8 {
    /// Space, tab, LF, VT, FF, CR.
    @inline(__always)
    var isWhiteSpace: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }

    @inline(__always)
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// 0–15, nil if this is no hexadecimal digit.
    @inline(__always)
    var hexValue: UInt8? {
        if isDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }

    @inline(__always)
    var lowerCased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// The bytes of an ASCII literal.
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
