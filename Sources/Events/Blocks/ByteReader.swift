/// The bytes are not what a `ByteWriter` has written.
package struct ByteReaderError: Error {
    package init() {}
}

/// Reads what a `ByteWriter` has written. It checks all lengths, so the bytes may be damaged.
package struct ByteReader {
    private let bytes: [UInt8]
    private var position: Int

    /// Reads from an offset on.
    package init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        position = min(offset, bytes.count)
    }

    package var isAtEnd: Bool { position == bytes.count }

    /// The bytes that were not read yet.
    package var rest: [UInt8] { Array(bytes[position...]) }

    package mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(ByteReaderError) -> Number {
        let range = try take(Number.bitWidth / 8)
        return range.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: bytes[$1]) }
    }

    package mutating func list() throws(ByteReaderError) -> [UInt8] {
        let range = try take(Int(try number(UInt32.self)))
        return Array(bytes[range])
    }

    package mutating func text() throws(ByteReaderError) -> String {
        guard let text = String(validating: try list(), as: UTF8.self) else { throw ByteReaderError() }
        return text
    }

    package mutating func texts() throws(ByteReaderError) -> [String] {
        let count = Int(try number(UInt32.self))
        // Each text takes at least its length.
        guard count <= (bytes.count - position) / 4 else { throw ByteReaderError() }
        var texts: [String] = []
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try text()) }
        return texts
    }

    private mutating func take(_ count: Int) throws(ByteReaderError) -> Range<Int> {
        guard count <= bytes.count - position else { throw ByteReaderError() }
        defer { position += count }
        return position..<(position + count)
    }
}
