import Hashing

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
        bytes.reserveCapacity(EventBlockHeader.size + packed + 16)
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
        let first = events[0].time
        var (minTime, minDelivery) = (first, events[0].delivery)
        var (fractions, high) = (0 as Int64, 0 as UInt64)
        for index in events.indices {
            let time = events[index].time
            minTime = min(minTime, time)
            minDelivery = min(minDelivery, events[index].delivery)
            fractions |= (time &- first) % 1000
            high |= events[index].id.high
        }
        return Range(minTime: minTime, minDelivery: minDelivery, wholeSeconds: fractions == 0, wide: high != 0)
    }

    private func count(_ column: Column) -> Int { counts[column.rawValue] }

    // A column keeps at most one value an event, and the caller has seen that there is room for so many and one. Whether an
    // event begins a message, or has another detail, is a coin's toss: so every value is written, and the place moves on
    // only where it stays. Events are read field by field: a copy of a whole one costs more than all else here.

    private mutating func fillColumns(_ events: Span<Event>, _ range: Range) {
        values.withUnsafeMutableBufferPointer { values in
            let columns = Columns(values: values)
            let filled =
                EventBlockEncoder.fillIDs(events, range, columns)
                + EventBlockEncoder.fillDetails(events, range, columns)
                + EventBlockEncoder.fillOthers(events, range, columns)
            for (column, count, bits) in filled {
                counts[column.rawValue] = count
                widths[column.rawValue] = bitWidth(of: bits)
            }
        }
    }

    /// The columns `start`, `idHigh` and `idLow`. The first id is not among them.
    private static func fillIDs(_ events: Span<Event>, _ range: Range, _ columns: Columns) -> [Filled] {
        let wide: UInt64 = range.wide ? ~0 : 0
        var before = events[0].id
        var kept = 0
        var (highBits, lowBits) = (0 as UInt64, 0 as UInt64)
        for index in events.indices {
            let id = events[index].id
            let begins: UInt64 = id == before ? 0 : 1
            let high = (id.high &- before.high) & wide
            let low = id.low &- (before.low & ~wide)
            columns.put(begins, .start, index)
            columns.put(high, .idHigh, kept)
            columns.put(low, .idLow, kept)
            kept &+= Int(truncatingIfNeeded: begins)
            highBits |= high
            lowBits |= low & (0 &- begins)
            before = id
        }
        columns.put(1, .start, 0)
        return [
            (Column.start, events.count, 1), (.idHigh, kept, highBits), (.idLow, kept, lowBits),
        ]
    }

    /// The columns `change`, `delivery`, `source` and `platform`.
    private static func fillDetails(_ events: Span<Event>, _ range: Range, _ columns: Columns) -> [Filled] {
        var before = (delivery: ~events[0].delivery, source: 0 as UInt16, platform: 0 as UInt8)
        var kept = 0
        // Of values that are not kept too: they are as those before.
        var bits = (delivery: 0 as UInt32, source: 0 as UInt16, platform: 0 as UInt8)
        for index in events.indices {
            let (delivery, source) = (events[index].delivery, events[index].source)
            let platform = events[index].platform.rawValue
            let difference =
                delivery ^ before.delivery | UInt32(source ^ before.source) | UInt32(platform ^ before.platform)
            let above = delivery &- range.minDelivery
            columns.put(difference == 0 ? 0 : 1, .change, index)
            columns.put(UInt64(above), .delivery, kept)
            columns.put(UInt64(source), .source, kept)
            columns.put(UInt64(platform), .platform, kept)
            kept &+= difference == 0 ? 0 : 1
            bits.delivery |= above
            bits.source |= source
            bits.platform |= platform
            before = (delivery, source, platform)
        }
        return [
            (Column.change, events.count, 1), (.delivery, kept, UInt64(bits.delivery)),
            (.source, kept, UInt64(bits.source)), (.platform, kept, UInt64(bits.platform)),
        ]
    }

    /// The columns `action`, `time`, `position` and `extraRecords`.
    private static func fillOthers(_ events: Span<Event>, _ range: Range, _ columns: Columns) -> [Filled] {
        var kept = 0
        var (actionBits, timeBits, extraBits) = (0 as UInt16, 0 as UInt64, 0 as UInt32)
        var last = 0
        for index in events.indices {
            let action = events[index].action
            let offset = UInt64(bitPattern: events[index].time &- range.minTime)
            let time = range.wholeSeconds ? offset / 1000 : offset
            let extraRecords = events[index].records &- 1
            columns.put(UInt64(action), .action, index)
            columns.put(time, .time, index)
            columns.put(UInt64(index), .position, kept)
            columns.put(UInt64(extraRecords), .extraRecords, kept)
            kept &+= extraRecords == 0 ? 0 : 1
            last = extraRecords == 0 ? last : index
            actionBits |= action
            timeBits |= time
            extraBits |= extraRecords
        }
        return [
            (Column.action, events.count, UInt64(actionBits)), (.time, events.count, timeBits),
            // Positions rise, so the last one is the widest.
            (.position, kept, UInt64(last)), (.extraRecords, kept, UInt64(extraBits)),
        ]
    }

    /// A column, how many values it has, and the bits of all of them together.
    private typealias Filled = (column: Column, count: Int, bits: UInt64)

    private struct Columns {
        let values: UnsafeMutableBufferPointer<UInt64>

        @inline(__always)
        func put(_ value: UInt64, _ column: Column, _ place: Int) {
            values[column.rawValue &* EventBlockEncoder.stride &+ place] = value
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

extension EventBlock {
    /// Encodes 1 to `capacity` events, which must be sorted by (id, action).
    package init(encoding events: Span<Event>) {
        var encoder = EventBlockEncoder()
        self = encoder.encode(events)
    }

    package init(encoding events: [Event]) {
        self.init(encoding: events.span)
    }
}
