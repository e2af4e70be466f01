/// Events of one section, sorted by id, each (id, action) once, as a sequence of blocks in a spill file.
struct SortedRun: Sendable {
    struct Block: Sendable {
        let first: EventID
        let last: EventID
        let count: Int
        /// Where in the file its bytes lie.
        let offset: Int
        let length: Int
    }

    /// How often its events have been merged from other runs.
    let level: Int
    let blocks: [Block]
    private let file: SpillFile

    init(level: Int, blocks: [Block], in file: SpillFile) {
        self.level = level
        self.blocks = blocks
        self.file = file
    }

    func load(_ block: Block) throws(SpillError) -> EventBlock {
        let bytes = try file.read(at: block.offset, count: block.length)
        return EventBlock(first: block.first, last: block.last, count: block.count, bytes: bytes)
    }
}
