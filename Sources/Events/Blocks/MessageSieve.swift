/// Finds the messages of event blocks that also occur in given lists of ids.
///
/// It is a bitmap over ranges of ids, with about 64 bits per listed id. Ids arrive in order, so neighbouring ids read
/// neighbouring bits, and a clear bit excludes most ids. A lookup takes one or two nanoseconds.
package struct MessageSieve: Sendable {
    private static let bitsPerID = 64

    /// Whether the bitmap covers the high words of the ids; otherwise it covers the low words.
    private let isWide: Bool
    private let lowest: UInt64
    /// The bit of a word is (word - lowest) >> shift.
    private let shift: UInt64
    /// The bit for all words above the highest. It is the last bit and never set.
    private let limit: UInt64
    /// A bit per range of ids: at least one listed id lies in the range.
    private var some: [UInt64]
    /// A bit per range of ids: several listed ids lie in the range, or `sift` found an id there.
    private var several: [UInt64]
    /// The list, if there is only one with ids; then a candidate can be confirmed exactly.
    private var only: ArraySlice<EventID> = []
    /// For each word of `some`, the index of the first id of `only` at or after that word. Empty unless there is a
    /// single list.
    private var starts: [UInt32] = []
    private var candidates = Candidates()

    /// - Parameters:
    ///   - lists: sorted ids.
    ///   - isWide: whether the ids use their high word.
    package init(_ lists: [ArraySlice<EventID>], isWide: Bool) {
        self.isWide = isWide
        let lists = lists.filter { !$0.isEmpty }
        let ends = lists.flatMap { [$0.first, $0.last] }.compactMap(\.self).map { isWide ? $0.high : $0.low }
        let bits = max(64, lists.reduce(0) { $0 + $1.count } * MessageSieve.bitsPerID)
        lowest = ends.min() ?? 0
        let range = (ends.max() ?? 0) - lowest
        shift = UInt64(max(0, 64 - range.leadingZeroBitCount - (Int.bitWidth - bits.leadingZeroBitCount)))
        limit = range >> shift + 1
        some = Array(repeating: 0, count: Int(limit) / 64 + 1)
        several = some
        for ids in lists { mark(ids) }
        if lists.count == 1 { index(lists[0]) }
    }

    private mutating func mark(_ ids: ArraySlice<EventID>) {
        for id in ids {
            let (word, mask) = bit(of: id)
            if some[word] & mask != 0 { several[word] |= mask } else { some[word] |= mask }
        }
    }

    private mutating func index(_ ids: ArraySlice<EventID>) {
        only = ids
        starts.reserveCapacity(some.count + 1)
        for index in ids.indices {
            let word = bit(of: ids[index]).word
            while starts.count <= word { starts.append(UInt32(index)) }
        }
        while starts.count <= some.count { starts.append(UInt32(ids.endIndex)) }
    }

    /// Whether a listed id may occur in several lists, or may have been found by `sift`. False is certain.
    package func isShared(_ id: EventID) -> Bool {
        let (word, mask) = bit(of: id)
        return several[word] & mask != 0
    }

    /// The bit for an id: the index of a word of `some`, and a mask.
    @inline(__always)
    private func bit(of id: EventID) -> (word: Int, mask: UInt64) {
        // A word below the lowest wraps around to a large difference, and so has the bit `limit`.
        let bit = min(((isWide ? id.high : id.low) &- lowest) &>> shift, limit)
        return (Int(truncatingIfNeeded: bit >> 6), 1 &<< (bit & 63))
    }

    /// Appends the messages of a block that may be in the lists; with a single list, exactly those that are in it.
    ///
    /// Reads only the columns of ids. The block's hash must have been checked before. Damaged bytes are an error or
    /// give wrong messages, but never a trap.
    package mutating func sift(_ block: EventBlock, into found: inout [WantedMessage]) throws(EventBlockError) {
        let header = try EventBlockHeader(block.bytes, checksHash: false)
        guard header.events == block.count, header.first == block.first, isWide || !header.isWide else {
            throw .inconsistent
        }
        let bits = some
        let last = candidates.find(
            in: block.bytes.span.bytes, header: header, isWide: isWide, bits: bits.span, lowest: lowest, shift: shift,
            limit: limit)
        for message in candidates.found { confirm(message, appendingTo: &found) }
        guard last == block.last else { throw .inconsistent }
    }

    /// Appends a candidate, and marks it as found. With a single list, first checks that the list has the id.
    private mutating func confirm(_ message: WantedMessage, appendingTo found: inout [WantedMessage]) {
        let (word, mask) = bit(of: message.id)
        if !starts.isEmpty {
            let end = Int(starts[word + 1])
            var index = Int(starts[word])
            // Usually there are few ids here. Where ids are dense, there may be very many.
            if end - index > 8 { index = firstIndex(in: index..<end) { only[$0] < message.id } }
            while index < end, only[index] != message.id { index += 1 }
            guard index < end else { return }
        }
        several[word] |= mask
        found.append(message)
    }
}

/// The messages of a block whose bit is set.
private struct Candidates {
    private var messages = [WantedMessage](
        repeating: WantedMessage(index: 0, id: EventID(high: 0, low: 0)), count: EventBlock.capacity + 1)
    private var count = 0

    var found: ArraySlice<WantedMessage> { messages[..<count] }

    /// Finds the candidates of a block and returns the block's last id. The bit `limit` of `bits` must exist and be
    /// clear.
    ///
    /// Reads and writes without bounds checks, which would take half of the time. This is sound: The header has been
    /// checked, so the column and 8 bytes after it exist. The index of a bit is at most `limit`. A message is written
    /// at an index that is at most its own.
    mutating func find(
        in raw: RawSpan, header: EventBlockHeader, isWide: Bool, bits: Span<UInt64>, lowest: UInt64, shift: UInt64,
        limit: UInt64
    ) -> EventID {
        let (offset, width) = header.layout(of: isWide ? .idHigh : .idLow)
        precondition(limit >> 6 < UInt64(bits.count) && header.messages <= EventBlock.capacity)
        let first = isWide ? header.first.high : header.first.low
        let last: UInt64
        if width <= 57 {
            let mask: UInt64 = (1 &<< UInt64(width)) &- 1
            last = raw.withUnsafeBytes { bytes in
                guard let bytes = bytes.baseAddress else { return first }
                return find(
                    first: first, messages: header.messages, bits: bits, lowest: lowest, shift: shift, limit: limit
                ) { index in
                    let bit = offset &* 8 &+ index &* width
                    let word = UInt64(littleEndian: (bytes + bit >> 3).loadUnaligned(as: UInt64.self))
                    return word &>> UInt64(bit & 7) & mask
                }
            }
        } else {
            // Such a step can extend over nine bytes.
            var steps = PackedColumn(raw, offset: offset, width: width)
            last = find(first: first, messages: header.messages, bits: bits, lowest: lowest, shift: shift, limit: limit)
            { _ in steps.next() }
        }
        guard isWide else { return EventID(high: 0, low: last) }
        return setLows(from: raw, header: header, high: last)
    }

    /// Writes the index of each candidate, and its word into `id.low`; returns the word of the last message.
    @inline(__always)
    private mutating func find(
        first: UInt64, messages: Int, bits: Span<UInt64>, lowest: UInt64, shift: UInt64, limit: UInt64,
        step: (Int) -> UInt64
    ) -> UInt64 {
        var word = first
        var count = 0
        bits.withUnsafeBufferPointer { bits in
            self.messages.withUnsafeMutableBufferPointer { found in
                guard let bits = bits.baseAddress, let found = found.baseAddress else { return }
                var index = 0
                while true {
                    let bit = min((word &- lowest) &>> shift, limit)
                    // The bit is unpredictable, hence branch-free: every message is written, and counted if its bit is
                    // set.
                    found[count] = WantedMessage(index: index, id: EventID(high: 0, low: word))
                    count &+= Int(truncatingIfNeeded: bits[Int(truncatingIfNeeded: bit >> 6)] &>> (bit & 63) & 1)
                    index &+= 1
                    guard index < messages else { return }
                    word = word &+ step(index &- 1)
                }
            }
        }
        self.count = count
        return word
    }

    /// Completes wide ids: the word found so far becomes the high word, and the low word is read. Returns the last id.
    private mutating func setLows(from raw: RawSpan, header: EventBlockHeader, high last: UInt64) -> EventID {
        var steps = header.column(.idLow, of: raw)
        var low = header.first.low
        var index = 0
        // One iteration for each candidate, and one for the last message of the block.
        for candidate in 0...count {
            let wanted = candidate < count ? messages[candidate].index : header.messages - 1
            while index < wanted {
                let step = steps.next()
                low = header.isWide ? step : low &+ step
                index += 1
            }
            if candidate < count { messages[candidate].id = EventID(high: messages[candidate].id.low, low: low) }
        }
        return EventID(high: last, low: low)
    }
}
