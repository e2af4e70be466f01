/// Events of one section, sorted by id, each (id, action) once, as a sequence of blocks in memory or in a spill file.
package struct SortedRun: Sendable {
    /// A block that may lie in a spill file.
    struct Block: Sendable {
        enum Place: Sendable {
            case memory([UInt8])
            case file(SpillFile, offset: Int, length: Int)
        }

        let first: EventID
        let last: EventID
        let count: Int
        let place: Place

        func load() throws(SpillError) -> EventBlock {
            switch place {
            case .memory(let bytes):
                return EventBlock(first: first, last: last, count: count, bytes: bytes)
            case .file(let file, let offset, let length):
                let bytes = try file.read(at: offset, count: length)
                return EventBlock(first: first, last: last, count: count, bytes: bytes)
            }
        }
    }

    /// The worker whose delivery table the events' delivery numbers are of.
    package var worker: Int
    /// How often its events have been merged from other runs.
    private(set) var level = 0
    private(set) var blocks: [Block] = []
    /// Bytes that the blocks take in memory.
    private(set) var memory = 0

    init(worker: Int) {
        self.worker = worker
    }

    /// Merges runs of one worker and level into one that lies in `file`.
    init(merging runs: [SortedRun], deliveries: DeliveryTable, into file: SpillFile) throws {
        worker = runs.first?.worker ?? 0
        level = (runs.first?.level ?? 0) + 1
        let merger = RunMerger(runs, deliveries: deliveries)
        var encoder = EventBlockEncoder()
        var blocks: [Block] = []
        try merger.merge(RunMerger.Piece(lower: nil, upper: nil)) { events throws(SpillError) in
            let block = encoder.encode(events)
            blocks.append(
                Block(
                    first: block.first, last: block.last, count: block.count,
                    place: .file(file, offset: try file.append(block.bytes), length: block.bytes.count)))
        }
        self.blocks = blocks
    }

    package var count: Int { blocks.reduce(0) { $0 + $1.count } }

    mutating func append(_ block: EventBlock) {
        memory += block.bytes.count
        blocks.append(Block(first: block.first, last: block.last, count: block.count, place: .memory(block.bytes)))
    }

    /// The same run with its blocks in `file`.
    func spilled(to file: SpillFile) throws(SpillError) -> SortedRun {
        var run = SortedRun(worker: worker)
        run.level = level
        for block in blocks {
            guard case .memory(let bytes) = block.place else {
                run.blocks.append(block)
                continue
            }
            let offset = try file.append(bytes)
            run.blocks.append(
                Block(
                    first: block.first, last: block.last, count: block.count,
                    place: .file(file, offset: offset, length: bytes.count)))
        }
        return run
    }
}
