import Calendar

/// The order in which the events of a message come: by time, position of the source in the pipeline, delivery id,
/// platform, action, log date. This is the only place that knows it.
///
/// Of events with the same action, the first one counts. Of all events, the first one is the message's first.
public struct EventRank: Comparable, BitwiseCopyable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let time: Int64
    /// Source, delivery and platform side by side.
    @usableFromInline let detail: UInt64
    public let action: UInt16
    @usableFromInline let logDate: LogDate

    /// `source` is the source's position in the pipeline. `delivery` and `action` compare as the bytes of the texts do.
    /// Among events of one partition, `logDate` is the same.
    @inlinable @inline(__always)
    public init(
        time: Int64, source: UInt16, delivery: UInt32, platform: Platform, action: UInt16, logDate: LogDate = .epoch
    ) {
        self.time = time
        detail = UInt64(source) << 34 | UInt64(delivery) << 2 | UInt64(platform.rawValue)
        self.action = action
        self.logDate = logDate
    }

    @inlinable @inline(__always)
    public static func < (a: EventRank, b: EventRank) -> Bool {
        if a.time != b.time { return a.time < b.time }
        if a.detail != b.detail { return a.detail < b.detail }
        return a.action != b.action ? a.action < b.action : a.logDate < b.logDate
    }
}
