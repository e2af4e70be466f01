/// An event with a hexadecimal id; 16 bytes.
struct NarrowItem: CompactItem {
    private let low: UInt64
    private let detail: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        low = event.id.low
        detail = layout.word(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { EventID(high: 0, low: low) }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id(layout), word: detail) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { low &- layout.ids.lowest.low }

    @inline(__always)
    func precedes(_ other: NarrowItem) -> Bool { low < other.low }
}
