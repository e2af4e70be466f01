import Events

/// A message that several partitions have: which of the messages in hand of one of them it is.
struct Meeting: Sendable {
    let id: EventID
    let list: Int
    let message: Int
}

/// Finds the messages that several partitions have, one of them a wanted one, among ids in hand. An id sets a bit that its
/// hash tells; only ids whose bit two have set are looked at further. A few nanoseconds an id.
struct MeetingFinder {
    /// The ids of a partition in order, and the places among them to look at.
    struct List {
        let ids: MessageIDs
        let places: Range<Int>
        /// Whether the partition's meetings are wanted; those of the others only where they are with a wanted one.
        let isWanted: Bool
    }

    private static let bitsPerID = 16

    private var seen: [UInt64] = []
    private var several: [UInt64] = []
    private var shift: UInt64 = 0

    /// The meetings in the order of their ids and lists. A message is there twice in a list if two blocks share it.
    mutating func meetings(_ lists: [List]) -> [Meeting] {
        clear(for: lists.reduce(0) { $0 + ($1.isWanted ? $1.places.count : 0) })
        for list in lists where list.isWanted { mark(list) }
        for list in lists where !list.isWanted { markSeen(list) }
        var meetings: [Meeting] = []
        for (number, list) in lists.enumerated() { collect(list, number: number, into: &meetings) }
        meetings.sort { a, b in
            guard a.id.isSame(as: b.id) else { return a.id.precedes(b.id) }
            return a.list != b.list ? a.list < b.list : a.message < b.message
        }
        return MeetingFinder.shared(meetings, lists)
    }

    private mutating func clear(for ids: Int) {
        let bits = max(64, (ids * MeetingFinder.bitsPerID).nextPowerOf2)
        shift = UInt64(64 - bits.trailingZeroBitCount)
        seen.removeAll(keepingCapacity: true)
        seen.append(contentsOf: repeatElement(0, count: bits / 64))
        several.removeAll(keepingCapacity: true)
        several.append(contentsOf: repeatElement(0, count: bits / 64))
    }

    private mutating func mark(_ list: List) {
        let (low, high, isWide) = (list.ids.low, list.ids.high, list.ids.isWide)
        for place in list.places {
            let bit = bit(low[place], isWide ? high[place] : 0)
            let mask: UInt64 = 1 &<< UInt64(bit & 63)
            let word = seen[bit >> 6]
            if word & mask != 0 { several[bit >> 6] |= mask } else { seen[bit >> 6] = word | mask }
        }
    }

    /// Like `mark`, but only for what has been seen.
    private mutating func markSeen(_ list: List) {
        let (low, high, isWide) = (list.ids.low, list.ids.high, list.ids.isWide)
        for place in list.places {
            let bit = bit(low[place], isWide ? high[place] : 0)
            let mask: UInt64 = 1 &<< UInt64(bit & 63)
            if seen[bit >> 6] & mask != 0 { several[bit >> 6] |= mask }
        }
    }

    private func collect(_ list: List, number: Int, into meetings: inout [Meeting]) {
        let (low, high, isWide) = (list.ids.low, list.ids.high, list.ids.isWide)
        for place in list.places {
            let id = EventID(high: isWide ? high[place] : 0, low: low[place])
            let bit = bit(id.low, id.high)
            guard several[bit >> 6] &>> UInt64(bit & 63) & 1 != 0 else { continue }
            meetings.append(Meeting(id: id, list: number, message: place))
        }
    }

    @inline(__always)
    private func bit(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ (high &* 0xD6E8_FEB8_6659_FD93)) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    /// Without the ids that only one list has, or no wanted one.
    private static func shared(_ meetings: [Meeting], _ lists: [List]) -> [Meeting] {
        var shared: [Meeting] = []
        var start = 0
        while start < meetings.count {
            var end = start + 1
            while end < meetings.count, meetings[end].id.isSame(as: meetings[start].id) { end += 1 }
            if meetings[start].list != meetings[end - 1].list,
                meetings[start..<end].contains(where: { lists[$0.list].isWanted })
            {
                shared += meetings[start..<end]
            }
            start = end
        }
        return shared
    }
}

extension Int {
    fileprivate var nextPowerOf2: Int {
        self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount)
    }
}
