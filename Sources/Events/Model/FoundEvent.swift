/// An event as it was found in some bytes, which hold its delivery.
public struct FoundEvent: BitwiseCopyable, Sendable {
    public var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var time: Int64
    /// Where the delivery id begins, and how many bytes it has.
    public var delivery: Int
    public var deliveryCount: Int32
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
