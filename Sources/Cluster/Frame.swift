import CChecksum
import Foundation
import Warehouse

/// A piece of what the tasks of a job pass to each other over the cluster's engine, at most 4 MiB. The engine only looks at its
/// kind, its key and its length. Numbers are little-endian:
///
///     offset  bytes  content
///          0      4  "PSHF"
///          4      2  version of the format: 2
///          6      2  kind
///          8      4  key: of events the shard; of figures and sums the day, plus 2^31; else 0
///         12      4  length of what follows the 32 bytes
///         16      4  CRC-32 of the bytes before, and of what follows the 32 bytes
///         20     12  0
///         32         the label, a line of JSON; then the content
///
/// The content of events are blocks, one after the other. All other kinds are documents: values as JSON, in as many frames as
/// they need. The end of a step is 32 zeros, where several steps share a stream.
struct Frame: Sendable {
    enum Kind: UInt16, Sendable {
        /// Events of one file, one section and one shard.
        case events = 1
        /// A part of the `FileAccounts` of a file.
        case accounts = 2
        /// A part of a `ShardReport`.
        case report = 3
        /// A part of a shard's `DayFigures`.
        case figures = 4
        /// A part of the `DayFigures` of all shards.
        case sum = 5
    }

    /// What a frame is of.
    struct Label: Codable, Equatable, Sendable {
        /// What all frames of a job have in common.
        struct Job: Codable, Equatable, Sendable {
            /// The version of the program.
            let program: String
            /// The pipeline's fingerprint.
            let pipeline: String
            /// The version of the zone's rules.
            let zone: String
            let shards: Int
        }

        /// The blocks of a frame.
        struct Blocks: Codable, Equatable, Sendable {
            /// The number of the section of all events.
            let section: Int
            /// The delivery ids that the events refer to, sorted by their bytes.
            let deliveries: [String]
            /// By block.
            let bytes: [Int]
        }

        let job: Job
        /// The number of the file (events, accounts) or of the shard (reports, figures); else 0.
        var sender = 0
        /// The number among the frames of the same kind, key and sender, from 0.
        var number = 0
        /// How many these are; 0 for events, where that is not known.
        var count = 0
        /// In days since 1970-01-01; nil if the frame belongs to no log date.
        var logDate: Int32?
        /// The fingerprint of the file's bytes; nil if the frame belongs to no file.
        var file: String?
        /// Only of events.
        var blocks: Blocks?
    }

    static let headSize = 32
    private static let checkedHeadSize = 16
    /// The largest frame without its head.
    static let mostPayload = 4 << 20 - headSize
    private static let beginning = Array("PSHF".utf8) + [2, 0]

    let kind: Kind
    let key: UInt32
    let label: Label
    let content: [UInt8]

    /// The key of a day, in days since 1970-01-01.
    static func key(ofDay day: Int32) -> UInt32 { UInt32(bitPattern: day) ^ 1 << 31 }

    /// The day of a key.
    static func day(ofKey key: UInt32) -> Int32 { Int32(bitPattern: key ^ 1 << 31) }

    var bytes: [UInt8] {
        get throws {
            let payload = try [UInt8](JSONEncoder.stored.encode(label)) + [UInt8(ascii: "\n")] + content
            var head = Frame.beginning
            func append(_ number: some FixedWidthInteger) {
                withUnsafeBytes(of: number.littleEndian) { head.append(contentsOf: $0) }
            }
            append(kind.rawValue)
            append(key)
            append(UInt32(payload.count))
            append(Frame.checksum(head, payload))
            return head + [UInt8](repeating: 0, count: Frame.headSize - head.count) + payload
        }
    }

    /// The number of bytes that follow a head; nil if it is no head.
    static func payloadLength(head: [UInt8]) -> Int? {
        guard head.count == headSize, head.starts(with: beginning) else { return nil }
        let length = Int(number(head[12..<16]))
        return length <= mostPayload ? length : nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static func checksum(_ head: [UInt8], _ payload: [UInt8]) -> UInt32 {
        let first = head.withUnsafeBufferPointer { checksum_crc32(0, $0.baseAddress, $0.count) }
        return payload.withUnsafeBufferPointer { checksum_crc32(first, $0.baseAddress, $0.count) }
    }
}

extension Frame {
    /// Nil if the bytes are damaged.
    init?(head: [UInt8], payload: [UInt8]) {
        guard Frame.payloadLength(head: head) == payload.count,
            let kind = Kind(rawValue: UInt16(Frame.number(head[6..<8]))),
            Frame.number(head[16..<20]) == Frame.checksum(Array(head.prefix(Frame.checkedHeadSize)), payload),
            head[(Frame.checkedHeadSize + 4)...].allSatisfy({ $0 == 0 }),
            let end = payload.firstIndex(of: UInt8(ascii: "\n")),
            let label = try? JSONDecoder().decode(Label.self, from: Data(payload[..<end]))
        else { return nil }
        self.init(kind: kind, key: Frame.number(head[8..<12]), label: label, content: Array(payload[(end + 1)...]))
    }
}
