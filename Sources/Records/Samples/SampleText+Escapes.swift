extension SampleText {
    /// Undoes `\xHH`, `\uHHHH`, a backslash before anything else, and `%HH`, once.
    static func undoEscapes(_ text: Span<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            let digits: Range<Int>
            switch byte {
            case UInt8(ascii: "%"): digits = index + 1..<index + 3
            case UInt8(ascii: "\\") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "x"):
                digits = index + 2..<index + 4
            case UInt8(ascii: "\\") where index + 1 < text.count && text[index + 1] == UInt8(ascii: "u"):
                digits = index + 2..<index + 6
            case UInt8(ascii: "\\") where index + 1 < text.count:
                let isLetter = text[index + 1].isLetter
                output.append(isLetter ? 0x20 : text[index + 1])
                index += 2
                continue
            default:
                output.append(byte)
                index += 1
                continue
            }
            guard let number = number(text, digits) else {
                output.append(byte)
                index += 1
                continue
            }
            // Beyond ASCII it is masked anyhow.
            output.append(number < 0x100 ? UInt8(number) : 0xFF)
            index = digits.upperBound
        }
        return output
    }

    private static func number(_ text: Span<UInt8>, _ digits: Range<Int>) -> Int? {
        guard digits.upperBound <= text.count else { return nil }
        var number = 0
        for index in digits {
            guard let digit = text[index].hexValue else { return nil }
            number = number << 4 | Int(digit)
        }
        return number
    }
}
