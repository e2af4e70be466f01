import Events

/// Finds the messages in a range of ids that several partitions have. At least one of them must be a compared
/// partition.
///
/// The ids of the compared partitions go into a sieve, and those of the others pass through it. Only blocks with a shared
/// message are read completely.
package struct SharedMessageFinder {
    /// The blocks of a partition that may have ids in the range.
    package struct Part: Sendable {
        /// The caller's index of the partition.
        package let index: Int
        /// Days since 1970-01-01.
        package let logDate: Int32
        package let isCompared: Bool
        /// Sorted by id.
        package let blocks: [EventBlock]

        package init(index: Int, logDate: Int32, isCompared: Bool, blocks: [EventBlock]) {
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

    /// A message that may be shared, and the part that has it.
    private struct Candidate {
        let id: EventID
        let part: Int
    }

    private let range: SectionRange
    private let windowDays: Int
    private let parts: [Part]
    /// The events of the shared messages, by partition index, sorted by id.
    package private(set) var events: [Int: [Event]] = [:]

    /// - Parameter windowDays: two partitions are within reach if their log dates are at most this far apart.
    package init(_ range: SectionRange, _ parts: [Part], windowDays: Int) throws(DamagedBlock) {
        assert(parts.allSatisfy(\.blocks.areSorted))
        self.range = range
        self.windowDays = windowDays
        self.parts = parts
        guard parts.contains(where: \.isCompared), parts.count > 1 else { return }
        for (part, ids) in shared(try candidates()).enumerated() where !ids.isEmpty {
            events[parts[part].index] = try read(ids, of: part)
        }
    }

    private func candidates() throws(DamagedBlock) -> [Candidate] {
        let compared = parts.indices.filter { parts[$0].isCompared }
        var lists: [[EventID]] = []
        for part in compared {
            var ids: [EventID] = []
            for block in parts[part].blocks { ids += try self.ids(of: block, part) }
            lists.append(ids)
        }
        var sieve = MessageSieve(lists)
        var candidates: [Candidate] = []
        for part in parts.indices where !parts[part].isCompared {
            for block in parts[part].blocks {
                candidates += sieve.sift(try ids(of: block, part)).map { Candidate(id: $0, part: part) }
            }
        }
        for (part, ids) in zip(compared, lists) {
            candidates += sieve.shared(ids).map { Candidate(id: $0, part: part) }
        }
        return candidates
    }

    /// The ids of a block's messages that are in the range.
    private func ids(of block: EventBlock, _ part: Int) throws(DamagedBlock) -> [EventID] {
        var ids: [EventID] = []
        try reading(part) { () throws(EventBlockError) in try block.appendIDs(to: &ids) }
        return range.holds(block.first) && range.holds(block.last) ? ids : ids.filter(range.holds)
    }

    /// By part, the ids of the candidates that two partitions within reach have, one of them compared. Sorted.
    private func shared(_ candidates: [Candidate]) -> [[EventID]] {
        var shared = [[EventID]](repeating: [], count: parts.count)
        let sorted = candidates.sorted { $0.id != $1.id ? $0.id < $1.id : $0.part < $1.part }
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].id == sorted[start].id { end += 1 }
            for candidate in sorted[start..<end] where sorted[start].part != sorted[end - 1].part {
                if sorted[start..<end].contains(where: { areCompared(candidate.part, $0.part) }) {
                    shared[candidate.part].append(candidate.id)
                }
            }
            start = end
        }
        return shared
    }

    private func areCompared(_ a: Int, _ b: Int) -> Bool {
        a != b && (parts[a].isCompared || parts[b].isCompared)
            && abs(Int(parts[a].logDate) - Int(parts[b].logDate)) <= windowDays
    }

    /// The events of messages of a part.
    private func read(_ ids: [EventID], of part: Int) throws(DamagedBlock) -> [Event] {
        var found: [Event] = []
        var events: [Event] = []
        var rest = ids[...]
        for block in parts[part].blocks {
            // A message may be in two blocks.
            rest = rest.drop { $0 < block.first }
            guard let next = rest.first, next <= block.last else { continue }
            events.removeAll(keepingCapacity: true)
            try reading(part) { () throws(EventBlockError) in try block.decode(appendingTo: &events) }
            found += events.of(rest)
        }
        assert(found.span.isSorted)
        return found
    }

    private func reading(_ part: Int, _ body: () throws(EventBlockError) -> Void) throws(DamagedBlock) {
        do {
            try body()
        } catch {
            throw DamagedBlock(index: parts[part].index, error: error)
        }
    }
}
