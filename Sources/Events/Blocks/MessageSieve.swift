/// Finds ids that also occur in given lists.
///
/// It is a bitmap over ranges of ids, with about 64 bits per listed id. Ids come in order, so neighbouring ids read
/// neighbouring bits, and a clear bit excludes most ids.
package struct MessageSieve: Sendable {
    private static let bitsPerID = 64

    private let lowest: EventID
    private let highest: EventID
    private let range: IDRange
    /// The bit of an id is its key >> shift.
    private let shift: UInt64
    /// A bit per range of ids: at least one listed id lies in the range.
    private var some: [UInt64]
    /// A bit per range of ids: several listed ids lie in the range, or `sift` found an id there.
    private var several: [UInt64]
    /// The list, if there is a single one: what the bitmap lets pass is looked up in it.
    private let only: [EventID]?

    /// - Parameter lists: sorted ids.
    package init(_ lists: [[EventID]]) {
        assert(lists.allSatisfy { zip($0, $0.dropFirst()).allSatisfy { $0 <= $1 } })
        only = lists.count == 1 ? lists[0] : nil
        lowest = lists.compactMap(\.first).min() ?? EventID(high: .max, low: .max)
        highest = lists.compactMap(\.last).max() ?? EventID(high: 0, low: 0)
        range = IDRange(lowest, highest)
        let bits = bitWidth(of: UInt64(max(1, lists.reduce(0) { $0 + $1.count }) * MessageSieve.bitsPerID))
        shift = UInt64(max(0, range.bits - bits))
        some = Array(repeating: 0, count: Int(range.key(highest) >> shift) / 64 + 1)
        several = some
        for id in lists.joined() {
            guard let (word, mask) = bit(of: id) else { continue }
            if some[word] & mask != 0 { several[word] |= mask } else { some[word] |= mask }
        }
    }

    /// The ids that may be in the lists; with a single list exactly those that are in it. They count as found from then on.
    /// - Parameter ids: of another list, sorted.
    package mutating func sift(_ ids: [EventID]) -> [EventID] {
        assert(zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 })
        var found: [EventID] = []
        var start = 0
        for id in ids {
            guard let (word, mask) = bit(of: id), some[word] & mask != 0 else { continue }
            if let only {
                start = firstIndex(in: start..<only.count) { only[$0] < id }
                guard start < only.count, only[start] == id else { continue }
            }
            several[word] |= mask
            found.append(id)
        }
        return found
    }

    /// The ids that may be in several lists, or may have been found by `sift`.
    /// - Parameter ids: of one of the lists.
    package func shared(_ ids: [EventID]) -> [EventID] {
        ids.filter { id in bit(of: id).map { several[$0.word] & $0.mask != 0 } ?? false }
    }

    /// The bit of an id: the index of a word of `some`, and a mask. Nil if no listed id is that low or that high.
    @inline(__always)
    private func bit(of id: EventID) -> (word: Int, mask: UInt64)? {
        guard lowest <= id, id <= highest else { return nil }
        let bit = range.key(id) &>> shift
        return (Int(truncatingIfNeeded: bit >> 6), 1 &<< (bit & 63))
    }
}
