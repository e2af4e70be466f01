import CVectors
import Foundation

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
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
