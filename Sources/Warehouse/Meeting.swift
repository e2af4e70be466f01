import Events

/// A message that a partition shares with others: which of the partition's messages in hand it is.
struct Meeting: Sendable {
    let id: EventID
    let partition: Int
    let message: Int
}

/// Finds the messages that several partitions have, among ids in hand. An id sets a bit that its hash tells; only ids
/// whose bit two have set are looked at further. A few nanoseconds an id.
struct MeetingFinder {
    private static let bitsPerID = 16

    private var seen: [UInt64] = []
    private var several: [UInt64] = []
    private var shift: UInt64 = 0

    /// Of each partition its ids in order, and the places among them to look at. Answers the meetings in the order of
    /// their ids and partitions; a message that a partition has only once is there all the same if two blocks of it
    /// share the message.
    mutating func meetings(_ lists: [(ids: MessageIDs, places: Range<Int>)]) -> [Meeting] {
        clear(for: lists.reduce(0) { $0 + $1.places.count })
        for list in lists { mark(list.ids, list.places) }
        var meetings: [Meeting] = []
        for (partition, list) in lists.enumerated() {
            collect(list.ids, list.places, of: partition, into: &meetings)
        }
        meetings.sort { a, b in
            if a.id.isSame(as: b.id) { return a.partition != b.partition ? a.partition < b.partition : a.message < b.message }
            return a.id.precedes(b.id)
        }
        return MeetingFinder.shared(meetings)
    }

    private mutating func clear(for ids: Int) {
        let bits = max(64, (ids * MeetingFinder.bitsPerID).nextPowerOf2)
        shift = UInt64(64 - bits.trailingZeroBitCount)
        seen.removeAll(keepingCapacity: true)
        seen.append(contentsOf: repeatElement(0, count: bits / 64))
        several.removeAll(keepingCapacity: true)
        several.append(contentsOf: repeatElement(0, count: bits / 64))
    }

    private mutating func mark(_ ids: MessageIDs, _ places: Range<Int>) {
        let (low, high, isWide) = (ids.low, ids.high, ids.isWide)
        for place in places {
            let bit = bit(low[place], isWide ? high[place] : 0)
            let mask: UInt64 = 1 &<< UInt64(bit & 63)
            let word = seen[bit >> 6]
            if word & mask != 0 { several[bit >> 6] |= mask } else { seen[bit >> 6] = word | mask }
        }
    }

    private func collect(_ ids: MessageIDs, _ places: Range<Int>, of partition: Int, into meetings: inout [Meeting]) {
        let (low, high, isWide) = (ids.low, ids.high, ids.isWide)
        for place in places {
            let id = EventID(high: isWide ? high[place] : 0, low: low[place])
            let bit = bit(id.low, id.high)
            guard several[bit >> 6] &>> UInt64(bit & 63) & 1 != 0 else { continue }
            meetings.append(Meeting(id: id, partition: partition, message: place))
        }
    }

    @inline(__always)
    private func bit(_ low: UInt64, _ high: UInt64) -> Int {
        Int(truncatingIfNeeded: ((low ^ (high &* 0xD6E8_FEB8_6659_FD93)) &* 0x9E37_79B9_7F4A_7C15) &>> shift)
    }

    /// Without the ids that only one partition has.
    private static func shared(_ meetings: [Meeting]) -> [Meeting] {
        var shared: [Meeting] = []
        var start = 0
        while start < meetings.count {
            var end = start + 1
            while end < meetings.count, meetings[end].id.isSame(as: meetings[start].id) { end += 1 }
            if meetings[start].partition != meetings[end - 1].partition { shared += meetings[start..<end] }
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
