/// The events of one buffer, sorted and not joined. It is faster to make and to read than blocks. It exists
/// only in memory, and takes up to six times as many bytes. It is a class, because mergers on several threads would
/// otherwise count references to its parts.
final class CompactRun: Sendable {
    private let layout: DetailLayout
    let events: [CompactEvent]

    /// - Parameter order: that of `events`.
    init(_ events: Span<Event>, order: borrowing EventOrder, layout: DetailLayout) {
        self.layout = layout
        let sorted = order.items.span
        let places = order.layout
        var compact: [CompactEvent] = []
        compact.append(addingCapacity: events.count) { output in
            for index in events.indices {
                let event = events[places.index(sorted[index])]
                output.append(CompactEvent(id: event.id, detail: layout.word(event)))
            }
        }
        self.events = compact
        assert(zip(compact, compact.dropFirst()).allSatisfy { $0.id <= $1.id })
    }

    /// Appends the events from `start` on with ids below `upper`; nil is no bound. Translates their delivery numbers by
    /// `renumbering`. Returns the index after the last appended event.
    func append(from start: Int, until upper: EventID?, renumbering: [UInt32]?, to window: inout [Event]) -> Int {
        let all = self.events
        let events = all.span
        var end = upper == nil ? events.count : start
        if let upper {
            while end < events.count && events[end].id < upper { end &+= 1 }
        }
        window.append(addingCapacity: end - start) { output in
            for index in start..<end {
                var event = layout.event(events[index].id, detail: events[index].detail)
                if let renumbering { event.delivery = renumbering[Int(event.delivery)] }
                output.append(event)
            }
        }
        return end
    }
}
