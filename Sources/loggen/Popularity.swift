import Reference

/// How often each of `count` things is drawn: the weight of rank r is 1 / (r + 3).
struct Popularity: Sendable {
    private static let slots = 16_384
    private let ranks: [Int]

    init(count: Int) {
        ranks = Self.slots((0..<count).map { Double((1 << 32) / ($0 + 3)) }, count: Self.slots) + [count]
    }

    func rank(for bits: UInt64) -> Int {
        let slot = Int(bits % UInt64(Self.slots))
        let (rank, next) = (ranks[slot], ranks[slot + 1])
        // Where several ranks share a slot, the rest of the bits choose among them.
        return next > rank + 1 ? rank + Int(SplitMix64.scale(SplitMix64.mix(bits), to: UInt64(next - rank))) : rank
    }

    /// Slots with the ranks of weights, each as often as its weight says, in order.
    static func slots(_ weights: [Double], count: Int) -> [Int] {
        let total = weights.reduce(0, +)
        var slots: [Int] = []
        var sum = 0.0
        for (rank, weight) in weights.enumerated() {
            sum += weight
            let end = min(count, Int(sum / total * Double(count)))
            slots += Array(repeating: rank, count: max(0, end - slots.count))
        }
        return slots + Array(repeating: weights.count - 1, count: count - slots.count)
    }
}
