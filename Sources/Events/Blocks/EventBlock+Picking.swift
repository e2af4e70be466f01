extension EventBlock {
    /// Appends the events of some messages. The other events cost next to nothing.
    ///
    /// The block's hash must have been checked before, as `decodeIDs` does.
    /// - Parameters:
    ///   - wanted: messages of this block, in the order of their indices.
    ///   - events: receives the events.
    package func pick(_ wanted: [WantedMessage], appendingTo events: inout [Event]) throws(EventBlockError) {
        assert(zip(wanted, wanted.dropFirst()).allSatisfy { $0.index < $1.index })
        let header = try EventBlockHeader(bytes, checksHash: false)
        let raw = bytes.span.bytes
        var starts = BitWalk(raw, offset: header.layout(of: .messageStart).offset, count: header.events)
        var changes = BitWalk(raw, offset: header.layout(of: .detailChange).offset, count: header.events)
        let deliveries = header.column(.delivery, of: raw)
        let sources = header.column(.source, of: raw)
        let platforms = header.column(.platform, of: raw)
        let actions = header.column(.action, of: raw)
        let times = header.column(.time, of: raw)
        let repeatedIndices = header.column(.repeatedIndex, of: raw)
        let extraRecords = header.column(.extraRecords, of: raw)
        var repeated = 0
        for message in wanted {
            guard let start = starts.index(ofBit: message.index), message.index < header.messages else {
                throw .inconsistent
            }
            let end = starts.index(ofBit: message.index + 1) ?? header.events
            for index in start..<end {
                let change = changes.bits(through: index) - 1
                guard (0..<header.changes).contains(change),
                    let platform = Platform(rawValue: UInt8(truncatingIfNeeded: platforms[change]))
                else { throw .inconsistent }
                while repeated < header.repeated, repeatedIndices[repeated] < index { repeated += 1 }
                let isRepeated = repeated < header.repeated && repeatedIndices[repeated] == index
                events.append(
                    Event(
                        id: message.id, time: header.minTime &+ Int64(bitPattern: times[index] &* header.timeStep),
                        delivery: header.minDelivery &+ UInt32(truncatingIfNeeded: deliveries[change]),
                        records: isRepeated ? 1 &+ UInt32(truncatingIfNeeded: extraRecords[repeated]) : 1,
                        source: UInt16(truncatingIfNeeded: sources[change]),
                        action: UInt16(truncatingIfNeeded: actions[index]), platform: platform))
            }
        }
    }
}

/// Walks forward over a column of single bits, one word of 64 bits at a time. A question may concern the current word
/// or a later one, not an earlier one.
private struct BitWalk: ~Escapable {
    private let bytes: RawSpan
    private let offset: Int
    private let count: Int
    /// The index of the current word.
    private var word = 0
    /// The number of set bits in the words before it.
    private var before = 0

    /// The column begins at the byte `offset` of `bytes` and is followed by at least 8 more bytes. `count` is its
    /// length in bits.
    @_lifetime(copy bytes)
    init(_ bytes: RawSpan, offset: Int, count: Int) {
        assert(offset >= 0 && bytes.byteCount >= offset + (count + 7) / 8 + 8)
        self.bytes = bytes
        self.offset = offset
        self.count = count
    }

    /// The index of the set bit with this number, which counts set bits from 0. Returns nil if there are fewer set
    /// bits.
    mutating func index(ofBit number: Int) -> Int? {
        while word &* 64 < count {
            let bits = load(word)
            let here = bits.nonzeroBitCount
            if number < before &+ here {
                var rest = bits
                for _ in before..<number { rest &= rest &- 1 }
                return word &* 64 &+ rest.trailingZeroBitCount
            }
            // The next question may concern the last word again, so do not go past it.
            guard (word &+ 1) &* 64 < count else { return nil }
            before &+= here
            word &+= 1
        }
        return nil
    }

    /// The number of set bits up to and including `index`.
    mutating func bits(through index: Int) -> Int {
        while word < index >> 6 {
            before &+= load(word).nonzeroBitCount
            word &+= 1
        }
        let mask = UInt64.max &>> UInt64(63 &- (index & 63))
        return before &+ (load(word) & mask).nonzeroBitCount
    }

    /// The bits of a word; bits after the end of the column are cleared.
    private func load(_ word: Int) -> UInt64 {
        let bits = UInt64(
            littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset &+ word &* 8, as: UInt64.self))
        let left = count &- word &* 64
        return left >= 64 ? bits : bits & ((1 &<< UInt64(left)) &- 1)
    }
}
