/// An event whose detail takes two words; 32 bytes.
struct FullItem: CompactItem {
    private let id: EventID
    private let time: UInt64
    private let others: UInt64

    @inline(__always)
    init(_ event: Event, _ layout: DetailLayout) {
        id = event.id
        time = layout.time(event)
        others = layout.others(event)
    }

    @inline(__always)
    func id(_ layout: DetailLayout) -> EventID { id }

    @inline(__always)
    func event(_ layout: DetailLayout) -> Event { layout.event(id, time: time, others: others) }

    @inline(__always)
    func key(_ layout: DetailLayout) -> UInt64 { layout.ids.key(id) }

    @inline(__always)
    func precedes(_ other: FullItem) -> Bool { id < other.id }
}
