import Hashing

extension EventBlock {
    /// Appends the events of a block that another process has made.
    package static func decode(_ bytes: [UInt8], appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes, checksHash: false)
        try EventBlock(first: header.first, last: header.first, count: header.events, bytes: bytes)
            .decode(appendingTo: &events)
    }

    /// Appends all events of the block. Checks the hash and all sizes first, then the order of the events, so whatever
    /// the bytes are, they are an error and never a trap.
    package func decode(appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var starts = header.column(.messageStart, of: raw)
        var changes = header.column(.detailChange, of: raw)
        var idHigh = header.column(.idHigh, of: raw)
        var idLow = header.column(.idLow, of: raw)
        var deliveries = header.column(.delivery, of: raw)
        var sources = header.column(.source, of: raw)
        var platforms = header.column(.platform, of: raw)
        var actions = header.column(.action, of: raw)
        var times = header.column(.time, of: raw)
        var repeatedIndices = header.column(.repeatedIndex, of: raw)
        var extraRecords = header.column(.extraRecords, of: raw)

        var event = Event(id: header.first, time: 0, delivery: 0, source: 0, action: 0, platform: .android)
        var lowestAction = 0
        var messagesLeft = header.messages
        var changesLeft = header.changes
        var recordsLeft = header.repeated
        var nextRepeated = recordsLeft > 0 ? Int(truncatingIfNeeded: repeatedIndices.next()) : -1
        try events.append(addingCapacity: header.events) { (decoded: inout OutputSpan<Event>) throws(EventBlockError) in
            for index in 0..<header.events {
                if starts.next() == 1 {
                    messagesLeft &-= 1
                    guard messagesLeft >= 0 else { throw .inconsistent }
                    if index > 0 {
                        let low = idLow.next()
                        let before = event.id
                        event.id.high = event.id.high &+ idHigh.next()
                        event.id.low = header.isWide ? low : event.id.low &+ low
                        guard before < event.id else { throw .inconsistent }
                    }
                    lowestAction = 0
                }
                if changes.next() == 1 {
                    changesLeft &-= 1
                    guard changesLeft >= 0 else { throw .inconsistent }
                    event.delivery = header.minDelivery &+ UInt32(truncatingIfNeeded: deliveries.next())
                    event.source = UInt16(truncatingIfNeeded: sources.next())
                    guard let platform = Platform(rawValue: UInt8(truncatingIfNeeded: platforms.next())) else {
                        throw .inconsistent
                    }
                    event.platform = platform
                }
                event.action = UInt16(truncatingIfNeeded: actions.next())
                guard Int(event.action) >= lowestAction else { throw .inconsistent }
                lowestAction = Int(event.action) + 1
                event.time = header.minTime &+ Int64(bitPattern: times.next() &* header.timeStep)
                if index == nextRepeated {
                    event.records = 1 &+ UInt32(truncatingIfNeeded: extraRecords.next())
                    recordsLeft &-= 1
                    nextRepeated = recordsLeft > 0 ? Int(truncatingIfNeeded: repeatedIndices.next()) : -1
                } else {
                    event.records = 1
                }
                decoded.append(event)
            }
        }
        guard messagesLeft == 0, changesLeft == 0, recordsLeft == 0 else { throw .inconsistent }
    }
}

extension EventBlock {
    /// Appends the id of each message, and reads no other column. Checks the block's hash.
    package func decodeIDs(appendingTo ids: inout [EventID]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var highs = header.column(.idHigh, of: raw)
        var lows = header.column(.idLow, of: raw)
        var id = header.first
        try ids.append(addingCapacity: header.messages) { decoded throws(EventBlockError) in
            decoded.append(id)
            for _ in 1..<header.messages {
                let before = id
                let low = lows.next()
                id = EventID(high: id.high &+ highs.next(), low: header.isWide ? low : id.low &+ low)
                guard before < id else { throw .inconsistent }
                decoded.append(id)
            }
        }
        guard id == last else { throw .inconsistent }
    }
}

extension [Event] {
    /// The events of some messages. Events and ids must be sorted by id.
    package func of(_ ids: [EventID]) -> [Event] {
        assert(span.isSorted && zip(ids, ids.dropFirst()).allSatisfy { $0 <= $1 })
        var next = 0
        return filter { event in
            while next < ids.count, ids[next] < event.id { next += 1 }
            return next < ids.count && ids[next] == event.id
        }
    }
}
