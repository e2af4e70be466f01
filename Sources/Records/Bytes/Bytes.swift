import CVectors
import Foundation

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
    package var lowerCased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Returns the bytes of an ASCII literal.
func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }

/// UTF-8 (RFC 3629): overlong forms, surrogates and code points above U+10FFFF are invalid.
extension Span<UInt8> {
    /// The number of bytes of the character at an offset, whose first byte is 0x80 or above; 0 if it is invalid, -1 if
    /// it is cut off by the end.
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

extension Span<UInt8> {
    /// The first index of `byte` in `start..<end`; nil if it does not occur. `end` is `count` by default.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int, to end: Int? = nil) -> Int? {
        let end = end ?? count
        guard start < end else { return nil }
        precondition(start >= 0 && end <= count)
        // `start..<end` is within the buffer, as checked above, so `memchr` reads only within the buffer. Its result
        // points into the buffer and does not leave the closure.
        return withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base + start, Int32(byte), end - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    /// The first index of `text` in `start..<end`; nil if it does not occur.
    func firstIndex(of text: [UInt8], from start: Int, to end: Int) -> Int? {
        guard let first = text.first else { return start }
        var from = start
        while let found = firstIndex(of: first, from: from, to: end - text.count + 1) {
            if holds(text, at: found) { return found }
            from = found + 1
        }
        return nil
    }

    /// Eight bytes as a word, with the first byte lowest. The load is bounds-checked.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// Four bytes as a word, with the first byte lowest. The load is bounds-checked.
    @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
    }

    /// The mask of `vector_json_stops16` for 16 bytes.
    @inline(__always)
    func jsonStops(at index: Int) -> UInt16 { sixteen(at: index) { vector_json_stops16($0) } ?? 1 }

    /// The number of digits at the front of 16 bytes.
    @inline(__always)
    func leadingDigits(at index: Int) -> Int {
        (sixteen(at: index) { vector_non_digits16($0) } ?? 1).trailingZeroBitCount
    }

    /// The number of digits and lower-case letters at the front of 16 bytes.
    @inline(__always)
    func leadingAlphanumerics(at index: Int) -> Int {
        (sixteen(at: index) { vector_non_alphanumerics16($0) } ?? 1).trailingZeroBitCount
    }

    /// 16 bytes as hexadecimal digits.
    @inline(__always)
    func hexDigits(at index: Int) -> vector_hex {
        sixteen(at: index) { vector_hex_at($0) } ?? vector_hex(number: 0, others: 1)
    }

    /// Calls a vector operation on 16 bytes.
    @inline(__always)
    private func sixteen<Result>(at index: Int, _ operation: (UnsafeRawPointer) -> Result) -> Result? {
        // The bytes are within the buffer, as checked here, and the pointer does not leave the closure.
        precondition(index >= 0 && index + 16 <= count)
        return withUnsafeBytes { bytes in bytes.baseAddress.map { operation($0 + index) } }
    }

    /// The number that hexadecimal digits write, at most 16; nil if there is another byte.
    func hexNumber(_ digits: Range<Int>) -> UInt64? {
        var number = 0 as UInt64
        for index in digits {
            guard let digit = self[index].hexValue else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// Whether `text` occurs at `index`.
    func holds(_ text: Span<UInt8>, at index: Int) -> Bool {
        guard index >= 0, index + text.count <= count else { return false }
        for offset in text.indices where self[index + offset] != text[offset] { return false }
        return true
    }

    /// Whether `text` occurs at `index`.
    func holds(_ text: [UInt8], at index: Int) -> Bool { holds(text.span, at: index) }

    /// Whether this span has exactly the bytes of `text`.
    func equals(_ text: [UInt8]) -> Bool {
        count == text.count && holds(text, at: 0)
    }

    /// Whether a sign and a digit are at `index`.
    func hasOffset(at index: Int) -> Bool {
        index + 1 < count && (self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-"))
            && self[index + 1].isDigit
    }

    /// `range` without ASCII white space at both ends.
    @inline(__always)
    package func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        if start < end, self[start] > 0x20, self[end - 1] > 0x20 { return range }
        while start < end, self[start].isWhiteSpace { start += 1 }
        while end > start, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }
}

extension [UInt8] {
    /// Appends the bytes in a range of `source`.
    @inline(__always)
    mutating func append(_ source: Span<UInt8>, in range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
