/// What the people of a file are going to do later on the same date, by the second at which they do it.
struct Agenda: ~Copyable {
    /// A message that was written, and the codes that its recipient still sends.
    struct Entry {
        var index: Int32
        /// The collector file that the message belongs to; nil for the file's own.
        var host: Int32?
        var rest: UInt32
    }

    private struct Node {
        var entry: Entry
        var next: Int32
    }

    /// The first instant of the day, in milliseconds.
    private let start: Int
    /// The last entry that was added for each second; −1 for none.
    private var heads: [Int32]
    private var nodes: [Node] = []
    private var free: Int32 = -1
    private var second = 0

    /// From `start` to `end`, in milliseconds.
    init(start: Int, end: Int) {
        self.start = start
        heads = Array(repeating: -1, count: max(0, (end - start) / 1000))
    }

    /// Nothing is kept that would happen after the end.
    mutating func add(_ entry: Entry, at time: Int) {
        let due = max(second, (time - start) / 1000)
        guard due < heads.count else { return }
        let node = Node(entry: entry, next: heads[due])
        if free >= 0 {
            heads[due] = free
            let next = nodes[Int(free)].next
            nodes[Int(heads[due])] = node
            free = next
        } else {
            heads[due] = Int32(nodes.count)
            nodes.append(node)
        }
    }

    /// Takes the next entry that is due by `time`, with the time at which it is due.
    mutating func next(by time: Int) -> (entry: Entry, time: Int)? {
        let limit = min(heads.count - 1, (time - start) / 1000)
        while second <= limit {
            let head = heads[second]
            if head >= 0 {
                let node = nodes[Int(head)]
                heads[second] = node.next
                nodes[Int(head)].next = free
                free = head
                return (node.entry, start + second * 1000)
            }
            second += 1
        }
        return nil
    }
}
