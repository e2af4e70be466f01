/// Encodes blocks; holds the scratch columns, so that a run of blocks needs them once.
package struct EventBlockEncoder {
    private var idHigh = Column()
    private var idLow = Column()
    private var starts = Column()
    private var changes = Column()
    private var deliveries = Column()
    private var sources = Column()
    private var platforms = Column()
    private var actions = Column()
    private var times = Column()
    private var positions = Column()
    private var extraRecords = Column()

    package init() {}

    /// Encodes 1 to `EventBlock.capacity` events, sorted by (id, action).
    package mutating func encode(_ events: Span<Event>) -> EventBlock {
        precondition(events.count > 0 && events.count <= EventBlock.capacity)
        let range = measure(events)
        fillColumns(events, range)

        let widthHigh = idHigh.width
        let widthLow = idLow.width
        let widthDelivery = deliveries.width
        let widthSource = sources.width
        let widthPlatform = platforms.width
        let widthAction = actions.width
        let widthTime = times.width
        let widthPosition = positions.width
        let widthRecords = extraRecords.width

        var bytes: [UInt8] = []
        bytes.reserveCapacity(EventBlock.headerSize + events.count * 8 + idLow.count * 8)
        append(UInt64(0), to: &bytes)
        append(UInt32(events.count), to: &bytes)
        append(UInt32(idLow.count + 1), to: &bytes)
        bytes.append(range.wide ? 1 : 0)
        bytes.append(range.wholeSeconds ? 1 : 0)
        for width in [
            widthHigh, widthLow, widthDelivery, widthSource, widthPlatform, widthAction, widthTime, widthRecords,
            widthPosition, 0,
        ] {
            bytes.append(UInt8(width))
        }
        append(UInt32(deliveries.count), to: &bytes)
        append(UInt32(positions.count), to: &bytes)
        let first = events[0].id
        append(first.high, to: &bytes)
        append(first.low, to: &bytes)
        append(UInt64(bitPattern: range.minTime), to: &bytes)
        append(range.minDelivery, to: &bytes)

        starts.pack(to: &bytes)
        changes.pack(to: &bytes)
        idHigh.pack(to: &bytes)
        idLow.pack(to: &bytes)
        deliveries.pack(to: &bytes)
        sources.pack(to: &bytes)
        platforms.pack(to: &bytes)
        actions.pack(to: &bytes)
        times.pack(to: &bytes)
        positions.pack(to: &bytes)
        extraRecords.pack(to: &bytes)
        append(UInt64(0), to: &bytes)
        seal(&bytes)
        return EventBlock(first: first, last: events[events.count - 1].id, count: events.count, bytes: bytes)
    }

    private struct Range {
        var minTime: Int64
        var minDelivery: UInt32
        var wholeSeconds = true
        var wide = false
    }

    private func measure(_ events: Span<Event>) -> Range {
        var range = Range(minTime: events[0].time, minDelivery: events[0].delivery)
        for index in events.indices {
            range.minTime = min(range.minTime, events[index].time)
            range.minDelivery = min(range.minDelivery, events[index].delivery)
            if events[index].id.high != 0 { range.wide = true }
        }
        for index in events.indices where (events[index].time &- range.minTime) % 1000 != 0 {
            range.wholeSeconds = false
            break
        }
        return range
    }

    private mutating func fillColumns(_ events: Span<Event>, _ range: Range) {
        removeAll()
        var before = events[0]
        for index in events.indices {
            let event = events[index]
            let begins = index == 0 || event.id != before.id
            starts.append(begins ? 1 : 0)
            if begins && index > 0 {
                if range.wide {
                    idHigh.append(event.id.high &- before.id.high)
                    idLow.append(event.id.low)
                } else {
                    idHigh.append(0)
                    idLow.append(event.id.low &- before.id.low)
                }
            }
            let changed =
                index == 0 || event.delivery != before.delivery || event.source != before.source
                || event.platform != before.platform
            changes.append(changed ? 1 : 0)
            if changed {
                deliveries.append(UInt64(event.delivery &- range.minDelivery))
                sources.append(UInt64(event.source))
                platforms.append(UInt64(event.platform.rawValue))
            }
            actions.append(UInt64(event.action))
            let offset = UInt64(bitPattern: event.time &- range.minTime)
            times.append(range.wholeSeconds ? offset / 1000 : offset)
            if event.records > 1 {
                positions.append(UInt64(index))
                extraRecords.append(UInt64(event.records &- 1))
            }
            before = event
        }
    }

    private mutating func removeAll() {
        idHigh.removeAll()
        idLow.removeAll()
        starts.removeAll()
        changes.removeAll()
        deliveries.removeAll()
        sources.removeAll()
        platforms.removeAll()
        actions.removeAll()
        times.removeAll()
        positions.removeAll()
        extraRecords.removeAll()
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func seal(_ bytes: inout [UInt8]) {
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    }
}

/// A column of a block: room for a value of each event, and the bits of all of them together.
private struct Column {
    private var values = [UInt64](repeating: 0, count: EventBlock.capacity)
    private(set) var count = 0
    private var allBits: UInt64 = 0

    var width: Int { bitWidth(of: allBits) }

    @inline(__always)
    mutating func append(_ value: UInt64) {
        values[count] = value
        count &+= 1
        allBits |= value
    }

    mutating func removeAll() {
        count = 0
        allBits = 0
    }

    /// Appends the values, each in as many bits as the widest one has.
    func pack(to bytes: inout [UInt8]) {
        Events.pack(values.span.extracting(0..<count), width: width, to: &bytes)
    }
}
