import Calendar
import Events

/// Finds the messages in a range of ids that several partitions have. At least one of them must be a compared
/// partition.
///
/// The ids of the compared partitions go into a sieve. Each id of the other partitions is tested against it in one or
/// two nanoseconds. Only shared messages are read completely.
package struct SharedMessageFinder {
    /// The blocks of a partition that may have ids in the range.
    package struct Part: Sendable {
        /// The caller's index of the partition.
        package let index: Int
        package let logDate: LogDate
        package let isCompared: Bool
        /// Sorted by id.
        package let blocks: [EventBlock]

        package init(index: Int, logDate: LogDate, isCompared: Bool, blocks: [EventBlock]) {
            self.index = index
            self.logDate = logDate
            self.isCompared = isCompared
            self.blocks = blocks
        }
    }

    /// A block of events that cannot be read.
    package struct DamagedBlock: Error {
        /// The partition's index.
        package let index: Int
        package let error: EventBlockError
    }

    /// A message that may be shared.
    private struct Candidate {
        let id: EventID
        let part: Int32
        let block: Int32
        /// The message's number in its block.
        let number: Int32

        func precedes(_ other: Candidate) -> Bool {
            id != other.id ? id < other.id : (part, block, number) < (other.part, other.block, other.number)
        }
    }

    private let range: SectionRange
    private let windowDays: Int
    private let parts: [Part]
    /// The events of the shared messages, by partition index, sorted by id.
    package private(set) var events: [Int: [Event]] = [:]

    /// Checks the hashes of the compared partitions' blocks. The caller must have checked the other blocks before.
    /// - Parameter windowDays: two partitions are within reach if their log dates are at most this far apart.
    package init(in range: SectionRange, parts: [Part], windowDays: Int) throws(DamagedBlock) {
        assert(parts.allSatisfy(\.blocks.areSorted))
        self.range = range
        self.windowDays = windowDays
        self.parts = parts
        guard parts.contains(where: \.isCompared), parts.count > 1 else { return }
        try pick(shared(try candidates()))
    }

    private func candidates() throws(DamagedBlock) -> [Candidate] {
        let isWide = range.section.kind != .hex
        let compared = parts.indices.filter { parts[$0].isCompared }
        var lists: [BlockIDs] = []
        for part in compared {
            var list = BlockIDs(atMost: parts[part].blocks.reduce(0) { $0 + $1.count })
            for block in parts[part].blocks {
                try reading(part) { () throws(EventBlockError) in
                    guard isWide || block.last.high == 0 else { throw .inconsistent }
                    try list.append(block)
                }
            }
            lists.append(list)
        }
        var sieve = MessageSieve(lists.map { $0.ids[$0.indices(in: range)] }, isWide: isWide)
        var candidates: [Candidate] = []
        var found: [WantedMessage] = []
        for (number, part) in parts.enumerated() where !part.isCompared {
            for (block, bytes) in part.blocks.enumerated() {
                found.removeAll(keepingCapacity: true)
                try reading(number) { () throws(EventBlockError) in try sieve.sift(bytes, into: &found) }
                for message in found where range.holds(message.id) {
                    candidates.append(
                        Candidate(
                            id: message.id, part: Int32(number), block: Int32(block), number: Int32(message.index)))
                }
            }
        }
        for (part, list) in zip(compared, lists) {
            for index in list.indices(in: range) where sieve.isShared(list.ids[index]) {
                let (block, number) = list.block(of: index)
                candidates.append(
                    Candidate(id: list.ids[index], part: Int32(part), block: Int32(block), number: Int32(number)))
            }
        }
        return candidates
    }

    /// The candidates that two partitions within reach have, one of them compared. Grouped by part.
    private func shared(_ candidates: [Candidate]) -> [[Candidate]] {
        var shared = [[Candidate]](repeating: [], count: parts.count)
        let sorted = candidates.sorted { $0.precedes($1) }
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].id == sorted[start].id { end += 1 }
            if sorted[start].part != sorted[end - 1].part {
                for candidate in sorted[start..<end] {
                    let part = Int(candidate.part)
                    if sorted[start..<end].contains(where: { isCompared(part, with: Int($0.part)) }) {
                        shared[part].append(candidate)
                    }
                }
            }
            start = end
        }
        return shared
    }

    private func isCompared(_ a: Int, with b: Int) -> Bool {
        a != b && (parts[a].isCompared || parts[b].isCompared)
            && parts[a].logDate.isWithin(windowDays, of: parts[b].logDate)
    }

    /// Reads the events of the shared messages.
    private mutating func pick(_ shared: [[Candidate]]) throws(DamagedBlock) {
        for (number, candidates) in shared.enumerated() where !candidates.isEmpty {
            var events: [Event] = []
            var rest = candidates[...]
            while let block = rest.first?.block {
                let ofBlock = rest.prefix { $0.block == block }
                rest = rest.dropFirst(ofBlock.count)
                let wanted = ofBlock.map { WantedMessage(index: Int($0.number), id: $0.id) }
                try reading(number) { () throws(EventBlockError) in
                    try parts[number].blocks[Int(block)].pick(wanted, appendingTo: &events)
                }
            }
            self.events[parts[number].index] = events
        }
    }

    private func reading(_ part: Int, body: () throws(EventBlockError) -> Void) throws(DamagedBlock) {
        do {
            try body()
        } catch {
            throw DamagedBlock(index: parts[part].index, error: error)
        }
    }
}

/// The message ids of a list of blocks, in block order.
private struct BlockIDs {
    private(set) var ids: [EventID] = []
    /// By block: the number of messages in the blocks before it.
    private var starts: [Int] = []

    init(atMost messages: Int) {
        ids.reserveCapacity(messages)
    }

    mutating func append(_ block: EventBlock) throws(EventBlockError) {
        starts.append(ids.count)
        try block.decodeIDs(appendingTo: &ids)
    }

    func indices(in range: SectionRange) -> Range<Int> {
        let start = range.lower.map { lower in firstIndex(in: ids.indices) { ids[$0] < lower } } ?? 0
        return start..<(range.upper.map { upper in firstIndex(in: start..<ids.count) { ids[$0] < upper } } ?? ids.count)
    }

    /// The block that contains the id at `index`, and the message's number in the block.
    func block(of index: Int) -> (block: Int, number: Int) {
        let block = firstIndex(in: starts.indices) { starts[$0] <= index } - 1
        return (block, index - starts[block])
    }
}
