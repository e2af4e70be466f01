/// An event as it was found in some bytes, which hold its delivery.
package struct FoundEvent: BitwiseCopyable, Sendable {
    package var id: EventID
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var time: Int64
    /// Where the delivery id begins, and how many bytes it has.
    package var delivery: Int
    package var deliveryCount: Int32
    package var action: UInt16
    package var kind: Section.Kind
    package var platform: Platform

    @inlinable
    package init(
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
