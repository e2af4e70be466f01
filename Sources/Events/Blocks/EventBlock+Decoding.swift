import Hashing

extension EventBlock {
    /// Appends the events of a block that another process has made.
    package static func decode(_ bytes: [UInt8], appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes, checksHash: false)
        try EventBlock(first: header.first, last: header.first, count: header.events, bytes: bytes)
            .decode(appendingTo: &events)
    }

    /// Appends all events of the block. Checks the hash and all sizes first, then the order of the events, so whatever the
    /// bytes are, they are an error and never a trap.
    package func decode(appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var starts = header.column(.messageStart, of: raw)
        var changes = header.column(.detailChange, of: raw)
        var idHigh = header.column(.idHigh, of: raw)
        var idLow = header.column(.idLow, of: raw)
        var deliveries = header.column(.delivery, of: raw)
        var sources = header.column(.source, of: raw)
        var platforms = header.column(.platform, of: raw)
        var actions = header.column(.action, of: raw)
        var times = header.column(.time, of: raw)
        var repeatedIndices = header.column(.repeatedIndex, of: raw)
        var extraRecords = header.column(.extraRecords, of: raw)

        var event = Event(id: header.first, time: 0, delivery: 0, source: 0, action: 0, platform: .android)
        var lowestAction = 0
        var messagesLeft = header.messages
        var changesLeft = header.changes
        var recordsLeft = header.repeated
        var nextRepeated = recordsLeft > 0 ? Int(truncatingIfNeeded: repeatedIndices.next()) : -1
        try events.append(addingCapacity: header.events) { (decoded: inout OutputSpan<Event>) throws(EventBlockError) in
            for index in 0..<header.events {
                if starts.next() == 1 {
                    messagesLeft &-= 1
                    guard messagesLeft >= 0 else { throw .inconsistent }
                    if index > 0 {
                        let low = idLow.next()
                        let before = event.id
                        event.id.high = event.id.high &+ idHigh.next()
                        event.id.low = header.isWide ? low : event.id.low &+ low
                        guard before < event.id else { throw .inconsistent }
                    }
                    lowestAction = 0
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
                guard Int(event.action) >= lowestAction else { throw .inconsistent }
                lowestAction = Int(event.action) + 1
                event.time = header.minTime &+ Int64(bitPattern: times.next() &* header.timeStep)
                if index == nextRepeated {
                    event.records = 1 &+ UInt32(truncatingIfNeeded: extraRecords.next())
                    recordsLeft &-= 1
                    nextRepeated = recordsLeft > 0 ? Int(truncatingIfNeeded: repeatedIndices.next()) : -1
                } else {
                    event.records = 1
                }
                decoded.append(event)
            }
        }
        guard messagesLeft == 0, changesLeft == 0, recordsLeft == 0 else { throw .inconsistent }
    }
}

extension EventBlock {
    /// Appends the id of each message, and reads no other column. Checks the block's hash.
    package func decodeIDs(appendingTo ids: inout [EventID]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var highs = header.column(.idHigh, of: raw)
        var lows = header.column(.idLow, of: raw)
        var id = header.first
        try ids.append(addingCapacity: header.messages) { decoded throws(EventBlockError) in
            decoded.append(id)
            for _ in 1..<header.messages {
                let before = id
                let low = lows.next()
                id = EventID(high: id.high &+ highs.next(), low: header.isWide ? low : id.low &+ low)
                guard before < id else { throw .inconsistent }
                decoded.append(id)
            }
        }
        guard id == last else { throw .inconsistent }
    }
}

extension [Event] {
    /// The events of some messages. Events and ids must be sorted by id.
    package func of(_ ids: [EventID]) -> [Event] {
        assert(span.isSorted && zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 })
        var next = 0
        return filter { event in
            while next < ids.count, ids[next] < event.id { next += 1 }
            return next < ids.count && ids[next] == event.id
        }
    }
}

/// The fixed part of a block, and the layout of its columns.
struct EventBlockHeader {
    /// Bytes of the fixed part.
    static let size = 64

    let events: Int
    let messages: Int
    /// Whether ids use their high word. The low words are then stored as they are, and not as steps.
    let isWide: Bool
    /// Milliseconds of one step of the time column: 1 or 1,000.
    let timeStep: UInt64
    /// Changes of detail.
    let changes: Int
    /// Events with more than one record.
    let repeated: Int
    let first: EventID
    let minTime: Int64
    let minDelivery: UInt32
    /// The byte offset and the width in bits of each column, in the order of `EventBlockColumn`.
    private let columns: InlineArray<11, (offset: Int, width: Int)>

    /// Reads and checks the fixed part. The columns then lie within `bytes`, followed by 8 bytes of padding.
    /// - Parameter checksHash: false if the hash of these bytes has been checked before.
    init(_ bytes: [UInt8], checksHash: Bool = true) throws(EventBlockError) {
        guard bytes.count >= EventBlockHeader.size + 8 else { throw .tooShort(bytes: bytes.count) }
        let raw = bytes.span.bytes
        func word<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
            T(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: offset, as: T.self))
        }
        guard !checksHash || word(at: 0, as: UInt64.self) == WordHash.of(bytes.span.extracting(8..<bytes.count)) else {
            throw .hashDiffers
        }
        events = Int(word(at: 8, as: UInt32.self))
        messages = Int(word(at: 12, as: UInt32.self))
        isWide = bytes[16] == 1
        timeStep = bytes[17] == 1 ? 1000 : 1
        changes = Int(word(at: 28, as: UInt32.self))
        repeated = Int(word(at: 32, as: UInt32.self))
        first = EventID(high: word(at: 36, as: UInt64.self), low: word(at: 44, as: UInt64.self))
        minTime = Int64(bitPattern: word(at: 52, as: UInt64.self))
        minDelivery = word(at: 60, as: UInt32.self)
        guard (1...EventBlock.capacity).contains(events), (1...events).contains(messages),
            (1...events).contains(changes), (0...events).contains(repeated),
            bytes[18..<27].allSatisfy({ $0 <= 64 })
        else { throw .inconsistent }
        // The number of values of each column, and the width of one.
        let sizes: InlineArray<11, (count: Int, width: UInt8)> = [
            (events, 1), (events, 1), (messages - 1, bytes[18]), (messages - 1, bytes[19]), (changes, bytes[20]),
            (changes, bytes[21]), (changes, bytes[22]), (events, bytes[23]), (events, bytes[24]),
            (repeated, bytes[26]), (repeated, bytes[25]),
        ]
        var offset = EventBlockHeader.size
        var columns = InlineArray<11, (offset: Int, width: Int)>(repeating: (0, 0))
        for index in sizes.indices {
            let width = Int(sizes[index].width)
            columns[index] = (offset, width)
            offset += packedSize(count: sizes[index].count, width: width)
        }
        // The first event begins a message and has a detail.
        guard offset + 8 == bytes.count, bytes[columns[0].offset] & bytes[columns[1].offset] & 1 == 1 else {
            throw .inconsistent
        }
        self.columns = columns
    }

    /// The byte offset of a column in the block, and the width of its values in bits.
    func layout(of column: EventBlockColumn) -> (offset: Int, width: Int) { columns[column.rawValue] }

    /// A column of the block. `bytes` are the bytes that this header was read from.
    @_lifetime(copy bytes)
    func column(_ column: EventBlockColumn, of bytes: RawSpan) -> PackedColumn {
        let (offset, width) = layout(of: column)
        return PackedColumn(bytes, offset: offset, width: width)
    }
}

/// The columns of a block, in their order in its bytes.
enum EventBlockColumn: Int, CaseIterable {
    /// One bit per event: the event begins a message.
    case messageStart
    /// One bit per event: its delivery, source or platform differs from the event before.
    case detailChange
    /// One value per message after the first.
    case idHigh, idLow
    /// One value per change of detail.
    case delivery, source, platform
    /// One value per event.
    case action, time
    /// One value per event with more than one record.
    case repeatedIndex, extraRecords
}
