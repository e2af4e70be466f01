/// An event with a hexadecimal id that is less than 2^32 above the lowest id; 12 bytes.
struct ShortItem: CompactItem {
    /// The id minus the lowest id.
    private let offset: UInt32
    // Two halves of the detail, because a word would align the item to 8 bytes.
    private let detailLow: UInt32
    private let detailHigh: UInt32

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        offset = UInt32(truncatingIfNeeded: event.id.low &- layout.lowest.low)
        let detail = layout.word(event)
        detailLow = UInt32(truncatingIfNeeded: detail)
        detailHigh = UInt32(truncatingIfNeeded: detail >> 32)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: layout.lowest.low &+ UInt64(offset)) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event {
        layout.event(id(layout), UInt64(detailHigh) << 32 | UInt64(detailLow))
    }
}
