import Events

/// Walks the events of one partition in a range of ids, message by message, with one decoded block at a time. Messages
/// that other partitions have too are marked; what is left of a block when it has been walked is handed to a sink.
struct BlockCursor {
    /// Takes events of messages that lie in this partition alone, whole messages in order.
    typealias Sink = (_ partition: Int, _ events: Span<Event>) -> Void

    let partition: Int
    private let path: String
    private let range: KeyRange
    private let limits: EventNumberLimits
    private var blocks: ArraySlice<EventBlock>
    private(set) var buffer: [Event] = []
    /// Where the next message begins.
    private var position = 0
    /// What lies before this has been handed on, or was marked.
    private var handed = 0
    /// Places in the buffer of messages that other partitions have too, in order.
    private var shared: [Range<Int>] = []
    /// The id of the next message; meaningless once `isDone`.
    private(set) var id = EventID(high: 0, low: 0)
    private(set) var isDone = false
    /// Whether `id` is known only from its block's place, so that the block is yet to be decoded.
    private var isAhead = true

    init(
        partition: Int, path: String, range: KeyRange, blocks: [EventBlock], limits: EventNumberLimits
    ) throws(WarehouseError) {
        self.partition = partition
        self.path = path
        self.range = range
        self.blocks = blocks[...]
        self.limits = limits
        look()
        guard let lower = range.lower, !isDone, id.precedes(lower) else { return }
        try decode()
        while position < buffer.count, buffer[position].id.precedes(lower) { position &+= 1 }
        handed = position
        if position < buffer.count { meet(buffer[position].id) } else { look() }
    }

    /// Makes sure that message `id` is in the buffer, whole, and tells where. The events of the blocks before go to the
    /// sink; places told before are void.
    mutating func message(_ sink: Sink) throws(WarehouseError) -> Range<Int> {
        if isAhead {
            handOn(upTo: buffer.count, sink)
            buffer.removeAll(keepingCapacity: true)
            try decode()
        }
        var end = endOfMessage(from: position)
        while end == buffer.count, let next = blocks.first, next.first.isSame(as: id) {
            // The message goes on in the next block: its beginning moves before that.
            handOn(upTo: position, sink)
            buffer.removeSubrange(0..<position)
            try decode()
            end = endOfMessage(from: position)
        }
        return position..<end
    }

    /// Marks the message at `place` as one that other partitions have too.
    mutating func share(_ place: Range<Int>) {
        shared.append(place)
    }

    /// Goes on to the message after the one at `place`. The buffer stays as it is.
    mutating func advance(past place: Range<Int>) {
        position = place.upperBound
        if position < buffer.count { meet(buffer[position].id) } else { look() }
    }

    /// Goes on to the first message that does not precede `bound` (nil is no bound), as far as the block goes: what lies
    /// between is in no other partition.
    mutating func skip(to bound: EventID?) {
        guard let bound = bound ?? range.upper else {
            position = buffer.count
            return finishSkip()
        }
        while position < buffer.count, buffer[position].id.precedes(bound) { position &+= 1 }
        finishSkip()
    }

    private mutating func finishSkip() {
        if position == buffer.count, let next = blocks.first {
            // A message that goes on in the next block is not yet done with.
            while position > 0, buffer[position &- 1].id.isSame(as: next.first) { position &-= 1 }
        }
        if position < buffer.count { meet(buffer[position].id) } else { look() }
    }

    /// Hands on the events walked since the last time.
    mutating func handOnRest(_ sink: Sink) {
        handOn(upTo: position, sink)
        buffer = []
    }

    private mutating func handOn(upTo end: Int, _ sink: Sink) {
        do {
            let events = buffer.span
            var start = handed
            for place in shared {
                if start < place.lowerBound { sink(partition, events.extracting(start..<place.lowerBound)) }
                start = place.upperBound
            }
            if start < end { sink(partition, events.extracting(start..<end)) }
        }
        handed = end
        shared.removeAll(keepingCapacity: true)
    }

    private func endOfMessage(from start: Int) -> Int {
        var end = start &+ 1
        while end < buffer.count, buffer[end].id.isSame(as: id) { end &+= 1 }
        return end
    }

    /// Looks at the first id of the next block, which is decoded only when it is needed.
    private mutating func look() {
        isAhead = true
        guard let block = blocks.first else {
            isDone = true
            return
        }
        meet(block.first)
    }

    @inline(__always)
    private mutating func meet(_ id: EventID) {
        self.id = id
        if let upper = range.upper, !id.precedes(upper) { isDone = true }
    }

    /// Appends the next block to the buffer.
    private mutating func decode() throws(WarehouseError) {
        guard let block = blocks.popFirst() else { return }
        let start = buffer.count
        position = 0
        handed = 0
        isAhead = false
        do {
            try block.decode(appendingTo: &buffer)
        } catch {
            throw .corrupt(path: path, detail: "a block of events: \(error)")
        }
        let events = buffer.span
        guard buffer.last?.id == block.last, limits.hold(events.extracting(start..<events.count)) else {
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

    /// Whether the numbers are within their limits and the ids in order.
    func hold(_ events: Span<Event>) -> Bool {
        var highest = (source: UInt16(0), action: UInt16(0), delivery: UInt32(0))
        var before = EventID(high: 0, low: 0)
        var isSorted = true
        for index in events.indices {
            let event = events[index]
            highest.source = max(highest.source, event.source)
            highest.action = max(highest.action, event.action)
            highest.delivery = max(highest.delivery, event.delivery)
            isSorted = isSorted && !event.id.precedes(before)
            before = event.id
        }
        return isSorted && Int(highest.source) < sources && Int(highest.action) < actions
            && Int(highest.delivery) < deliveries
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
