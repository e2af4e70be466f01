import CVectors

/// The escapes of log files: `\xHH` in either case (nginx, Apache), and `\"`, `\\` and `\b \n \r \t \v` (Apache).
/// Everything else is kept unchanged. Example: `{\x22t\x22:\x22\x5Cx22\x22}` is `{"t":"\x22"}`.
enum LogEscapes {
    /// Appends the unescaped bytes of a range.
    static func append(_ line: Span<UInt8>, in range: Range<Int>, to output: inout [UInt8]) {
        var from = range.lowerBound
        while let escape = line.firstIndex(of: UInt8(ascii: "\\"), from: from, to: range.upperBound) {
            output.append(line, in: from..<escape)
            from = escape + 1
            guard from < range.upperBound else {
                output.append(line[escape])
                break
            }
            switch line[from] {
            case UInt8(ascii: "x"):
                if from + 2 < range.upperBound, let high = line[from + 1].hexValue, let low = line[from + 2].hexValue {
                    output.append(high << 4 | low)
                    from += 3
                } else {
                    output.append(line[escape])
                }
                continue
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(line[from])
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "v"): output.append(0x0B)
            default:
                output.append(line[escape])
                continue
            }
            from += 1
        }
        output.append(line, in: from..<range.upperBound)
    }

    /// The offset of the quote that ends the value at `start`. A quote after a backslash belongs to the value.
    static func closingQuote(_ line: Span<UInt8>, from start: Int) -> Int? {
        var from = start
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from) {
            var backslashes = 0
            while quote - 1 - backslashes >= start, line[quote - 1 - backslashes] == UInt8(ascii: "\\") {
                backslashes += 1
            }
            if backslashes % 2 == 0 { return quote }
            from = quote + 1
        }
        return nil
    }
}

extension LogEscapes {
    /// Where the URI of an escaped request ends: at its second space.
    static func endOfURI(in line: Span<UInt8>, request: Range<Int>) -> Int {
        var spaces = 0
        var index = request.lowerBound
        while index < request.upperBound {
            let isEscape = line[index] == UInt8(ascii: "\\")
            let isEscapedSpace = isEscape && index + 4 <= request.upperBound && line.holds(escapedSpace, at: index)
            if line[index] == 0x20 || isEscapedSpace {
                spaces += 1
                if spaces == 2 { return index }
            }
            // A backslash after a backslash begins no escape.
            let isPair = isEscape && index + 1 < request.upperBound && line[index + 1] == UInt8(ascii: "\\")
            index += isPair ? 2 : 1
        }
        return request.upperBound
    }

    private static let escapedSpace = ascii("\\x20")
}
