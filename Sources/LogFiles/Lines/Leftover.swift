import Posix

/// Passes the blocks of a file to a consumer. It keeps the bytes that the consumer did not take, and offers them again
/// in front of the next block. It drops a UTF-8 byte order mark at the start of the file.
package struct Leftover {
    private var bytes: [UInt8] = []
    private var atFileStart = true

    package init() {}

    /// Offers the bytes left from earlier blocks, followed by this block. The contents of `block` are used up.
    package mutating func offer(_ block: inout Block, to consumer: inout some ByteConsumer) throws {
        // A byte order mark has three bytes, so the first offer needs at least three.
        if !atFileStart || bytes.count + block.count >= 3, block.prepend(bytes) {
            if atFileStart { block.dropFirst(byteOrderMark(in: block.span)) }
            atFileStart = false
            block.dropFirst(try consumer.consume(block.span, atEnd: false))
            bytes.removeAll(keepingCapacity: true)
            append(block.span)
        } else {
            append(block.span)
            if atFileStart && bytes.count < 3 { return }
            dropByteOrderMark()
            bytes.removeFirst(try consumer.consume(bytes.span, atEnd: false))
        }
    }

    /// Offers the remaining bytes at the end of the file.
    package mutating func finish(_ status: FileStatus, _ consumer: inout some ByteConsumer) throws {
        // One or two bytes at the start of the file have not been offered yet.
        if atFileStart && status == .truncated {
            dropByteOrderMark()
            bytes.removeFirst(try consumer.consume(bytes.span, atEnd: false))
        }
        dropByteOrderMark()
        if status == .truncated {
            try consumer.endCut(bytes.span)
        } else {
            _ = try consumer.consume(bytes.span, atEnd: true)
        }
    }

    private mutating func append(_ more: Span<UInt8>) {
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func dropByteOrderMark() {
        guard atFileStart else { return }
        atFileStart = false
        bytes.removeFirst(byteOrderMark(in: bytes.span))
    }

    /// The length of the byte order mark at the front: 3 or 0.
    private func byteOrderMark(in bytes: Span<UInt8>) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}
