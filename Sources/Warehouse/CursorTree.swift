import Events

/// A tree of losers over the next ids of cursors: tells which of many has the least, at one comparison a level.
struct CursorTree {
    private struct Leaf {
        var id: EventID
        var isDone: Bool
    }

    private var leaves: [Leaf]
    /// `losers[0]` is the winner; the others hold who lost at that node.
    private var losers: [Int]

    init(_ cursors: [BlockCursor]) {
        leaves = cursors.map { Leaf(id: $0.id, isDone: $0.isDone) }
        losers = Array(repeating: -1, count: max(cursors.count, 1))
        for leaf in leaves.indices { replay(leaf) }
    }

    /// The cursor with the least id (of equals, the first); nil when all are done.
    @inline(__always)
    var winner: Int? {
        let winner = losers[0]
        return winner < 0 || leaves[winner].isDone ? nil : winner
    }

    @inline(__always)
    func id(_ cursor: Int) -> EventID { leaves[cursor].id }

    /// The least id but for the winner's; nil if all others are done.
    var runnerUp: EventID? {
        var best: Int?
        var node = (losers[0] &+ leaves.count) >> 1
        while node > 0 {
            let loser = losers[node]
            if best.map({ precedes(loser, $0) }) ?? true { best = loser }
            node >>= 1
        }
        return best.flatMap { leaves[$0].isDone ? nil : leaves[$0].id }
    }

    /// Takes note of where the winner's cursor stands now.
    @inline(__always)
    mutating func replayWinner(id: EventID, isDone: Bool) {
        let winner = losers[0]
        leaves[winner] = Leaf(id: id, isDone: isDone)
        replay(winner)
    }

    private mutating func replay(_ leaf: Int) {
        var winner = leaf
        var node = (leaf &+ leaves.count) >> 1
        while node > 0 {
            let loser = losers[node]
            if loser < 0 {
                // Still building: the first of two to come waits here.
                losers[node] = winner
                return
            }
            if precedes(loser, winner) {
                losers[node] = winner
                winner = loser
            }
            node >>= 1
        }
        losers[0] = winner
    }

    @inline(__always)
    private func precedes(_ a: Int, _ b: Int) -> Bool {
        let (x, y) = (leaves[a], leaves[b])
        if x.isDone != y.isDone { return y.isDone }
        return x.id.isSame(as: y.id) ? a < b : x.id.precedes(y.id)
    }
}
