import CVectors
import Foundation

extension Span<UInt8> {
    /// The first place of `byte` in `start..<end`, nil if there is none.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int, to end: Int) -> Int? {
        guard start < end else { return nil }
        precondition(start >= 0 && end <= count)
        // `start..<end` lies within the buffer, as checked above, so memchr reads nothing else; the pointer it
        // returns lies in there too, and neither pointer leaves the closure.
        return withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress, let found = memchr(base + start, Int32(byte), end - start)
            else { return nil }
            return UnsafeRawPointer(found) - UnsafeRawPointer(base)
        }
    }

    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        firstIndex(of: byte, from: start, to: count)
    }

    /// The first place at or after `start` where all of `text` stands before `end`.
    func firstIndex(of text: [UInt8], from start: Int, to end: Int) -> Int? {
        guard let first = text.first else { return start }
        var from = start
        while let found = firstIndex(of: first, from: from, to: end - text.count + 1) {
            if holds(text, at: found) { return found }
            from = found + 1
        }
        return nil
    }

    /// Eight bytes, the first one lowest. Any pattern is a `UInt64`, and the load is checked against the bounds.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    @inline(__always)
    func halfWord(at index: Int) -> UInt32 {
        UInt32(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: index, as: UInt32.self))
    }

    /// Which of the sixteen bytes from `index` on end a JSON string or need a look of their own.
    @inline(__always)
    func jsonStops(at index: Int) -> UInt16 { sixteen(at: index) { vector_json_stops16($0) } ?? 1 }

    /// How many of the sixteen bytes from `index` on stand before the first that is no digit.
    @inline(__always)
    func leadingDigits(at index: Int) -> Int {
        (sixteen(at: index) { vector_undigits16($0) } ?? 1).trailingZeroBitCount
    }

    /// How many of the sixteen bytes from `index` on stand before the first that is neither a digit nor a small letter.
    @inline(__always)
    func leadingPlain(at index: Int) -> Int {
        (sixteen(at: index) { vector_unplain16($0) } ?? 1).trailingZeroBitCount
    }

    /// The sixteen bytes from `index` on as hexadecimal digits.
    @inline(__always)
    func hexDigits(at index: Int) -> vector_hex {
        sixteen(at: index) { vector_hex_at($0) } ?? vector_hex(number: 0, others: 1)
    }

    @inline(__always)
    private func sixteen<Answer>(at index: Int, _ ask: (UnsafeRawPointer) -> Answer) -> Answer? {
        // The bytes lie within the buffer, as checked here, and the pointer does not leave the closure.
        precondition(index >= 0 && index + 16 <= count)
        return withUnsafeBytes { bytes in bytes.baseAddress.map { ask($0 + index) } }
    }

    func holds(_ text: [UInt8], at index: Int) -> Bool {
        guard index >= 0, index + text.count <= count else { return false }
        for offset in text.indices where self[index + offset] != text[offset] { return false }
        return true
    }

    /// Whether these are the bytes of `text`.
    func equals(_ text: [UInt8]) -> Bool {
        count == text.count && holds(text, at: 0)
    }

    /// `range` without the ASCII white space at its ends.
    @inline(__always)
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        if start < end, self[start] > 0x20, self[end - 1] > 0x20 { return range }
        while start < end, self[start].isWhiteSpace { start += 1 }
        while end > start, self[end - 1].isWhiteSpace { end -= 1 }
        return start..<end
    }
}

extension [UInt8] {
    /// Appends the bytes of `range`, a run at a time.
    @inline(__always)
    mutating func append(_ source: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        source.extracting(range).withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
