extension EventBlock {
    /// Appends the events of some deliveries. The other events cost next to nothing.
    ///
    /// The block's hash must have been checked before.
    /// - Parameter isWanted: a flag for each delivery number that can occur.
    package func select(_ isWanted: [Bool], into selected: inout [TimedEvent]) throws(EventBlockError) {
        let header = try EventBlockHeader(bytes, checksHash: false)
        guard header.events == count else { throw .inconsistent }
        let raw = bytes.span.bytes
        var changes = header.column(.detailChange, of: raw)
        var deliveries = header.column(.delivery, of: raw)
        let sources = header.column(.source, of: raw)
        let platforms = header.column(.platform, of: raw)
        let actions = header.column(.action, of: raw)
        let times = header.column(.time, of: raw)
        var change = -1
        var delivery: UInt32 = 0
        var selects = false
        for index in 0..<header.events {
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
                    place: index, time: header.minTime &+ Int64(bitPattern: times[index] &* header.timeStep),
                    delivery: delivery, source: UInt16(truncatingIfNeeded: sources[change]),
                    action: UInt16(truncatingIfNeeded: actions[index]), platform: platform))
        }
    }
}
