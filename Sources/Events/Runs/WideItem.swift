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
    func event(_ layout: DetailLayout) -> Event { layout.event(id, detail) }
}
