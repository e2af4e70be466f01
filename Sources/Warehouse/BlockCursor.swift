import Events

/// Walks the events of one partition in a range, message by message, with one decoded block at a time.
struct BlockCursor {
    let partition: Int
    private let path: String
    private let range: KeyRange
    private let limits: EventNumberLimits
    private var blocks: ArraySlice<EventBlock>
    private var buffer: [Event] = []
    private var position = 0
    /// The id of the next message; meaningless once `isDone`.
    private(set) var id: EventID
    private(set) var isDone = false
    /// Whether `id` is known only from the block's place, so that the block is yet to be decoded.
    private var isAhead = true

    init(
        partition: Int, path: String, range: KeyRange, blocks: [EventBlock], limits: EventNumberLimits
    ) throws(WarehouseError) {
        self.partition = partition
        self.path = path
        self.range = range
        self.blocks = blocks[...]
        self.limits = limits
        id = EventID(high: 0, low: 0)
        try advance()
    }

    /// Appends the events of message `id` and goes on to the next.
    mutating func take(into events: inout [Event]) throws(WarehouseError) {
        let message = id
        while !isDone, id.isSame(as: message) {
            if isAhead { try decode() }
            while position < buffer.count, buffer[position].id.isSame(as: message) {
                events.append(buffer[position])
                position &+= 1
            }
            if position < buffer.count {
                id = buffer[position].id
                if let upper = range.upper, !id.precedes(upper) { isDone = true }
                return
            }
            try advance()
        }
    }

    /// Looks at the next block, but decodes it only if its first events lie before the range.
    private mutating func advance() throws(WarehouseError) {
        guard let block = blocks.first else {
            isDone = true
            buffer = []
            return
        }
        id = block.first
        isAhead = true
        if let lower = range.lower, id.precedes(lower) {
            try decode()
            while position < buffer.count, buffer[position].id.precedes(lower) { position &+= 1 }
            guard position < buffer.count else { return try advance() }
            id = buffer[position].id
        }
        if let upper = range.upper, !id.precedes(upper) { isDone = true }
    }

    private mutating func decode() throws(WarehouseError) {
        guard let block = blocks.popFirst() else { return }
        buffer.removeAll(keepingCapacity: true)
        position = 0
        isAhead = false
        do {
            try block.decode(appendingTo: &buffer)
        } catch {
            throw .corrupt(path: path, detail: "a block of events: \(error)")
        }
        guard buffer.last?.id == block.last, limits.hold(buffer.span) else {
            throw .corrupt(path: path, detail: "a block of events contradicts the tables beside it")
        }
    }
}

/// How many sources, actions and deliveries a partition has: an event's numbers lie below these.
struct EventNumberLimits {
    let sources: Int
    let actions: Int
    let deliveries: Int

    init(_ names: EventNames) {
        sources = names.sources.count
        actions = names.actions.count
        deliveries = names.deliveries.count
    }

    func hold(_ events: Span<Event>) -> Bool {
        var highest = (source: UInt16(0), action: UInt16(0), delivery: UInt32(0))
        for index in events.indices {
            let event = events[index]
            highest.source = max(highest.source, event.source)
            highest.action = max(highest.action, event.action)
            highest.delivery = max(highest.delivery, event.delivery)
        }
        return Int(highest.source) < sources && Int(highest.action) < actions && Int(highest.delivery) < deliveries
    }
}

extension EventID {
    /// `==` and `<` for hot loops: those of another module are calls.
    @inline(__always)
    func isSame(as other: EventID) -> Bool {
        low == other.low && high == other.high
    }

    @inline(__always)
    func precedes(_ other: EventID) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}
