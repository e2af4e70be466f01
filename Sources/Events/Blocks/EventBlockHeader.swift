import Hashing

/// The fixed part of a block, and the layout of its columns.
struct EventBlockHeader {
    /// Bytes of the fixed part.
    static let size = 64
    /// The largest number of events in a block.
    static let mostEvents = 4096

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
        guard (1...EventBlockHeader.mostEvents).contains(events), (1...events).contains(messages),
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
