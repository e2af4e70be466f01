import Events

/// A tree of losers over cursors: tells which of many has the least next id, at one comparison a level.
struct CursorTree {
    private var cursors: [BlockCursor]
    /// `losers[0]` is the winner; the others hold who lost at that node.
    private var losers: [Int32]

    init(_ cursors: [BlockCursor]) {
        self.cursors = cursors
        losers = Array(repeating: -1, count: max(cursors.count, 1))
        for leaf in cursors.indices { replay(leaf) }
    }

    /// The place of the cursor with the least id (of equals, the first); nil when all are done.
    @inline(__always)
    var winner: Int? {
        guard let winner = losers.first, winner >= 0, !cursors[Int(winner)].isDone else { return nil }
        return Int(winner)
    }

    @inline(__always)
    func id(_ place: Int) -> EventID { cursors[place].id }

    @inline(__always)
    func partition(_ place: Int) -> Int { cursors[place].partition }

    /// Takes the next message of the winner.
    @inline(__always)
    mutating func take(_ winner: Int, into events: inout [Event]) throws(WarehouseError) {
        try cursors[winner].take(into: &events)
        replay(winner)
    }

    private mutating func replay(_ leaf: Int) {
        var winner = Int32(truncatingIfNeeded: leaf)
        var node = (leaf &+ cursors.count) >> 1
        while node > 0 {
            let loser = losers[node]
            if loser < 0 {
                // Still building: the first of two to come waits here.
                losers[node] = winner
                return
            }
            if precedes(Int(loser), Int(winner)) { swap(&losers[node], &winner) }
            node >>= 1
        }
        losers[0] = winner
    }

    @inline(__always)
    private func precedes(_ a: Int, _ b: Int) -> Bool {
        if cursors[a].isDone || cursors[b].isDone { return !cursors[a].isDone || cursors[b].isDone && a < b }
        let (idA, idB) = (cursors[a].id, cursors[b].id)
        return idA.isSame(as: idB) ? a < b : idA.precedes(idB)
    }
}
