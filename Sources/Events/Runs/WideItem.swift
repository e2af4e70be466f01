/// An event with a 128-bit id; 24 bytes.
struct WideItem: CompactItem {
    private let id: EventID
    private let detail: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        id = event.id
        detail = layout.word(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id, word: detail) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { layout.ids.key(id) }

    @inline(__always)
    func precedes(_ other: WideItem) -> Bool { id < other.id }
}
