/// Checks that bytes are valid UTF-8 (RFC 3629), one by one.
struct UTF8Check {
    /// The number of bytes that the current character still needs.
    private var missing = 0
    /// The values that its next byte may have.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether no character is unfinished.
    var isComplete: Bool { missing == 0 }

    /// Whether the next byte may follow. After a false nothing more can be checked.
    mutating func accepts(_ byte: UInt8) -> Bool {
        if missing > 0 {
            guard next.contains(byte) else { return false }
            missing -= 1
            next = 0x80...0xBF
            return true
        }
        switch byte {
        case 0x00...0x7F: return true
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, next) = (2, 0xA0...0xBF)
        // D800 to DFFF are no characters.
        case 0xED: (missing, next) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, next) = (3, 0x90...0xBF)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, next) = (3, 0x80...0x8F)
        default: return false
        }
        return true
    }
}
