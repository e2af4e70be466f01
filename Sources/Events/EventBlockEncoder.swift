/// Encodes blocks; holds the scratch columns, so that a run of blocks needs them once.
package struct EventBlockEncoder {
    private var idHigh: [UInt64] = []
    private var idLow: [UInt64] = []
    private var starts: [UInt64] = []
    private var changes: [UInt64] = []
    private var deliveries: [UInt64] = []
    private var sources: [UInt64] = []
    private var platforms: [UInt64] = []
    private var actions: [UInt64] = []
    private var times: [UInt64] = []
    private var positions: [UInt64] = []
    private var extraRecords: [UInt64] = []

    package init() {}

    /// Encodes 1 to `EventBlock.capacity` events, sorted by (id, action).
    package mutating func encode(_ events: Span<Event>) -> EventBlock {
        precondition(events.count > 0 && events.count <= EventBlock.capacity)
        let range = measure(events)
        fillColumns(events, range)

        let widthHigh = width(of: idHigh)
        let widthLow = width(of: idLow)
        let widthDelivery = width(of: deliveries)
        let widthSource = width(of: sources)
        let widthPlatform = width(of: platforms)
        let widthAction = width(of: actions)
        let widthTime = width(of: times)
        let widthPosition = width(of: positions)
        let widthRecords = width(of: extraRecords)

        var bytes: [UInt8] = []
        bytes.reserveCapacity(EventBlock.headerSize + events.count * 8 + idLow.count * 16)
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

        pack(starts.span, width: 1, to: &bytes)
        pack(changes.span, width: 1, to: &bytes)
        pack(idHigh.span, width: widthHigh, to: &bytes)
        pack(idLow.span, width: widthLow, to: &bytes)
        pack(deliveries.span, width: widthDelivery, to: &bytes)
        pack(sources.span, width: widthSource, to: &bytes)
        pack(platforms.span, width: widthPlatform, to: &bytes)
        pack(actions.span, width: widthAction, to: &bytes)
        pack(times.span, width: widthTime, to: &bytes)
        pack(positions.span, width: widthPosition, to: &bytes)
        pack(extraRecords.span, width: widthRecords, to: &bytes)
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
        idHigh.removeAll(keepingCapacity: true)
        idLow.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        changes.removeAll(keepingCapacity: true)
        deliveries.removeAll(keepingCapacity: true)
        sources.removeAll(keepingCapacity: true)
        platforms.removeAll(keepingCapacity: true)
        actions.removeAll(keepingCapacity: true)
        times.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        extraRecords.removeAll(keepingCapacity: true)
    }

    private func width(of column: [UInt64]) -> Int {
        var all: UInt64 = 0
        for value in column { all |= value }
        return bitWidth(of: all)
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func seal(_ bytes: inout [UInt8]) {
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    }
}
