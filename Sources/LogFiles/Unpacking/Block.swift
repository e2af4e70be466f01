/// Room for unpacked bytes. In front of them is some more, for what was left of the block before.
package struct Block: Sendable {
    /// Bytes of a block: those of the file that are read at a time, and those that are unpacked, fit the cache.
    package static let size = 1 << 18
    private static let mostHeadroom = 1 << 14
    /// Bytes that one takes.
    package static let memory = size + mostHeadroom
    /// One without room, where another is to come.
    package static let nothing = Block(size: 0)

    /// Where its own bytes begin.
    private let headroom: Int
    private var bytes: [UInt8]
    private var start: Int
    private var end: Int

    package init() {
        self.init(size: Block.size)
    }

    init(size: Int) {
        headroom = min(size, Block.mostHeadroom)
        bytes = Array(repeating: 0, count: headroom + size)
        (start, end) = (headroom, headroom)
    }

    package var isNothing: Bool { bytes.isEmpty }
    /// Bytes that it holds.
    var count: Int { end - start }
    /// Bytes that still fit behind them.
    var room: Int { bytes.count - end }
    var span: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span.extracting(start..<end) }
    }

    mutating func clear() {
        (start, end) = (headroom, headroom)
    }

    /// Lets `body` write behind what is there; it answers how many bytes it wrote.
    mutating func append<Result>(
        atMost limit: Int = .max, _ body: (UnsafeMutableBufferPointer<UInt8>) -> (filled: Int, result: Result)
    ) -> Result {
        let free = end..<(end + min(limit, room))
        let (filled, result) = bytes.withUnsafeMutableBufferPointer { body(.init(rebasing: $0[free])) }
        end += filled
        return result
    }

    /// Puts bytes in front of what is there; answers false where they do not fit.
    mutating func prepend(_ more: [UInt8]) -> Bool {
        guard more.count <= start else { return false }
        bytes.replaceSubrange((start - more.count)..<start, with: more)
        start -= more.count
        return true
    }

    mutating func dropFirst(_ count: Int) {
        start += count
    }

    mutating func dropLast(_ count: Int) {
        end -= count
    }
}
