/// Tells quickly which ids are among given ones, for ids that come in order: a bit stands for a range of ids, so that
/// neighbours are asked about neighbouring bits, and most ids that are not among them are known by a bit. A nanosecond or
/// two an id.
package struct MessageSieve: Sendable {
    private static let bitsPerID = 64

    /// Ids are told apart by their word that differs first.
    private let isWide: Bool
    private var lowest: UInt64 = .max
    private var highest: UInt64 = 0
    private var shift: UInt64 = 0
    /// By range of ids: whether there is one, whether there are several or one that was found elsewhere too.
    private var some: [UInt64] = []
    private var several: [UInt64] = []
    /// The only list, and for each word of `some` the first of its ids that lies there or behind it; empty where the sieve
    /// was made of several lists.
    private var only: MessageIDs
    private var starts: [UInt32] = []

    /// `places` are those of the ids of each list that count; they are in order.
    package init(_ lists: [(ids: MessageIDs, places: Range<Int>)], isWide: Bool) {
        self.isWide = isWide
        only = MessageIDs(isWide: isWide)
        var count = 0
        for (ids, places) in lists where !places.isEmpty {
            let words = isWide ? ids.high : ids.low
            for place in places {
                lowest = min(lowest, words[place])
                highest = max(highest, words[place])
            }
            count += places.count
        }
        guard count > 0 else {
            // One range that holds no id.
            (lowest, highest, some, several) = (0, 0, [0], [0])
            return
        }
        let bits = max(64, count * MessageSieve.bitsPerID)
        let range = highest - lowest
        shift = UInt64(max(0, 64 - range.leadingZeroBitCount - (Int.bitWidth - bits.leadingZeroBitCount)))
        some = Array(repeating: 0, count: Int(range >> shift) / 64 + 1)
        several = some
        for (ids, places) in lists { mark(ids, places) }
        if lists.count == 1 { index(lists[0].ids, lists[0].places) }
    }

    private mutating func mark(_ ids: MessageIDs, _ places: Range<Int>) {
        let words = isWide ? ids.high : ids.low
        for place in places {
            let (index, mask) = bit(of: words[place])
            if some[index] & mask != 0 { several[index] |= mask } else { some[index] |= mask }
        }
    }

    private mutating func index(_ ids: MessageIDs, _ places: Range<Int>) {
        only = ids
        let words = isWide ? ids.high : ids.low
        starts.reserveCapacity(some.count + 1)
        for place in places {
            let index = bit(of: words[place]).index
            while starts.count <= index { starts.append(UInt32(place)) }
        }
        while starts.count <= some.count { starts.append(UInt32(places.upperBound)) }
    }

    /// Whether an id whose bit is set may be among the given ones; surely so where they were one list. Takes note of it.
    private mutating func confirms(_ id: EventID) -> Bool {
        let (index, mask) = bit(of: isWide ? id.high : id.low)
        if !starts.isEmpty {
            let end = Int(starts[index + 1])
            var place = Int(starts[index])
            // Mostly there is one id, or few; where they lie close together there may be very many.
            if end - place > 8 { place = only.firstPlace(notBefore: id, from: place, to: end) }
            while place < end, only.low[place] != id.low || isWide && only.high[place] != id.high { place += 1 }
            guard place < end else { return false }
        }
        several[index] |= mask
        return true
    }

    /// Whether an id of the lists themselves may be there twice, or was found among others.
    package func isShared(_ id: EventID) -> Bool {
        let (index, mask) = bit(of: isWide ? id.high : id.low)
        return several[index] & mask != 0
    }

    @inline(__always)
    private func bit(of word: UInt64) -> (index: Int, mask: UInt64) {
        let bit = (word &- lowest) &>> shift
        return (Int(truncatingIfNeeded: bit >> 6), 1 &<< (bit & 63))
    }

    /// Appends those of a block's messages that pass, reading no other column than that of the ids. The block's hash must
    /// have been checked before; damaged bytes are an error or pass wrongly, never a trap.
    package mutating func sift(_ block: EventBlock, into found: inout [WantedMessage]) throws(EventBlockError) {
        let header = try EventBlockHeader(block.bytes, checksHash: false)
        guard header.events == block.count, header.first == block.first, isWide || !header.wide else {
            throw .inconsistent
        }
        let before = found.count
        let last = isWide ? sift(wide: block, header, into: &found) : sift(narrow: block, header, into: &found)
        guard last == block.last else { throw .inconsistent }
        var end = before
        for place in before..<found.count where confirms(found[place].id) {
            found[end] = found[place]
            end += 1
        }
        found.removeLast(found.count - end)
    }

    /// Appends the messages whose bit is set, and answers the last id.
    private func sift(
        narrow block: EventBlock, _ header: EventBlockHeader, into candidates: inout [WantedMessage]
    ) -> EventID {
        let raw = block.bytes.span.bytes
        var steps = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        let (bits, lowest, range, shift) = (some.span, lowest, highest &- lowest, shift)
        var low = header.first.low
        var number = 0
        while true {
            // An id before the lowest is far behind the highest.
            let offset = low &- lowest
            if offset <= range {
                let bit = offset &>> shift
                if bits[Int(truncatingIfNeeded: bit >> 6)] &>> (bit & 63) & 1 != 0 {
                    candidates.append(WantedMessage(number: number, id: EventID(high: 0, low: low)))
                }
            }
            number &+= 1
            guard number < header.messages else { return EventID(high: 0, low: low) }
            low = low &+ steps.next()
        }
    }

    private func sift(
        wide block: EventBlock, _ header: EventBlockHeader, into candidates: inout [WantedMessage]
    ) -> EventID {
        let raw = block.bytes.span.bytes
        var highs = PackedColumn(raw, offset: header.offsets[2], width: header.widthHigh)
        var lows = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        let (bits, lowest, range, shift) = (some.span, lowest, highest &- lowest, shift)
        var id = header.first
        var number = 0
        while true {
            let offset = id.high &- lowest
            if offset <= range {
                let bit = offset &>> shift
                if bits[Int(truncatingIfNeeded: bit >> 6)] &>> (bit & 63) & 1 != 0 {
                    candidates.append(WantedMessage(number: number, id: id))
                }
            }
            number &+= 1
            guard number < header.messages else { return id }
            id.high = id.high &+ highs.next()
            let low = lows.next()
            id.low = header.wide ? low : id.low &+ low
        }
    }
}
