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
