/// `%XX` and, in forms, `+` for a space.
enum PercentCoding {
    /// Decodes a form's value into the front of `output`, which grows as needed and is not cut: `+` is a space.
    /// - Returns: how many bytes there are; nil if an escape is broken.
    static func decodeForm(_ text: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]) -> Int? {
        let end = range.upperBound
        // A word is stored whole, though only its first bytes may count.
        let room = range.count + 8
        if output.count < room { output.append(contentsOf: repeatElement(0, count: room - output.count)) }
        let digits = hexDigits.span
        var bytes = output.mutableSpan
        var index = range.lowerBound
        var length = 0
        while index < end {
            // Escapes come in rows, and so do the bytes that stand for themselves.
            while text[index] == UInt8(ascii: "%") {
                guard index + 2 < end else { return nil }
                let high = digits[Int(text[index + 1])]
                let low = digits[Int(text[index + 2])]
                guard high | low < 16 else { return nil }
                bytes[length] = high << 4 | low
                length += 1
                index += 3
                if index == end { return length }
            }
            if text[index] == UInt8(ascii: "+") {
                bytes[length] = 0x20
                length += 1
                index += 1
            } else if index + 8 <= end {
                let word = text.word(at: index)
                bytes.store(word, at: length)
                let plain = leadingPlainBytes(word)
                length += plain
                index += plain
            } else {
                bytes[length] = text[index]
                length += 1
                index += 1
            }
        }
        return length
    }

    /// Decodes a URL's value behind `output`: a plus stays a plus, and a broken escape stays as it is.
    static func appendQuery(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
        let end = range.upperBound
        var index = range.lowerBound
        while let percent = text.firstIndex(of: UInt8(ascii: "%"), from: index, to: end) {
            output.append(text, index..<percent)
            if percent + 2 < end, let high = text[percent + 1].hexValue, let low = text[percent + 2].hexValue {
                output.append(high << 4 | low)
                index = percent + 3
            } else {
                output.append(text[percent])
                index = percent + 1
            }
        }
        output.append(text, index..<end)
    }

    /// How many bytes, from the lowest on, are neither `%` nor `+`.
    @inline(__always)
    private static func leadingPlainBytes(_ word: UInt64) -> Int {
        let percent = word ^ eight(0x25)
        let plus = word ^ eight(0x2B)
        let found = (percent &- eight(0x01)) & ~percent | (plus &- eight(0x01)) & ~plus
        return (found & eight(0x80)).trailingZeroBitCount >> 3
    }

    /// The value of each byte as a hexadecimal digit; 0xFF if it is none.
    private static let hexDigits: [UInt8] = (0...255).map { UInt8($0).hexValue ?? 0xFF }
}
