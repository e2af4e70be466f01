/// The id of a message, 128 bits wide: a hexadecimal id in `low` with `high` 0, a UUID's 16 bytes in order, or the
/// first 16 bytes of an opaque id's digest. Ids of different kinds never meet, so they lie in different sections.
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
    public static func < (a: EventID, b: EventID) -> Bool {
        a.high != b.high ? a.high < b.high : a.low < b.low
    }
}
