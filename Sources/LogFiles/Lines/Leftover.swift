/// What a consumer has not taken yet of a file's blocks: it comes again in front of the next.
package struct Leftover {
    private var bytes: [UInt8] = []
    private var atFileStart = true

    package init() {}

    /// Offers a block, behind what is left of those before.
    package mutating func offer(_ block: inout Block, to consumer: inout some ByteConsumer) throws {
        // Three bytes may be a byte order mark.
        if !atFileStart || bytes.count + block.count >= 3, block.prepend(bytes) {
            if atFileStart { block.dropFirst(byteOrderMark(in: block.span)) }
            atFileStart = false
            block.dropFirst(try consumer.consume(block.span, atEnd: false))
            bytes.removeAll(keepingCapacity: true)
            append(block.span)
        } else {
            append(block.span)
            try offerAll(to: &consumer)
        }
    }

    /// Nothing follows.
    package mutating func finish(_ status: FileStatus, _ consumer: inout some ByteConsumer) throws {
        // Of one or two bytes nothing has been offered yet.
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

    private mutating func offerAll(to consumer: inout some ByteConsumer) throws {
        if atFileStart && bytes.count < 3 { return }
        dropByteOrderMark()
        bytes.removeFirst(try consumer.consume(bytes.span, atEnd: false))
    }

    private mutating func append(_ more: Span<UInt8>) {
        more.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func dropByteOrderMark() {
        guard atFileStart else { return }
        atFileStart = false
        bytes.removeFirst(byteOrderMark(in: bytes.span))
    }

    /// How many bytes it has at the front.
    private func byteOrderMark(in bytes: Span<UInt8>) -> Int {
        bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF ? 3 : 0
    }
}
