import Reference

/// How often each of `count` things is drawn: the weight of rank r is 1 / (r + 3).
struct Popularity: Sendable {
    private static let slots = 16_384
    /// Rank by slot, each as often as its weight says.
    private let ranks: [Int]

    init(count: Int) {
        let scale = 1 << 32
        let total = (0..<count).reduce(0) { $0 + scale / ($1 + 3) }
        var ranks: [Int] = []
        var sum = 0
        for rank in 0..<count {
            sum += scale / (rank + 3)
            while ranks.count < Self.slots * sum / total { ranks.append(rank) }
        }
        while ranks.count < Self.slots { ranks.append(count - 1) }
        self.ranks = ranks + [count]
    }

    func rank(for bits: UInt64) -> Int {
        let slot = Int(bits % UInt64(Self.slots))
        let (rank, next) = (ranks[slot], ranks[slot + 1])
        // Where several ranks share a slot, the rest of the bits choose among them.
        return next > rank + 1 ? rank + Int(SplitMix64.scale(SplitMix64.mix(bits), to: UInt64(next - rank))) : rank
    }
}
