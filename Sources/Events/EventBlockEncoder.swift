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

    private mutating func fillColumns(_ events: Span<Event>, _ range: Range) {
        var kept = Kept()
        var bits = Bits()
        values.withUnsafeMutableBufferPointer { values in
            // A column keeps at most one value an event, and the caller has seen that there is room for so many and one.
            // Whether an event begins a message, or has another detail, is a coin's toss: so every value is written, and
            // the place moves on only where it stays. What does not stay is 0, or as it was before: so the bits of all
            // values are those of the kept ones.
            for index in events.indices {
                // Field by field: a copy of a whole event costs more than all else here. The first is compared with itself.
                let before = max(index, 1) &- 1
                let (id, idBefore) = (events[index].id, events[before].id)
                let begins = id != idBefore
                let idHigh = range.wide ? id.high &- idBefore.high : 0
                let idLow = range.wide ? id.low : id.low &- idBefore.low
                put(begins ? 1 : 0, .start, index)
                put(idHigh, .idHigh, kept.ids)
                put(idLow, .idLow, kept.ids)
                kept.ids &+= begins ? 1 : 0

                let delivery = events[index].delivery
                let (source, platform) = (events[index].source, events[index].platform.rawValue)
                let difference =
                    delivery ^ events[before].delivery | UInt32(source ^ events[before].source)
                    | UInt32(platform ^ events[before].platform.rawValue)
                let changes = index == 0 || difference != 0
                put(changes ? 1 : 0, .change, index)
                put(UInt64(delivery &- range.minDelivery), .delivery, kept.details)
                put(UInt64(source), .source, kept.details)
                put(UInt64(platform), .platform, kept.details)
                kept.details &+= changes ? 1 : 0

                let action = UInt64(events[index].action)
                let offset = UInt64(bitPattern: events[index].time &- range.minTime)
                let time = range.wholeSeconds ? offset / 1000 : offset
                put(action, .action, index)
                put(time, .time, index)

                let extraRecords = UInt64(events[index].records &- 1)
                put(UInt64(index), .position, kept.joined)
                put(extraRecords, .extraRecords, kept.joined)
                kept.joined &+= extraRecords > 0 ? 1 : 0

                bits.idHigh |= idHigh
                bits.idLow |= begins ? idLow : 0
                bits.delivery |= UInt64(delivery &- range.minDelivery)
                bits.source |= UInt64(source)
                bits.platform |= UInt64(platform)
                bits.action |= action
                bits.time |= time
                bits.position |= extraRecords > 0 ? UInt64(index) : 0
                bits.extraRecords |= extraRecords
            }
            values[Column.start.rawValue * EventBlockEncoder.stride] = 1

            @inline(__always)
            func put(_ value: UInt64, _ column: Column, _ place: Int) {
                values[column.rawValue &* EventBlockEncoder.stride &+ place] = value
            }
        }
        for column in Column.allCases {
            (counts[column.rawValue], widths[column.rawValue]) =
                switch column {
                case .start, .change: (events.count, 1)
                case .idHigh: (kept.ids, bitWidth(of: bits.idHigh))
                case .idLow: (kept.ids, bitWidth(of: bits.idLow))
                case .delivery: (kept.details, bitWidth(of: bits.delivery))
                case .source: (kept.details, bitWidth(of: bits.source))
                case .platform: (kept.details, bitWidth(of: bits.platform))
                case .action: (events.count, bitWidth(of: bits.action))
                case .time: (events.count, bitWidth(of: bits.time))
                case .position: (kept.joined, bitWidth(of: bits.position))
                case .extraRecords: (kept.joined, bitWidth(of: bits.extraRecords))
                }
        }
    }

    /// How many values the columns have that have none for some events.
    private struct Kept {
        var ids = 0
        var details = 0
        var joined = 0
    }

    /// The bits of a column's values, all together.
    private struct Bits {
        var idHigh: UInt64 = 0
        var idLow: UInt64 = 0
        var delivery: UInt64 = 0
        var source: UInt64 = 0
        var platform: UInt64 = 0
        var action: UInt64 = 0
        var time: UInt64 = 0
        var position: UInt64 = 0
        var extraRecords: UInt64 = 0
    }

    private func append<T: FixedWidthInteger>(_ value: T, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private func seal(_ bytes: inout [UInt8]) {
        let hash = WordHash.of(bytes.span.extracting(8..<bytes.count))
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * index)) }
    }
}
