extension EventBlock {
    /// Appends the events of some deliveries, for each of which `isWanted` has a true; the others cost next to nothing. The
    /// block's hash must have been checked before.
    package func select(_ isWanted: [Bool], into selected: inout [TimedEvent]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes, checksHash: false)
        guard header.events == count else { throw .inconsistent }
        let raw = bytes.span.bytes
        var changes = PackedColumn(raw, offset: header.offsets[1], width: 1)
        var deliveries = PackedColumn(raw, offset: header.offsets[4], width: header.widthDelivery)
        let sources = PackedColumn(raw, offset: header.offsets[5], width: header.widthSource)
        let platforms = PackedColumn(raw, offset: header.offsets[6], width: header.widthPlatform)
        let actions = PackedColumn(raw, offset: header.offsets[7], width: header.widthAction)
        let times = PackedColumn(raw, offset: header.offsets[8], width: header.widthTime)
        let step: UInt64 = header.wholeSeconds ? 1000 : 1
        var change = -1
        var delivery: UInt32 = 0
        var selects = false
        for place in 0..<header.events {
            if changes.next() == 1 {
                change &+= 1
                guard change < header.changes else { throw .inconsistent }
                delivery = header.minDelivery &+ UInt32(truncatingIfNeeded: deliveries.next())
                guard Int(delivery) < isWanted.count else { throw .inconsistent }
                selects = isWanted[Int(delivery)]
            }
            guard selects else { continue }
            guard let platform = Platform(rawValue: UInt8(truncatingIfNeeded: platforms[change])) else {
                throw .inconsistent
            }
            selected.append(
                TimedEvent(
                    place: place, time: header.minTime &+ Int64(bitPattern: times[place] &* step), delivery: delivery,
                    source: UInt16(truncatingIfNeeded: sources[change]),
                    action: UInt16(truncatingIfNeeded: actions[place]), platform: platform))
        }
    }
}
