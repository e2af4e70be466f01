import Foundation
import Messages

/// Events of one section in a spill file: a sequence of event blocks, sorted by id, with one event per (id, action).
struct SortedRun: Sendable {
    /// A block in the file.
    struct Block: Sendable {
        let first: EventID
        let last: EventID
        let count: Int
        /// The byte range of the block in the file.
        let offset: Int
        let length: Int

        /// Appends a block to a file.
        init(_ block: EventBlock, in file: SpillFile) throws(Fault) {
            first = block.first
            last = block.last
            count = block.count
            offset = try file.append(block.bytes)
            length = block.bytes.count
        }
    }

    /// How often the events have been merged.
    let level: Int
    let blocks: [Block]
    private let file: SpillFile

    init(level: Int, blocks: [Block], in file: SpillFile) {
        assert(zip(blocks, blocks.dropFirst()).allSatisfy { $0.last <= $1.first })
        self.level = level
        self.blocks = blocks
        self.file = file
    }

    func load(_ block: Block) throws(Fault) -> EventBlock {
        let bytes = try file.read(at: block.offset, count: block.length)
        return EventBlock(first: block.first, last: block.last, count: block.count, bytes: bytes)
    }
}
