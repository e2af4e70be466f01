import Events

/// The names of several partitions with common numbers. The numbers have the order in which events are sorted: sources
/// in pipeline order, actions and deliveries by their bytes.
package struct GlobalNames: Sendable {
    package private(set) var names: EventNames
    // By partition, then by the number that a name has there: its common number.
    package let sources: [[UInt32]]
    package let actions: [[UInt32]]
    let deliveries: [[UInt32]]
    /// By global action number.
    private(set) var stages: [Stages]

    /// - Parameters:
    ///   - partitions: the names of each partition. All methods identify a partition by its index here.
    ///   - pipelineSources: come first, in this order. Sources that only partitions have follow, sorted by their bytes.
    package init(_ partitions: [EventNames], pipelineSources: [String]) {
        let sources = GlobalNames.merge(partitions.map(\.sources) + [pipelineSources])
        let actions = GlobalNames.merge(partitions.map(\.actions))
        let deliveries = GlobalNames.merge(partitions.map(\.deliveries))

        var order: [Int] = []
        var position = [Int?](repeating: nil, count: sources.texts.count)
        for number in (sources.numbers.last ?? []).map(Int.init) + Array(sources.texts.indices)
        where position[number] == nil {
            position[number] = order.count
            order.append(number)
        }
        assert(order.count == sources.texts.count)
        names = EventNames(
            sources: order.map { sources.texts[$0] }, actions: actions.texts, deliveries: deliveries.texts)
        stages = actions.texts.map(Stages.init(action:))
        self.sources = sources.numbers.dropLast().map { $0.map { UInt32(position[Int($0)] ?? 0) } }
        self.actions = actions.numbers
        self.deliveries = deliveries.numbers
    }

    /// All texts, sorted by their bytes; and for each list the new indices of its texts.
    private static func merge(_ lists: [[String]]) -> (texts: [String], numbers: [[UInt32]]) {
        let tables = lists.map { list in
            var table = DeliveryTable()
            let numbers = list.map { text in
                var text = text
                return text.withUTF8 { table.index(of: $0.span) }
            }
            return (table, numbers)
        }
        let (texts, renumbering) = DeliveryTable.merge(tables.map(\.0))
        return (texts, tables.indices.map { index in tables[index].1.map { renumbering[index][Int($0)] } })
    }
}

extension EventNames {
    /// Whether there is a name for each number in the events.
    package func hold(_ events: Span<Event>) -> Bool {
        var highest = (source: UInt16(0), action: UInt16(0), delivery: UInt32(0))
        for index in events.indices {
            let event = events[index]
            highest.source = max(highest.source, event.source)
            highest.action = max(highest.action, event.action)
            highest.delivery = max(highest.delivery, event.delivery)
        }
        return events.count == 0
            || Int(highest.source) < sources.count && Int(highest.action) < actions.count
                && Int(highest.delivery) < deliveries.count
    }
}
