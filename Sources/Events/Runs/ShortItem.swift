struct ShortItem: CompactItem {
    private let offset: UInt32
    // In halves, since a word would have the item begin at a multiple of 8.
    private let detailLow: UInt32
    private let detailHigh: UInt32

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        offset = UInt32(truncatingIfNeeded: event.id.low &- layout.ids.lowest.low)
        let detail = layout.word(event)
        detailLow = UInt32(truncatingIfNeeded: detail)
        detailHigh = UInt32(truncatingIfNeeded: detail >> 32)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: layout.ids.lowest.low &+ UInt64(offset)) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event {
        layout.event(id(layout), word: UInt64(detailHigh) << 32 | UInt64(detailLow))
    }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { UInt64(offset) }

    @inline(__always)
    func precedes(_ other: ShortItem) -> Bool { offset < other.offset }
}
