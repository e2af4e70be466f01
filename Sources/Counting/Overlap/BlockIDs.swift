import Events

/// The message ids of a list of blocks, in block order.
struct BlockIDs {
    private(set) var ids: MessageIDs
    /// By block: the number of messages in the blocks before it.
    private var starts: [Int] = []

    init(isWide: Bool) {
        ids = MessageIDs(isWide: isWide)
    }

    mutating func append(_ block: EventBlock) throws(EventBlockError) {
        starts.append(ids.count)
        try ids.append(block)
    }

    func indices(in range: SectionRange) -> Range<Int> {
        let start = range.lower.map { ids.index(notBefore: $0) } ?? 0
        return start..<(range.upper.map { ids.index(notBefore: $0, from: start) } ?? ids.count)
    }

    /// The block that contains the id at `index`, and the message's number in the block.
    func block(of index: Int) -> (block: Int, number: Int) {
        let block = firstIndex(in: starts.indices) { starts[$0] <= index } - 1
        return (block, index - starts[block])
    }
}
