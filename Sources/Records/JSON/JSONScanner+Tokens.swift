/// The tokens of JSON: strings, numbers and literals.
extension JSONScanner {
    /// Scans a string; `start` is the offset of its opening quote.
    @inline(__always)
    mutating func string(_ text: Span<UInt8>, at start: Int) -> Int {
        stringIsEscaped = false
        // Nearly all strings have no escapes and end within 16 bytes.
        if start + 17 < text.count {
            let end = start + 1 + text.jsonStops(at: start + 1).trailingZeroBitCount
            if text[end] == UInt8(ascii: "\"") { return end + 1 }
        }
        return longString(text, at: start)
    }

    @inline(never)
    private mutating func longString(_ text: Span<UInt8>, at start: Int) -> Int {
        var index = start + 1
        while index < text.count {
            if index + 16 <= text.count {
                let plain = text.jsonStops(at: index).trailingZeroBitCount
                index += plain
                if plain == 16 { continue }
            }
            let character = index
            switch text[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"):
                stringIsEscaped = true
                index = escape(text, at: index)
            case 0..<0x20: return fail(.control, at: index)
            case 0x80...: index = checksUTF8 ? self.character(text, at: index) : index + 1
            default: index += 1
            }
            guard index >= 0 else {
                stringRest = character
                return -1
            }
        }
        stringRest = text.count
        return fail(.end, at: text.count)
    }

    /// Scans the rest of a string, from `stringRest` on, in the same text or one that goes on there.
    mutating func restOfString(_ text: Span<UInt8>, at start: Int) -> Int { longString(text, at: start - 1) }

    private mutating func escape(_ text: Span<UInt8>, at start: Int) -> Int {
        guard start + 1 < text.count else { return fail(.end, at: text.count) }
        switch text[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return start + 2
        case UInt8(ascii: "u"):
            for index in start + 2..<start + 6 {
                guard index < text.count else { return fail(.end, at: text.count) }
                guard text[index].hexValue != nil else { return fail(.escape, at: index) }
            }
            return start + 6
        default: return fail(.escape, at: start + 1)
        }
    }

    /// Whether a value that begins with this byte is a number, if it is sound.
    static func beginsNumber(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "-") || byte.isDigit }

    private mutating func character(_ text: Span<UInt8>, at start: Int) -> Int {
        switch text.characterLength(at: start) {
        case 0: fail(.utf8, at: start)
        case -1: fail(.end, at: text.count)
        case let length: start + length
        }
    }

    /// Scans `-?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?`. A digit after a leading zero is an error.
    mutating func number(_ text: Span<UInt8>, at start: Int, kind: inout JSONValue.Kind) -> Int {
        var index = start
        let negative = text[index] == UInt8(ascii: "-")
        guard negative || text[index].isDigit else { return fail(.value, at: index) }
        if negative { index += 1 }
        let first = index
        index = digits(text, at: index)
        guard index >= 0 else { return -1 }
        if text[first] == UInt8(ascii: "0"), index > first + 1 { return fail(.number, at: first + 1) }
        if index < text.count, text[index] == UInt8(ascii: ".") {
            kind = .decimal
            index = digits(text, at: index + 1)
            guard index >= 0 else { return -1 }
        }
        if index < text.count, text[index] | 0x20 == UInt8(ascii: "e") {
            kind = .decimal
            index += 1
            if index < text.count, text[index] == UInt8(ascii: "+") || text[index] == UInt8(ascii: "-") { index += 1 }
            index = digits(text, at: index)
        }
        return index
    }

    /// Scans one digit or more.
    private mutating func digits(_ text: Span<UInt8>, at start: Int) -> Int {
        var index = start
        if index + 16 <= text.count { index += text.leadingDigits(at: index) }
        while index < text.count, text[index].isDigit { index += 1 }
        guard index > start else { return index < text.count ? fail(.number, at: index) : fail(.end, at: index) }
        return index
    }

    static let `true` = ascii("true")
    static let `false` = ascii("false")
    static let null = ascii("null")

    /// Scans `true`, `false` or `null`.
    mutating func literal(in text: Span<UInt8>, at start: Int, spelled word: [UInt8]) -> Int {
        var index = start
        for byte in word {
            guard index < text.count else { return fail(.end, at: index) }
            guard text[index] == byte else { return fail(.value, at: index) }
            index += 1
        }
        return index
    }
}
