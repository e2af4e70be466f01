/// A prefix code of at most 15 bits, from how often each symbol occurs.
struct HuffmanCode: ~Copyable {
    let weights: UnsafeMutableBufferPointer<Int>
    /// For each symbol its code's length in the upper 16 bits, the code in the lower; 0 for symbols that do not occur.
    let entries: UnsafeMutableBufferPointer<UInt32>

    init(symbols: Int) {
        weights = .allocate(capacity: symbols)
        weights.initialize(repeating: 0)
        entries = .allocate(capacity: symbols)
        entries.initialize(repeating: 0)
    }

    deinit {
        weights.deallocate()
        entries.deallocate()
    }

    func clear() {
        weights.update(repeating: 0)
    }

    func build() {
        // A code has at least two symbols, or some readers refuse it.
        for symbol in 0..<2 where weights.count(where: { $0 > 0 }) < 2 { weights[symbol] = max(1, weights[symbol]) }
        var divisor = 1
        while !measure(dividing: divisor) { divisor *= 2 }
        assignCodes()
    }

    /// Huffman's algorithm over weights made coarser by a divisor; false if a code gets longer than 15 bits.
    private func measure(dividing divisor: Int) -> Bool {
        var nodes = weights.indices.filter { weights[$0] > 0 }
            .map { (weight: weights[$0] / divisor + 1, symbol: $0) }
            .sorted { ($0.weight, $0.symbol) < ($1.weight, $1.symbol) }
            .map { (weight: $0.weight, parent: -1, symbol: $0.symbol) }
        let leaves = nodes.count
        // Leaves and inner nodes are both in order of weight: the two lightest are at the front of either.
        var leaf = 0
        var inner = leaves
        func takeLightest() -> Int {
            if leaf < leaves, inner >= nodes.count || nodes[leaf].weight <= nodes[inner].weight {
                leaf += 1
                return leaf - 1
            }
            inner += 1
            return inner - 1
        }
        for _ in 1..<leaves {
            let (left, right) = (takeLightest(), takeLightest())
            nodes.append((nodes[left].weight + nodes[right].weight, -1, -1))
            nodes[left].parent = nodes.count - 1
            nodes[right].parent = nodes.count - 1
        }
        var depths = Array(repeating: 0, count: nodes.count)
        for node in nodes.indices.dropLast().reversed() { depths[node] = depths[nodes[node].parent] + 1 }
        guard depths.allSatisfy({ $0 <= 15 }) else { return false }
        entries.update(repeating: 0)
        for node in 0..<leaves { entries[nodes[node].symbol] = UInt32(depths[node]) << 16 }
        return true
    }

    /// Codes of one length follow one another, shorter ones before longer ones.
    private func assignCodes() {
        var next = 0
        for length in 1...15 {
            next <<= 1
            for symbol in entries.indices where entries[symbol] >> 16 == length {
                entries[symbol] |= UInt32(reversed(UInt64(next), length))
                next += 1
            }
        }
    }
}
