/// The order in which events come: by time, position of the source in the pipeline, delivery id, platform. This is the only
/// place that knows it.
///
/// Events of one message and action that rank the same are ordered by their log dates; those of one message by action, then
/// by log date.
public struct EventRank: Comparable, BitwiseCopyable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// Source, delivery and platform side by side.
    public let detail: UInt64

    /// `source` is the source's position in the pipeline. `delivery` compares as the delivery ids' bytes do.
    @inlinable @inline(__always)
    public init(time: Int64, source: UInt16, delivery: UInt32, platform: Platform) {
        self.time = time
        detail = UInt64(source) << 34 | UInt64(delivery) << 2 | UInt64(platform.rawValue)
    }

    @inlinable @inline(__always)
    public static func == (a: EventRank, b: EventRank) -> Bool {
        a.time == b.time && a.detail == b.detail
    }

    @inlinable @inline(__always)
    public static func < (a: EventRank, b: EventRank) -> Bool {
        a.time != b.time ? a.time < b.time : a.detail < b.detail
    }
}
