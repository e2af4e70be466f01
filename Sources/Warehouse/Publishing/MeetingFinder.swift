import Events

/// A message that several partitions have: which of a block of one of them it is.
struct Meeting: Sendable {
    let id: EventID
    /// The partition, and the block, by their places among those in hand.
    let list: Int
    let block: Int
    /// Which of the block's messages.
    let number: Int
}

extension [Meeting] {
    /// The meetings of ids that several lists have, one of them wanted, in the order of their ids, lists and places.
    func shared(_ isWanted: (Int) -> Bool) -> [Meeting] {
        let sorted = sorted { a, b in
            guard a.id == b.id else { return a.id < b.id }
            if a.list != b.list { return a.list < b.list }
            return a.block != b.block ? a.block < b.block : a.number < b.number
        }
        var shared: [Meeting] = []
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, sorted[end].id == sorted[start].id { end += 1 }
            if sorted[start].list != sorted[end - 1].list, sorted[start..<end].contains(where: { isWanted($0.list) }) {
                shared += sorted[start..<end]
            }
            start = end
        }
        return shared
    }
}
