/// The events of all partitions, each compared with every other.
struct Overlap {
    let events: [PartitionEvent]
    private let windowDays: Int
    private let order: SourceOrder

    init(_ partitions: [Partition], _ pipeline: Pipeline) {
        events = partitions.flatMap(\.events)
        windowDays = pipeline.windowDays
        order = SourceOrder(pipeline)
    }

    /// The events of all partitions in the window around the event's partition.
    private func reachable(from event: PartitionEvent) -> [PartitionEvent] {
        events.filter { abs($0.logDate.number - event.logDate.number) <= windowDays }
    }

    func counts(_ event: PartitionEvent) -> Bool {
        !reachable(from: event).contains { $0.hit.hasSameKey(as: event.hit) && order.comesEarlier($0, event) }
    }

    func isFirst(_ event: PartitionEvent) -> Bool {
        !eventsOfMessage(of: event).contains { order.comesEarlierInMessage($0, event) }
    }

    /// The events of the event's message within its reach.
    func eventsOfMessage(of event: PartitionEvent) -> [PartitionEvent] {
        reachable(from: event).filter { $0.hit.hasSameMessage(as: event.hit) }
    }
}
