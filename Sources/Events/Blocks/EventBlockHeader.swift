import Hashing

/// The fixed part of a block, and where its columns lie.
struct EventBlockHeader {
    /// Bytes of the fixed part.
    static let size = 64
    static let mostEvents = 4096

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
        guard bytes.count >= EventBlockHeader.size + 8 else { throw .tooShort(bytes: bytes.count) }
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
        guard (1...EventBlockHeader.mostEvents).contains(events), (1...events).contains(messages),
            (1...events).contains(changes), (0...events).contains(repeated),
            bytes[18..<27].allSatisfy({ $0 <= 64 })
        else { throw .inconsistent }
        var offset = EventBlockHeader.size
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
