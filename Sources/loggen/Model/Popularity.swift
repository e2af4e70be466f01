import Reference

/// How often each of `count` things is drawn: the weight of rank r is 1 / (r + 3).
struct Popularity: Sendable {
    /// Rank by position, each as often as its weight says; beyond the table's ranks all are equally rare.
    private let ranks: [Int32]
    private let count: Int

    init(count: Int) {
        self.count = count
        var ranks: [Int32] = []
        let slots = 16_384
        let scale = 1 << 32
        let total = (0..<count).reduce(0) { $0 + scale / ($1 + 3) }
        var sum = 0
        for rank in 0..<count {
            sum += scale / (rank + 3)
            let end = slots * sum / total
            while ranks.count < min(end, slots) { ranks.append(Int32(rank)) }
        }
        while ranks.count < slots { ranks.append(Int32(count - 1)) }
        self.ranks = ranks
    }

    func rank(for bits: UInt64) -> Int {
        let slot = Int(bits & 16_383)
        let rank = Int(ranks[slot])
        // Where several ranks share a slot, the rest of the bits choose among them.
        let next = slot + 1 < ranks.count ? Int(ranks[slot + 1]) : count
        guard next > rank + 1 else { return rank }
        return rank + Int(SplitMix64.scale(SplitMix64.mix(bits), to: UInt64(next - rank)))
    }
}
