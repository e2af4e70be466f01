/// The id of a message in 128 bits.
///
/// A hexadecimal id is in `low`, with 0 in `high`. A UUID has its 16 bytes in order. An opaque id is the first 16 bytes
/// of its SHA-256 digest. Ids of different kinds are never compared, because they belong to different sections.
public struct EventID: Hashable, Comparable, BitwiseCopyable, Sendable {
    public var high: UInt64
    public var low: UInt64

    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable @inline(__always)
    public static func == (a: EventID, b: EventID) -> Bool {
        a.low == b.low && a.high == b.high
    }

    @inlinable @inline(__always)
    public static func < (a: EventID, b: EventID) -> Bool { a.number < b.number }

    /// Both words as one number.
    @inlinable @inline(__always)
    var number: UInt128 { UInt128(high) &<< 64 | UInt128(low) }
}
