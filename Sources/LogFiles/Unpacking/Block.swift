/// A buffer for unpacked bytes of a file. It has headroom in front, for the bytes left from the block before.
package struct Block: Sendable {
    /// The size of a block without its headroom, in bytes. As many bytes of the file are read at a time. Both fit the
    /// cache.
    package static let size = 1 << 18
    private static let maxHeadroom = 1 << 14
    /// The memory of a block in bytes.
    package static let memory = size + maxHeadroom
    /// A placeholder without memory.
    package static let nothing = Block(size: 0)

    /// The offset in `bytes` at which the block begins without any prepended bytes.
    private let headroom: Int
    private var bytes: [UInt8]
    private var start: Int
    private var end: Int

    /// An empty block with `size` bytes of room.
    package init(size: Int = Block.size) {
        headroom = min(size, Block.maxHeadroom)
        bytes = Array(repeating: 0, count: headroom + size)
        start = headroom
        end = headroom
    }

    /// Whether this is a placeholder without memory.
    package var isNothing: Bool { bytes.isEmpty }
    /// The number of bytes in the block.
    var count: Int { end - start }
    /// The number of bytes that can still be appended.
    var room: Int { bytes.count - end }
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(start..<end) }
    }

    mutating func clear() {
        start = headroom
        end = headroom
    }

    /// Calls `body` with the free memory at the end, at most `limit` bytes.
    mutating func append(
        atMost limit: Int, _ body: (UnsafeMutableBufferPointer<UInt8>) -> InflateProgress
    ) -> InflateProgress {
        let free = end..<(end + min(limit, room))
        let done = bytes.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[free])) }
        assert((0...free.count).contains(done.filled))
        end += done.filled
        return done
    }

    /// Inserts bytes at the front. Returns false if they do not fit the headroom.
    mutating func prepend(_ more: [UInt8]) -> Bool {
        guard more.count <= start else { return false }
        bytes.replaceSubrange((start - more.count)..<start, with: more)
        start -= more.count
        return true
    }

    mutating func dropFirst(_ count: Int) {
        assert((0...self.count).contains(count))
        start += count
    }

    mutating func dropLast(_ count: Int) {
        assert((0...self.count).contains(count))
        end -= count
    }
}
