import Hashing

extension EventBlock {
    /// Appends the block's events. Checks the hash and all sizes first, so damaged bytes are an error, never a trap.
    package func decode(appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var starts = PackedColumn(raw, offset: header.offsets[0], width: 1)
        var changes = PackedColumn(raw, offset: header.offsets[1], width: 1)
        var idHigh = PackedColumn(raw, offset: header.offsets[2], width: header.widthHigh)
        var idLow = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        var deliveries = PackedColumn(raw, offset: header.offsets[4], width: header.widthDelivery)
        var sources = PackedColumn(raw, offset: header.offsets[5], width: header.widthSource)
        var platforms = PackedColumn(raw, offset: header.offsets[6], width: header.widthPlatform)
        var actions = PackedColumn(raw, offset: header.offsets[7], width: header.widthAction)
        var times = PackedColumn(raw, offset: header.offsets[8], width: header.widthTime)
        var positions = PackedColumn(raw, offset: header.offsets[9], width: header.widthPosition)
        var extraRecords = PackedColumn(raw, offset: header.offsets[10], width: header.widthRecords)

        let step: UInt64 = header.wholeSeconds ? 1000 : 1
        var event = Event(id: header.first, time: 0, delivery: 0, source: 0, action: 0, platform: .android)
        var messagesLeft = header.messages
        var changesLeft = header.changes
        var recordsLeft = header.repeated
        var nextRepeated = recordsLeft > 0 ? Int(positions.next()) : -1
        try events.append(addingCapacity: header.events) { (decoded: inout OutputSpan<Event>) throws(EventBlockError) in
            for index in 0..<header.events {
                if starts.next() == 1 {
                    messagesLeft &-= 1
                    guard messagesLeft >= 0 else { throw .inconsistent }
                    if index > 0 {
                        let low = idLow.next()
                        event.id.high = event.id.high &+ idHigh.next()
                        event.id.low = header.wide ? low : event.id.low &+ low
                    }
                }
                if changes.next() == 1 {
                    changesLeft &-= 1
                    guard changesLeft >= 0 else { throw .inconsistent }
                    event.delivery = header.minDelivery &+ UInt32(truncatingIfNeeded: deliveries.next())
                    event.source = UInt16(truncatingIfNeeded: sources.next())
                    guard let platform = Platform(rawValue: UInt8(truncatingIfNeeded: platforms.next())) else {
                        throw .inconsistent
                    }
                    event.platform = platform
                }
                event.action = UInt16(truncatingIfNeeded: actions.next())
                event.time = header.minTime &+ Int64(bitPattern: times.next() &* step)
                if index == nextRepeated {
                    event.records = 1 &+ UInt32(truncatingIfNeeded: extraRecords.next())
                    recordsLeft &-= 1
                    nextRepeated = recordsLeft > 0 ? Int(positions.next()) : -1
                } else {
                    event.records = 1
                }
                decoded.append(event)
            }
        }
        guard messagesLeft == 0, changesLeft == 0, recordsLeft == 0 else { throw .inconsistent }
    }
}

/// The fixed part of a block, and where its columns lie.
struct EventBlockHeader {
    let events: Int
    let messages: Int
    let wide: Bool
    let wholeSeconds: Bool
    let widthHigh: Int
    let widthLow: Int
    let widthDelivery: Int
    let widthSource: Int
    let widthPlatform: Int
    let widthAction: Int
    let widthTime: Int
    let widthRecords: Int
    let widthPosition: Int
    let changes: Int
    let repeated: Int
    let first: EventID
    let minTime: Int64
    let minDelivery: UInt32
    let offsets: InlineArray<11, Int>

    init(_ bytes: [UInt8], checksHash: Bool = true) throws(EventBlockError) {
        guard bytes.count >= EventBlock.headerSize + 8 else { throw .tooShort(bytes: bytes.count) }
        let raw = bytes.span.bytes
        func word<T: FixedWidthInteger & BitwiseCopyable>(_ offset: Int, _ type: T.Type) -> T {
            T(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
        }
        guard !checksHash || word(0, UInt64.self) == WordHash.of(bytes.span.extracting(8..<bytes.count)) else {
            throw .hashDiffers
        }
        events = Int(word(8, UInt32.self))
        messages = Int(word(12, UInt32.self))
        wide = bytes[16] == 1
        wholeSeconds = bytes[17] == 1
        widthHigh = Int(bytes[18])
        widthLow = Int(bytes[19])
        widthDelivery = Int(bytes[20])
        widthSource = Int(bytes[21])
        widthPlatform = Int(bytes[22])
        widthAction = Int(bytes[23])
        widthTime = Int(bytes[24])
        widthRecords = Int(bytes[25])
        widthPosition = Int(bytes[26])
        changes = Int(word(28, UInt32.self))
        repeated = Int(word(32, UInt32.self))
        first = EventID(high: word(36, UInt64.self), low: word(44, UInt64.self))
        minTime = Int64(bitPattern: word(52, UInt64.self))
        minDelivery = word(60, UInt32.self)
        guard (1...EventBlock.capacity).contains(events), (1...events).contains(messages),
            (1...events).contains(changes), (0...events).contains(repeated),
            bytes[18..<27].allSatisfy({ $0 <= 64 })
        else { throw .inconsistent }
        var offset = EventBlock.headerSize
        var offsets = InlineArray<11, Int>(repeating: 0)
        let columns: InlineArray<11, (Int, Int)> = [
            (events, 1), (events, 1), (messages - 1, widthHigh), (messages - 1, widthLow), (changes, widthDelivery),
            (changes, widthSource), (changes, widthPlatform), (events, widthAction), (events, widthTime),
            (repeated, widthPosition), (repeated, widthRecords),
        ]
        for index in columns.indices {
            offsets[index] = offset
            offset += packedSize(count: columns[index].0, width: columns[index].1)
        }
        guard offset + 8 == bytes.count else { throw .inconsistent }
        self.offsets = offsets
    }
}
