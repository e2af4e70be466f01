import CChecksum
import Events

/// A piece of what the tasks of a job pass to each other over the cluster's engine, at most 4 MiB. The engine only looks at its
/// kind, its key and its length. Numbers are little-endian:
///
///     offset  bytes  content
///          0      4  "PSHF"
///          4      2  version of the format: 1
///          6      2  kind
///          8      4  key: of events the shard; of figures and sums the day, plus 2^31; else 0
///         12      4  length of the payload
///         16      4  sender: the number of the file (events, accounts) or of the shard (reports, figures); else 0
///         20      4  number among the frames of the same kind, key and sender, from 0
///         24      4  how many these are; 0 for events, where that is not known
///         28      4  CRC-32 of the bytes before and of the payload
///         32         payload: a `FrameContext`, then what the kind has
///
/// The end of a step is 32 zeros, where several steps share a stream.
struct Frame: Sendable {
    enum Kind: UInt16, Sendable {
        /// Events of one file, one section and one shard.
        case events = 1
        /// A part of the accounts of a file.
        case accounts = 2
        /// A part of what a shard reports after its partitions are written.
        case report = 3
        /// A part of a shard's figures of one day.
        case figures = 4
        /// A part of the figures of one day.
        case sum = 5
    }

    static let magic: [UInt8] = Array("PSHF".utf8)
    static let format: UInt16 = 1
    static let headSize = 32
    /// The largest payload.
    static let mostPayload = 4 << 20 - headSize

    let kind: Kind
    let key: UInt32
    let sender: UInt32
    let number: UInt32
    let count: UInt32
    /// The context and the content.
    let payload: [UInt8]

    init(_ kind: Kind, key: UInt32, sender: Int, number: Int, count: Int, payload: [UInt8]) {
        self.kind = kind
        self.key = key
        self.sender = UInt32(sender)
        self.number = UInt32(number)
        self.count = UInt32(count)
        self.payload = payload
    }

    /// The key of a day, in days since 1970-01-01.
    static func key(ofDay day: Int32) -> UInt32 { UInt32(bitPattern: day) ^ 1 << 31 }

    /// The day of a key.
    static func day(ofKey key: UInt32) -> Int32 { Int32(bitPattern: key ^ 1 << 31) }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Frame.magic { writer.add(byte) }
        writer.add(Frame.format)
        writer.add(kind.rawValue)
        for number in [key, UInt32(payload.count), sender, number, count] { writer.add(number) }
        writer.add(Frame.checksum(writer.bytes, payload))
        return writer.bytes + payload
    }

    /// The length of the payload that follows a head; nil if it is no head.
    static func payloadLength(head: [UInt8]) -> Int? {
        guard head.count == headSize, head.starts(with: magic), head[4] == UInt8(format), head[5] == 0 else {
            return nil
        }
        let length = head[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
        return length <= mostPayload ? length : nil
    }

    /// Nil if the bytes are damaged.
    init?(head: [UInt8], payload: [UInt8]) {
        var reader = ByteReader(head, from: 6)
        guard Frame.payloadLength(head: head) == payload.count, let kind = try? Kind(rawValue: reader.number()) else {
            return nil
        }
        self.kind = kind
        self.payload = payload
        guard let key = try? reader.number(UInt32.self), (try? reader.number(UInt32.self)) != nil,
            let sender = try? reader.number(UInt32.self), let number = try? reader.number(UInt32.self),
            let count = try? reader.number(UInt32.self), let checksum = try? reader.number(UInt32.self),
            checksum == Frame.checksum(Array(head.prefix(28)), payload)
        else { return nil }
        (self.key, self.sender, self.number, self.count) = (key, sender, number, count)
    }

    private static func checksum(_ head: [UInt8], _ payload: [UInt8]) -> UInt32 {
        let first = head.withUnsafeBufferPointer { checksum_crc32(0, $0.baseAddress, $0.count) }
        return payload.withUnsafeBufferPointer { checksum_crc32(first, $0.baseAddress, $0.count) }
    }
}
