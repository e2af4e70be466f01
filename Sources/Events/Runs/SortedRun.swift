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

    /// Merges runs of one worker into one that lies in `file`.
    init(merging runs: [EventRun], deliveries: DeliveryTable, into file: SpillFile) throws {
        level = (runs.map(\.level).max() ?? 0) + 1
        self.file = file
        let merger = RunMerger(runs, deliveries: deliveries)
        var encoder = EventBlockEncoder()
        var blocks: [Block] = []
        try merger.merge(RunMerger.Piece(lower: nil, upper: nil)) { events throws(SpillError) in
            let block = encoder.encode(events)
            blocks.append(
                Block(
                    first: block.first, last: block.last, count: block.count, offset: try file.append(block.bytes),
                    length: block.bytes.count))
        }
        self.blocks = blocks
    }

    func load(_ block: Block) throws(SpillError) -> EventBlock {
        let bytes = try file.read(at: block.offset, count: block.length)
        return EventBlock(first: block.first, last: block.last, count: block.count, bytes: bytes)
    }
}
