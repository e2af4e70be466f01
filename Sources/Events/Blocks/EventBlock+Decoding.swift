import Hashing

extension EventBlock {
    /// Appends the block's events. Checks the hash and all sizes first, so damaged bytes are an error, never a trap.
    package func decode(appendingTo events: inout [Event]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes)
        guard header.events == count, header.first == first else { throw .inconsistent }
        let raw = bytes.span.bytes
        var starts = PackedColumn(raw, offset: header.offsets[0], width: 1)
        var changes = PackedColumn(raw, offset: header.offsets[1], width: 1)
        var idHigh = PackedColumn(raw, offset: header.offsets[2], width: header.widthHigh)
        var idLow = PackedColumn(raw, offset: header.offsets[3], width: header.widthLow)
        var deliveries = PackedColumn(raw, offset: header.offsets[4], width: header.widthDelivery)
        var sources = PackedColumn(raw, offset: header.offsets[5], width: header.widthSource)
        var platforms = PackedColumn(raw, offset: header.offsets[6], width: header.widthPlatform)
        var actions = PackedColumn(raw, offset: header.offsets[7], width: header.widthAction)
        var times = PackedColumn(raw, offset: header.offsets[8], width: header.widthTime)
        var positions = PackedColumn(raw, offset: header.offsets[9], width: header.widthPosition)
        var extraRecords = PackedColumn(raw, offset: header.offsets[10], width: header.widthRecords)

        let step: UInt64 = header.wholeSeconds ? 1000 : 1
        var event = Event(id: header.first, time: 0, delivery: 0, source: 0, action: 0, platform: .android)
        var messagesLeft = header.messages
        var changesLeft = header.changes
        var recordsLeft = header.repeated
        var nextRepeated = recordsLeft > 0 ? Int(positions.next()) : -1
        try events.append(addingCapacity: header.events) { (decoded: inout OutputSpan<Event>) throws(EventBlockError) in
            for index in 0..<header.events {
                if starts.next() == 1 {
                    messagesLeft &-= 1
                    guard messagesLeft >= 0 else { throw .inconsistent }
                    if index > 0 {
                        let low = idLow.next()
                        event.id.high = event.id.high &+ idHigh.next()
                        event.id.low = header.wide ? low : event.id.low &+ low
                    }
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
                event.time = header.minTime &+ Int64(bitPattern: times.next() &* step)
                if index == nextRepeated {
                    event.records = 1 &+ UInt32(truncatingIfNeeded: extraRecords.next())
                    recordsLeft &-= 1
                    nextRepeated = recordsLeft > 0 ? Int(positions.next()) : -1
                } else {
                    event.records = 1
                }
                decoded.append(event)
            }
        }
        guard messagesLeft == 0, changesLeft == 0, recordsLeft == 0 else { throw .inconsistent }
    }
}
