import Hashing

/// Encodes event blocks. It owns the scratch memory for the columns, so use one encoder for many blocks.
package struct EventBlockEncoder {
    private typealias Column = EventBlockColumn

    /// The scratch values per column: one for each event, and one more that is written and not counted.
    private static let stride = EventBlock.capacity + 1

    private var values = [UInt64](repeating: 0, count: Column.allCases.count * EventBlockEncoder.stride)
    private var widths = [Int](repeating: 0, count: Column.allCases.count)
    private var counts = [Int](repeating: 0, count: Column.allCases.count)

    package init() {}

    /// Encodes 1 to `EventBlock.capacity` events, which must be sorted by (id, action).
    package mutating func encode(_ events: Span<Event>) -> EventBlock {
        precondition(events.count > 0 && events.count <= EventBlock.capacity)
        assert(events.isSorted)
        let summary = measure(events)
        fillColumns(from: events, summary: summary)

        var bytes: [UInt8] = []
        // All columns, 8 bytes of padding, and 8 spare bytes for `pack`.
        let packed = Column.allCases.reduce(0) { $0 + packedSize(count: count($1), width: widths[$1.rawValue]) }
        bytes.reserveCapacity(EventBlockHeader.size + packed + 16)
        append(UInt64(0), to: &bytes)
        append(UInt32(events.count), to: &bytes)
        append(UInt32(count(.idLow) + 1), to: &bytes)
        bytes.append(summary.isWide ? 1 : 0)
        bytes.append(summary.hasWholeSeconds ? 1 : 0)
        for column: Column in [
            .idHigh, .idLow, .delivery, .source, .platform, .action, .time, .extraRecords, .repeatedIndex,
        ] {
            bytes.append(UInt8(widths[column.rawValue]))
        }
        bytes.append(0)
        append(UInt32(count(.delivery)), to: &bytes)
        append(UInt32(count(.repeatedIndex)), to: &bytes)
        let first = events[0].id
        append(first.high, to: &bytes)
        append(first.low, to: &bytes)
        append(UInt64(bitPattern: summary.minTime), to: &bytes)
        append(summary.minDelivery, to: &bytes)

        for column in Column.allCases {
            let first = column.rawValue * EventBlockEncoder.stride
            pack(
                values.span.extracting(first..<(first + count(column))), width: widths[column.rawValue], to: &bytes)
        }
        append(UInt64(0), to: &bytes)
        seal(&bytes)
        return EventBlock(first: first, last: events[events.count - 1].id, count: events.count, bytes: bytes)
    }

    /// The values of the header that depend on all events.
    private struct Summary {
        var minTime: Int64
        var minDelivery: UInt32
        /// Whether all times differ by whole seconds.
        var hasWholeSeconds = true
        /// Whether any id uses its high word.
        var isWide = false
    }

    private func measure(_ events: Span<Event>) -> Summary {
        let first = events[0].time
        var minTime = first
        var minDelivery = events[0].delivery
        var fractions: Int64 = 0
        var high: UInt64 = 0
        for index in events.indices {
            let time = events[index].time
            minTime = min(minTime, time)
            minDelivery = min(minDelivery, events[index].delivery)
            fractions |= (time &- first) % 1000
            high |= events[index].id.high
        }
        return Summary(minTime: minTime, minDelivery: minDelivery, hasWholeSeconds: fractions == 0, isWide: high != 0)
    }

    private func count(_ column: Column) -> Int { counts[column.rawValue] }

    // Some columns keep a value only for some events, which is unpredictable and hence branch-free: every value is
    // written at the index `kept`, and `kept` advances only if the value counts. A column keeps at most one value per
    // event, so `stride` leaves room for one value that does not count. Events are read field by field, because copying
    // a whole event costs more than the rest of the loop.

    private mutating func fillColumns(from events: Span<Event>, summary: Summary) {
        values.withUnsafeMutableBufferPointer { values in
            let columns = Columns(values: values)
            let filled =
                EventBlockEncoder.fillIDs(of: events, summary: summary, into: columns)
                + EventBlockEncoder.fillDetails(of: events, summary: summary, into: columns)
                + EventBlockEncoder.fillOthers(of: events, summary: summary, into: columns)
            for (column, count, bits) in filled {
                counts[column.rawValue] = count
                widths[column.rawValue] = bitWidth(of: bits)
            }
        }
    }

    /// Fills the columns `messageStart`, `idHigh` and `idLow`. The first id is in the header and not in the columns.
    private static func fillIDs(of events: Span<Event>, summary: Summary, into columns: Columns) -> [Filled] {
        let wideMask: UInt64 = summary.isWide ? ~0 : 0
        var before = events[0].id
        var kept = 0
        var highBits: UInt64 = 0
        var lowBits: UInt64 = 0
        for index in events.indices {
            let id = events[index].id
            let begins: UInt64 = id == before ? 0 : 1
            let high = (id.high &- before.high) & wideMask
            let low = id.low &- (before.low & ~wideMask)
            columns.put(begins, in: .messageStart, at: index)
            columns.put(high, in: .idHigh, at: kept)
            columns.put(low, in: .idLow, at: kept)
            kept &+= Int(truncatingIfNeeded: begins)
            highBits |= high
            lowBits |= low & (0 &- begins)
            before = id
        }
        columns.put(1, in: .messageStart, at: 0)
        return [
            (Column.messageStart, events.count, 1), (.idHigh, kept, highBits), (.idLow, kept, lowBits),
        ]
    }

    /// Fills the columns `detailChange`, `delivery`, `source` and `platform`.
    private static func fillDetails(of events: Span<Event>, summary: Summary, into columns: Columns) -> [Filled] {
        var before = (delivery: ~events[0].delivery, source: 0 as UInt16, platform: 0 as UInt8)
        var kept = 0
        // These may include values that are not kept, because such a value equals the one before.
        var bits = (delivery: 0 as UInt32, source: 0 as UInt16, platform: 0 as UInt8)
        for index in events.indices {
            let delivery = events[index].delivery
            let source = events[index].source
            let platform = events[index].platform.rawValue
            let difference =
                delivery ^ before.delivery | UInt32(source ^ before.source) | UInt32(platform ^ before.platform)
            let above = delivery &- summary.minDelivery
            columns.put(difference == 0 ? 0 : 1, in: .detailChange, at: index)
            columns.put(UInt64(above), in: .delivery, at: kept)
            columns.put(UInt64(source), in: .source, at: kept)
            columns.put(UInt64(platform), in: .platform, at: kept)
            kept &+= difference == 0 ? 0 : 1
            bits.delivery |= above
            bits.source |= source
            bits.platform |= platform
            before = (delivery, source, platform)
        }
        return [
            (Column.detailChange, events.count, 1), (.delivery, kept, UInt64(bits.delivery)),
            (.source, kept, UInt64(bits.source)), (.platform, kept, UInt64(bits.platform)),
        ]
    }

    /// Fills the columns `action`, `time`, `repeatedIndex` and `extraRecords`.
    private static func fillOthers(of events: Span<Event>, summary: Summary, into columns: Columns) -> [Filled] {
        var kept = 0
        var actionBits: UInt16 = 0
        var timeBits: UInt64 = 0
        var extraBits: UInt32 = 0
        var last = 0
        for index in events.indices {
            let action = events[index].action
            let offset = UInt64(bitPattern: events[index].time &- summary.minTime)
            let time = summary.hasWholeSeconds ? offset / 1000 : offset
            let extraRecords = events[index].records &- 1
            columns.put(UInt64(action), in: .action, at: index)
            columns.put(time, in: .time, at: index)
            actionBits |= action
            timeBits |= time
            // Few events have several records, so this branch is predictable.
            guard extraRecords > 0 else { continue }
            columns.put(UInt64(index), in: .repeatedIndex, at: kept)
            columns.put(UInt64(extraRecords), in: .extraRecords, at: kept)
            kept &+= 1
            last = index
            extraBits |= extraRecords
        }
        return [
            (Column.action, events.count, UInt64(actionBits)), (.time, events.count, timeBits),
            // The indices increase, so the last one needs the most bits.
            (.repeatedIndex, kept, UInt64(last)), (.extraRecords, kept, UInt64(extraBits)),
        ]
    }

    /// A column, the number of its values, and the bitwise or of all values.
    private typealias Filled = (column: Column, count: Int, bits: UInt64)

    private struct Columns {
        let values: UnsafeMutableBufferPointer<UInt64>

        @inline(__always)
        func put(_ value: UInt64, in column: Column, at index: Int) {
            values[column.rawValue &* EventBlockEncoder.stride &+ index] = value
        }
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes the hash at the front.
    private func seal(_ bytes: inout [UInt8]) {
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    }
}

extension EventBlock {
    /// The blocks of events that are sorted by id.
    package static func blocks(of events: [Event]) -> [EventBlock] {
        assert(events.span.isSorted)
        var encoder = EventBlockEncoder()
        return stride(from: 0, to: events.count, by: EventBlock.capacity).map { start in
            encoder.encode(events.span.extracting(start..<min(start + EventBlock.capacity, events.count)))
        }
    }
}
