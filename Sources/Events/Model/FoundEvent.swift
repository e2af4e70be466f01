/// An event that was found in some bytes. Its delivery id is a range of these bytes.
public struct FoundEvent: BitwiseCopyable, Sendable {
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// The offset of the delivery id in the bytes.
    public var delivery: Int
    /// The length of the delivery id in bytes.
    public var deliveryCount: Int32
    /// The index of the action, as in `Event`.
    public var action: UInt16
    public var kind: Section.Kind
    public var platform: Platform

    @inlinable
    public init(
        id: EventID, kind: Section.Kind, time: Int64, action: UInt16, platform: Platform, delivery: Range<Int>
    ) {
        self.id = id
        self.kind = kind
        self.time = time
        self.action = action
        self.platform = platform
        self.delivery = delivery.lowerBound
        deliveryCount = Int32(truncatingIfNeeded: delivery.count)
    }
}
