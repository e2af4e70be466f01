extension EventBlock {
    /// Appends the events of some messages, which must be in order; for each event its place in the block, and for each
    /// message how many events there are then. The other events cost next to nothing. The block's hash must have been
    /// checked before, as `MessageIDs` does.
    package func pick(
        _ wanted: [WantedMessage], events: inout [Event], places: inout [Int], ends: inout [Int]
    ) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes, checksHash: false)
        let raw = bytes.span.bytes
        var starts = BitWalk(raw, offset: header.offsets[0], count: header.events)
        var changes = BitWalk(raw, offset: header.offsets[1], count: header.events)
        let deliveries = PackedColumn(raw, offset: header.offsets[4], width: header.widthDelivery)
        let sources = PackedColumn(raw, offset: header.offsets[5], width: header.widthSource)
        let platforms = PackedColumn(raw, offset: header.offsets[6], width: header.widthPlatform)
        let actions = PackedColumn(raw, offset: header.offsets[7], width: header.widthAction)
        let times = PackedColumn(raw, offset: header.offsets[8], width: header.widthTime)
        let positions = PackedColumn(raw, offset: header.offsets[9], width: header.widthPosition)
        let extraRecords = PackedColumn(raw, offset: header.offsets[10], width: header.widthRecords)
        let step: UInt64 = header.wholeSeconds ? 1000 : 1
        var repeated = 0
        for message in wanted {
            guard let start = starts.place(ofBit: message.number), message.number < header.messages else {
                throw .inconsistent
            }
            let end = starts.place(ofBit: message.number + 1) ?? header.events
            for place in start..<end {
                let change = changes.bits(through: place) - 1
                guard (0..<header.changes).contains(change),
                    let platform = Platform(rawValue: UInt8(truncatingIfNeeded: platforms[change]))
                else { throw .inconsistent }
                while repeated < header.repeated, positions[repeated] < place { repeated += 1 }
                let isRepeated = repeated < header.repeated && positions[repeated] == place
                events.append(
                    Event(
                        id: message.id, time: header.minTime &+ Int64(bitPattern: times[place] &* step),
                        delivery: header.minDelivery &+ UInt32(truncatingIfNeeded: deliveries[change]),
                        records: isRepeated ? 1 &+ UInt32(truncatingIfNeeded: extraRecords[repeated]) : 1,
                        source: UInt16(truncatingIfNeeded: sources[change]),
                        action: UInt16(truncatingIfNeeded: actions[place]), platform: platform))
                places.append(place)
            }
            ends.append(events.count)
        }
    }
}

/// Walks a column of single bits a word at a time, forward only but for the word in hand.
private struct BitWalk: ~Escapable {
    private let bytes: RawSpan
    private let offset: Int
    private let count: Int
    /// The word in hand, and the set bits of the words before it.
    private var word = 0
    private var before = 0

    /// `bytes` must hold the column from `offset` on, and 8 more bytes behind its last.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, offset: Int, count: Int) {
        self.bytes = bytes
        self.offset = offset
        self.count = count
    }

    /// The place of the set bit that has `number` set bits before it; nil if there are not so many.
    mutating func place(ofBit number: Int) -> Int? {
        while word &* 64 < count {
            let bits = load(word)
            let here = bits.nonzeroBitCount
            if number < before &+ here {
                var rest = bits
                for _ in before..<number { rest &= rest &- 1 }
                return word &* 64 &+ rest.trailingZeroBitCount
            }
            // A later question may be about this word's last bit again, so the last word is kept.
            guard (word &+ 1) &* 64 < count else { return nil }
            before &+= here
            word &+= 1
        }
        return nil
    }

    /// The number of set bits up to and with `place`.
    mutating func bits(through place: Int) -> Int {
        while word < place >> 6 {
            before &+= load(word).nonzeroBitCount
            word &+= 1
        }
        let mask = UInt64.max &>> UInt64(63 &- (place & 63))
        return before &+ (load(word) & mask).nonzeroBitCount
    }

    /// The bits of a word, those behind the column's end cleared.
    private func load(_ word: Int) -> UInt64 {
        let bits = UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset &+ word &* 8, as: UInt64.self))
        let left = count &- word &* 64
        return left >= 64 ? bits : bits & ((1 &<< UInt64(left)) &- 1)
    }
}
