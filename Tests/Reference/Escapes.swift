/// `\xHH`, `\"`, `\\` and `\b \n \r \t \v`, in one pass. Any other backslash stays.
package func unescaped(_ value: Bytes) -> Bytes {
    var output: Bytes = []
    var index = 0
    while index < value.count {
        let byte = value[index]
        let next = index + 1 < value.count ? value[index + 1] : 0
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, UInt8(ascii: "b"): 8, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
            UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
        ]
        if byte == UInt8(ascii: "\\"), next == UInt8(ascii: "x"), index + 3 < value.count,
            let high = hexValue(value[index + 2]), let low = hexValue(value[index + 3])
        {
            output.append(high * 16 + low)
            index += 4
        } else if byte == UInt8(ascii: "\\"), let meant = simple[next] {
            output.append(meant)
            index += 2
        } else {
            output.append(byte)
            index += 1
        }
    }
    return output
}

/// The index of the first quote from `start` that is not escaped.
func closingQuote(in line: Bytes, from start: Int) -> Int? {
    var index = start
    while index < line.count {
        if line[index] == UInt8(ascii: "\"") { return index }
        index += line[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
}
