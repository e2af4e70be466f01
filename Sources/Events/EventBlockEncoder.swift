/// Encodes blocks; holds the scratch columns, so that a run of blocks needs them once.
package struct EventBlockEncoder {
    /// The columns, in the order in which a block has them; each has room for a value of every event.
    private enum Column: Int, CaseIterable {
        case start, change, idHigh, idLow, delivery, source, platform, action, time, position, extraRecords
    }

    /// Room for a column, and for one more value that is not kept.
    private static let stride = EventBlock.capacity + 1

    private var values = [UInt64](repeating: 0, count: Column.allCases.count * EventBlockEncoder.stride)
    private var widths = [Int](repeating: 0, count: Column.allCases.count)
    private var counts = [Int](repeating: 0, count: Column.allCases.count)

    package init() {}

    /// Encodes 1 to `EventBlock.capacity` events, sorted by (id, action).
    package mutating func encode(_ events: Span<Event>) -> EventBlock {
        precondition(events.count > 0 && events.count <= EventBlock.capacity)
        let range = measure(events)
        fillColumns(events, range)

        var bytes: [UInt8] = []
        // All columns, 8 bytes behind them, and 8 to spare while one is packed.
        let packed = Column.allCases.reduce(0) { $0 + packedSize(count: count($1), width: widths[$1.rawValue]) }
        bytes.reserveCapacity(EventBlock.headerSize + packed + 16)
        append(UInt64(0), to: &bytes)
        append(UInt32(events.count), to: &bytes)
        append(UInt32(count(.idLow) + 1), to: &bytes)
        bytes.append(range.wide ? 1 : 0)
        bytes.append(range.wholeSeconds ? 1 : 0)
        for column: Column in [
            .idHigh, .idLow, .delivery, .source, .platform, .action, .time, .extraRecords, .position,
        ] {
            bytes.append(UInt8(widths[column.rawValue]))
        }
        bytes.append(0)
        append(UInt32(count(.delivery)), to: &bytes)
        append(UInt32(count(.position)), to: &bytes)
        let first = events[0].id
        append(first.high, to: &bytes)
        append(first.low, to: &bytes)
        append(UInt64(bitPattern: range.minTime), to: &bytes)
        append(range.minDelivery, to: &bytes)

        for column in Column.allCases {
            let first = column.rawValue * EventBlockEncoder.stride
            pack(
                values.span.extracting(first..<(first + count(column))), width: widths[column.rawValue], to: &bytes)
        }
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

    private func count(_ column: Column) -> Int { counts[column.rawValue] }

    private mutating func fillColumns(_ events: Span<Event>, _ range: Range) {
        var places = Places()
        values.withUnsafeMutableBufferPointer { values in
            // A column keeps at most one value an event, and the caller has seen that there is room for so many and one.
            // Whether an event begins a message, or has another detail, is a coin's toss: so every value is written, and
            // the place moves on only where it stays.
            places.start.put(1, in: values)
            places.change.put(1, in: values)
            EventBlockEncoder.putDetail(of: events, at: 0, range, in: values, isKept: true, &places)
            EventBlockEncoder.put(events, at: 0, range, in: values, &places)
            for index in 1..<max(1, events.count) {
                // Field by field: a copy of a whole event costs more than all else here.
                let (id, idBefore) = (events[index].id, events[index &- 1].id)
                let begins = !id.isSame(as: idBefore)
                places.start.put(begins ? 1 : 0, in: values)
                places.idHigh.put(range.wide ? id.high &- idBefore.high : 0, in: values, isKept: begins)
                places.idLow.put(range.wide ? id.low : id.low &- idBefore.low, in: values, isKept: begins)
                let difference =
                    events[index].delivery ^ events[index &- 1].delivery
                    | UInt32(events[index].source ^ events[index &- 1].source)
                    | UInt32(events[index].platform.rawValue ^ events[index &- 1].platform.rawValue)
                places.change.put(difference == 0 ? 0 : 1, in: values)
                EventBlockEncoder.putDetail(
                    of: events, at: index, range, in: values, isKept: difference != 0, &places)
                EventBlockEncoder.put(events, at: index, range, in: values, &places)
            }
        }
        for (column, place) in zip(Column.allCases, places.all) {
            counts[column.rawValue] = place.next - column.rawValue * EventBlockEncoder.stride
            widths[column.rawValue] = bitWidth(of: place.bits)
        }
    }

    @inline(__always)
    private static func putDetail(
        of events: Span<Event>, at index: Int, _ range: Range, in values: UnsafeMutableBufferPointer<UInt64>,
        isKept: Bool, _ places: inout Places
    ) {
        places.delivery.put(UInt64(events[index].delivery &- range.minDelivery), in: values, isKept: isKept)
        places.source.put(UInt64(events[index].source), in: values, isKept: isKept)
        places.platform.put(UInt64(events[index].platform.rawValue), in: values, isKept: isKept)
    }

    @inline(__always)
    private static func put(
        _ events: Span<Event>, at index: Int, _ range: Range, in values: UnsafeMutableBufferPointer<UInt64>,
        _ places: inout Places
    ) {
        places.action.put(UInt64(events[index].action), in: values)
        let offset = UInt64(bitPattern: events[index].time &- range.minTime)
        places.time.put(range.wholeSeconds ? offset / 1000 : offset, in: values)
        let records = events[index].records
        places.position.put(UInt64(index), in: values, isKept: records > 1)
        places.extraRecords.put(UInt64(records &- 1), in: values, isKept: records > 1)
    }

    /// Where in `values` a column's next value goes, and the bits of those before it, all together.
    private struct Place {
        var next: Int
        var bits: UInt64 = 0

        init(_ column: Column) {
            next = column.rawValue * EventBlockEncoder.stride
        }

        @inline(__always)
        mutating func put(_ value: UInt64, in values: UnsafeMutableBufferPointer<UInt64>) {
            values[next] = value
            next &+= 1
            bits |= value
        }

        /// A value that is not kept is overwritten by the next.
        @inline(__always)
        mutating func put(_ value: UInt64, in values: UnsafeMutableBufferPointer<UInt64>, isKept: Bool) {
            values[next] = value
            next &+= isKept ? 1 : 0
            bits |= isKept ? value : 0
        }
    }

    private struct Places {
        var start = Place(.start)
        var change = Place(.change)
        var idHigh = Place(.idHigh)
        var idLow = Place(.idLow)
        var delivery = Place(.delivery)
        var source = Place(.source)
        var platform = Place(.platform)
        var action = Place(.action)
        var time = Place(.time)
        var position = Place(.position)
        var extraRecords = Place(.extraRecords)

        /// In the order of the columns.
        var all: [Place] {
            [start, change, idHigh, idLow, delivery, source, platform, action, time, position, extraRecords]
        }
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func seal(_ bytes: inout [UInt8]) {
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    }
}
