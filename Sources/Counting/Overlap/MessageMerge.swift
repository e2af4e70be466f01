import Events

/// Reads several lists of events message by message. Each list must be sorted by id.
struct MessageMerge {
    /// The events of a message in one list.
    struct Part {
        let list: Int
        let events: Range<Int>
    }

    private let lists: [[Event]]
    /// For each list: the index of its next event, and the id of that event.
    private var next: [Int]
    private var ids: [EventID]
    /// Lists with remaining events, as a binary heap. The list with the lowest id is on top; if ids are equal, the
    /// earlier list.
    private var heap: [Int] = []

    init(_ lists: [[Event]]) {
        assert(lists.allSatisfy { $0.span.isSorted })
        self.lists = lists
        next = Array(repeating: 0, count: lists.count)
        ids = lists.map { $0.first?.id ?? EventID(high: 0, low: 0) }
        heap = lists.indices.filter { !lists[$0].isEmpty }
        for index in heap.indices.reversed() { sink(index) }
    }

    /// Replaces `parts` by the parts of the next message, in list order. Returns false at the end.
    mutating func nextMessage(_ parts: inout [Part]) -> Bool {
        parts.removeAll(keepingCapacity: true)
        guard let first = heap.first else { return false }
        let id = ids[first]
        while let list = heap.first, ids[list] == id {
            let start = next[list]
            let count = lists[list].count
            var end = start &+ 1
            while end < count, lists[list][end].id == id { end &+= 1 }
            parts.append(Part(list: list, events: start..<end))
            next[list] = end
            if end < count {
                ids[list] = lists[list][end].id
            } else {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            sink(0)
        }
        return true
    }

    private func precedes(_ a: Int, _ b: Int) -> Bool {
        ids[a] != ids[b] ? ids[a] < ids[b] : a < b
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var child = 2 &* index &+ 1
            guard child < heap.count else { return }
            if child &+ 1 < heap.count, precedes(heap[child &+ 1], heap[child]) { child &+= 1 }
            guard precedes(heap[child], heap[index]) else { return }
            heap.swapAt(index, child)
            index = child
        }
    }
}
