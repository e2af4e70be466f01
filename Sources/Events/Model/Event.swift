// What is public here is made and compared by the million in other modules: the compiler inlines there what is public, and
// calls what is `package`, whatever else it is marked as.

/// One (broadlogId, action) of a section: its earliest record, and how many records it had. `source`, `action` and
/// `delivery` are indices into tables that travel beside the events; the indices of `source` are in pipeline order,
/// those of `action` and `delivery`, once a partition is written, in the order of their texts' bytes.
public struct Event: Sendable {
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    public var delivery: UInt32
    /// Records of this (broadlogId, action), the event itself included; at least 1.
    public var records: UInt32
    public var source: UInt16
    public var action: UInt16
    public var platform: Platform

    @inlinable @inline(__always)
    public init(
        id: EventID, time: Int64, delivery: UInt32, records: UInt32 = 1, source: UInt16, action: UInt16,
        platform: Platform
    ) {
        self.id = id
        self.time = time
        self.delivery = delivery
        self.records = records
        self.source = source
        self.action = action
        self.platform = platform
    }
}
