/// What the actions are called on the wire. There are a few, so they lie in a row and are looked through.
struct ActionNames {
    private var bytes: [UInt8] = []
    private var actions: [(range: Range<Int>, index: UInt16)] = []

    init(_ indices: [String: UInt16]) {
        for (name, index) in indices.sorted(by: { $0.value < $1.value }) {
            let start = bytes.count
            bytes += Array(name.utf8)
            actions.append((start..<bytes.count, index))
        }
    }

    /// The action with the name in `range`; nil if none has it.
    @inline(__always)
    func index(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        let actions = actions.span
        let bytes = bytes.span
        next: for place in actions.indices where actions[place].range.count == range.count {
            let start = actions[place].range.lowerBound
            for offset in 0..<range.count where bytes[start + offset] != text[range.lowerBound + offset] {
                continue next
            }
            return actions[place].index
        }
        return nil
    }
}
