/// The events of all partitions, each compared with every other of its message.
struct Overlap {
    let events: [PartitionEvent]
    private let byMessage: [[Bytes]: [PartitionEvent]]
    private let windowDays: Int
    private let order: SourceOrder

    init(_ partitions: [Partition], _ pipeline: Pipeline) {
        events = partitions.flatMap(\.events)
        byMessage = Dictionary(grouping: events, by: \.hit.message)
        windowDays = pipeline.windowDays
        order = SourceOrder(pipeline)
    }

    func counts(_ event: PartitionEvent) -> Bool {
        !eventsOfMessage(of: event).contains {
            $0.hit.action == event.hit.action && order.comesEarlier($0, event)
        }
    }

    func isFirst(_ event: PartitionEvent) -> Bool {
        !eventsOfMessage(of: event).contains { order.comesEarlierInMessage($0, event) }
    }

    /// The events of the event's message in the partitions of the window around its own.
    func eventsOfMessage(of event: PartitionEvent) -> [PartitionEvent] {
        (byMessage[event.hit.message] ?? []).filter {
            abs($0.logDate.number - event.logDate.number) <= windowDays
        }
    }
}
