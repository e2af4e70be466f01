extension SampleText {
    /// Undoes `\xHH`, `\uHHHH`, a backslash before another character, and `%HH`, once.
    static func undoEscapes(_ text: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            let next = index + 1 < text.count ? text[index + 1] : nil
            let digits: Range<Int>?
            switch (byte, next) {
            case (UInt8(ascii: "%"), _): digits = index + 1..<index + 3
            case (UInt8(ascii: "\\"), UInt8(ascii: "x")): digits = index + 2..<index + 4
            case (UInt8(ascii: "\\"), UInt8(ascii: "u")): digits = index + 2..<index + 6
            case (UInt8(ascii: "\\"), let next?):
                output.append(next.isLetter ? 0x20 : next)
                index += 2
                continue
            default: digits = nil
            }
            guard let digits, digits.upperBound <= text.count, let number = text.hexNumber(digits) else {
                output.append(byte)
                index += 1
                continue
            }
            // Bytes above ASCII are masked anyway.
            output.append(number < 0x100 ? UInt8(number) : 0xFF)
            index = digits.upperBound
        }
        return output
    }
}
