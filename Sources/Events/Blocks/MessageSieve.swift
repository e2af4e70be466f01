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
    /// The bit of all words behind the highest.
    private var limit: UInt64 = 0
    /// By range of ids: whether there is one, whether there are several or one that was found elsewhere too. The last bit,
    /// at `limit`, is never set.
    private var some: [UInt64] = []
    private var several: [UInt64] = []
    /// The only list, and for each word of `some` the first of its ids that lies there or behind it; empty where the sieve
    /// was made of several lists.
    private var only: MessageIDs
    private var starts: [UInt32] = []
    private var candidates = Candidates()

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
            // Two ranges that hold no id.
            (lowest, highest, limit, some, several) = (0, 0, 1, [0], [0])
            return
        }
        let bits = max(64, count * MessageSieve.bitsPerID)
        let range = highest - lowest
        shift = UInt64(max(0, 64 - range.leadingZeroBitCount - (Int.bitWidth - bits.leadingZeroBitCount)))
        limit = range >> shift + 1
        some = Array(repeating: 0, count: Int(limit) / 64 + 1)
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

    /// Appends a message whose bit is set if it may be among the given ones; surely so where they were one list. Takes note
    /// of it.
    private mutating func confirm(_ message: WantedMessage, _ found: inout [WantedMessage]) {
        let id = message.id
        let (index, mask) = bit(of: isWide ? id.high : id.low)
        if !starts.isEmpty {
            let end = Int(starts[index + 1])
            var place = Int(starts[index])
            // Mostly there is one id, or few; where they lie close together there may be very many.
            if end - place > 8 { place = only.firstPlace(notBefore: id, from: place, to: end) }
            while place < end, only.low[place] != id.low || isWide && only.high[place] != id.high { place += 1 }
            guard place < end else { return }
        }
        several[index] |= mask
        found.append(message)
    }

    /// Whether an id of the lists themselves may be there twice, or was found among others.
    package func isShared(_ id: EventID) -> Bool {
        let (index, mask) = bit(of: isWide ? id.high : id.low)
        return several[index] & mask != 0
    }

    @inline(__always)
    private func bit(of word: UInt64) -> (index: Int, mask: UInt64) {
        // A word before the lowest is far behind the highest.
        let bit = min((word &- lowest) &>> shift, limit)
        return (Int(truncatingIfNeeded: bit >> 6), 1 &<< (bit & 63))
    }

    /// Appends those of a block's messages that pass, reading no other column than that of the ids. The block's hash must
    /// have been checked before; damaged bytes are an error or pass wrongly, never a trap.
    package mutating func sift(_ block: EventBlock, into found: inout [WantedMessage]) throws(EventBlockError) {
        let header = try EventBlockHeader(block.bytes, checksHash: false)
        guard header.events == block.count, header.first == block.first, isWide || !header.wide else {
            throw .inconsistent
        }
        let bits = some
        let last = candidates.find(
            block.bytes.span.bytes, header, isWide: isWide, bits: bits.span, lowest: lowest, shift: shift, limit: limit)
        for message in candidates.found { confirm(message, &found) }
        guard last == block.last else { throw .inconsistent }
    }
}

/// The messages of a block whose bit is set.
private struct Candidates {
    private var messages = [WantedMessage](
        repeating: WantedMessage(number: 0, id: EventID(high: 0, low: 0)), count: EventBlock.capacity + 1)
    private var count = 0

    var found: ArraySlice<WantedMessage> { messages[..<count] }

    /// Finds them, and answers the block's last id. `limit` has no bit set, and a place in `bits`.
    mutating func find(
        _ raw: RawSpan, _ header: EventBlockHeader, isWide: Bool, bits: Span<UInt64>, lowest: UInt64, shift: UInt64,
        limit: UInt64
    ) -> EventID {
        let (offset, width) =
            isWide ? (header.offsets[2], header.widthHigh) : (header.offsets[3], header.widthLow)
        precondition(limit >> 6 < UInt64(bits.count) && header.messages <= EventBlock.capacity)
        let first = isWide ? header.first.high : header.first.low
        let last = find(raw, offset, width, first, header.messages, bits, lowest, shift, limit)
        guard isWide else { return EventID(high: 0, low: last) }
        return setLows(raw, header, high: last)
    }

    /// Sets each candidate's number and word, low for now; answers the last message's word.
    ///
    /// Without checks, which would be half of the time. Why this is sound: the header has been checked, so the column's
    /// bytes and 8 behind them are there; a place among the bits is `limit` at most; a message is written at the place of
    /// its number or before.
    private mutating func find(
        _ raw: RawSpan, _ offset: Int, _ width: Int, _ first: UInt64, _ messages: Int, _ bits: Span<UInt64>,
        _ lowest: UInt64, _ shift: UInt64, _ limit: UInt64
    ) -> UInt64 {
        // A wider step may lie in nine bytes.
        guard width <= 57 else {
            var steps = PackedColumn(raw, offset: offset, width: width)
            return find(first, messages, bits, lowest, shift, limit) { _ in steps.next() }
        }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        return raw.withUnsafeBytes { bytes in
            guard let bytes = bytes.baseAddress else { return first }
            return find(first, messages, bits, lowest, shift, limit) { number in
                let bit = offset &* 8 &+ number &* width
                let word = UInt64(littleEndian: (bytes + bit >> 3).loadUnaligned(as: UInt64.self))
                return word &>> UInt64(bit & 7) & mask
            }
        }
    }

    @inline(__always)
    private mutating func find(
        _ first: UInt64, _ messages: Int, _ bits: Span<UInt64>, _ lowest: UInt64, _ shift: UInt64, _ limit: UInt64,
        step: (Int) -> UInt64
    ) -> UInt64 {
        var word = first
        var count = 0
        bits.withUnsafeBufferPointer { bits in
            self.messages.withUnsafeMutableBufferPointer { found in
                guard let bits = bits.baseAddress, let found = found.baseAddress else { return }
                var number = 0
                while true {
                    let bit = min((word &- lowest) &>> shift, limit)
                    // Whether it is set is rarely foreseen: so the message is always written, and counted if it is.
                    found[count] = WantedMessage(number: number, id: EventID(high: 0, low: word))
                    count &+= Int(truncatingIfNeeded: bits[Int(truncatingIfNeeded: bit >> 6)] &>> (bit & 63) & 1)
                    number &+= 1
                    guard number < messages else { return }
                    word = word &+ step(number &- 1)
                }
            }
        }
        self.count = count
        return word
    }

    /// Where the word found so far is the high one, reads the low ones.
    private mutating func setLows(_ raw: RawSpan, _ header: EventBlockHeader, high last: UInt64) -> EventID {
        var steps = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        var low = header.first.low
        var number = 0
        // The last message's comes after those of the candidates.
        for index in 0...count {
            let wanted = index < count ? messages[index].number : header.messages - 1
            while number < wanted {
                let step = steps.next()
                low = header.wide ? step : low &+ step
                number += 1
            }
            if index < count { messages[index].id = EventID(high: messages[index].id.low, low: low) }
        }
        return EventID(high: last, low: low)
    }
}
