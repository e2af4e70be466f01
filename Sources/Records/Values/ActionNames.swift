/// The names of the actions in payloads. There are only a few, so a linear search is enough.
struct ActionNames {
    private var bytes: [UInt8] = []
    private var actions: [(range: Range<Int>, index: UInt16)] = []

    /// The most names that are learned.
    private static let learnLimit = 1000

    /// - Parameter indices: the index of each action, by its name.
    init(_ indices: [String: UInt16]) {
        for (name, index) in indices.sorted(by: { $0.value < $1.value }) {
            let start = bytes.count
            bytes += Array(name.utf8)
            actions.append((start..<bytes.count, index))
        }
    }

    /// The index of the action with the name in `range`; nil if there is none.
    @inline(__always)
    func index(of text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        let actions = actions.span
        let bytes = bytes.span
        for entry in actions.indices
        where actions[entry].range.count == range.count
            && text.holds(bytes.extracting(actions[entry].range), at: range.lowerBound)
        {
            return actions[entry].index
        }
        return nil
    }

    /// Adds the name in `range` with the next index. Returns nil if there are too many names.
    mutating func learn(_ text: Span<UInt8>, _ range: Range<Int>) -> UInt16? {
        guard actions.count < ActionNames.learnLimit else { return nil }
        let start = bytes.count
        bytes.append(text, range)
        let index = (actions.map(\.index).max() ?? 0) + 1
        actions.append((start..<bytes.count, index))
        return index
    }

    /// The names by their indices.
    var names: [UInt16: String] {
        Dictionary(uniqueKeysWithValues: actions.map { ($0.index, String(decoding: bytes[$0.range], as: UTF8.self)) })
    }
}
