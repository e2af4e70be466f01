import Calendar
import Events

// How figures are kept for publishing: rows of numbers in the partition's own numbers, in the order of their keys.
//
//   daily_actions   day, delivery, source, action, platform, events, duplicates, first, last less first
//   daily_funnel    day, delivery, platform, stages, messages

extension DailyActions {
    var bytes: [UInt8] {
        var rows: [InlineArray<9, Int64>] = []
        rows.reserveCapacity(table.entries.count)
        for entry in table.entries.sorted(by: { $0.key.precedes($1.key) }) {
            var numbers = Row(entry).numbers
            numbers[8] &-= numbers[7]
            rows.append(numbers)
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * 24 + 128)
        FigureColumns.append(rows, to: &bytes)
        return bytes
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try DailyActions.forEachRow(in: bytes, limits) { merge($1, at: $0) }
    }

    /// Reads the rows of `bytes`, in the order of their keys.
    @inline(__always)
    static func forEachRow(
        in bytes: Span<UInt8>, _ limits: EventNumberLimits, _ body: (PackedKey, Sums) -> Void
    ) throws(FigureBytesError) {
        let columns = try FigureColumns<9>(bytes)
        for row in 0..<columns.rows {
            func number(_ column: Int) -> Int64 { columns.number(column, of: row, in: bytes) }
            let (key, sums) = try DailyActions.row(
                [
                    number(0), number(1), number(2), number(3), number(4), number(5), number(6), number(7),
                    number(7) &+ number(8),
                ], limits)
            body(key, sums)
        }
    }

    /// Adds a row: day, delivery, source, action, platform, events, duplicates, first, last.
    mutating func add(
        _ numbers: InlineArray<9, Int64>, _ limits: EventNumberLimits
    ) throws(FigureBytesError) {
        let (key, sums) = try DailyActions.row(numbers, limits)
        merge(sums, at: key)
    }

    @inline(__always)
    private static func row(
        _ numbers: InlineArray<9, Int64>, _ limits: EventNumberLimits
    ) throws(FigureBytesError) -> (PackedKey, Sums) {
        guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
            (0..<Int64(limits.deliveries)).contains(numbers[1]), (0..<Int64(limits.sources)).contains(numbers[2]),
            (0..<Int64(limits.actions)).contains(numbers[3]),
            let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
            (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
        else { throw FigureBytesError() }
        let key = PackedKey(
            day, UInt16(truncatingIfNeeded: numbers[2]), platform, UInt32(truncatingIfNeeded: numbers[1]),
            UInt16(truncatingIfNeeded: numbers[3]))
        var sums = Sums(events: Int(numbers[5]), duplicates: Int(numbers[6]))
        if sums.events > 0 { (sums.first, sums.last) = (numbers[7], numbers[8]) }
        return (key, sums)
    }
}

extension DailyActions.Row {
    /// Day, delivery, source, action, platform, events, duplicates, and where any event counts the first and the last.
    var numbers: InlineArray<9, Int64> {
        [
            Int64(day), Int64(delivery), Int64(source), Int64(action), Int64(platform.rawValue), Int64(events),
            Int64(duplicates), firstAt ?? 0, lastAt ?? 0,
        ]
    }
}

extension DailyFunnel {
    var bytes: [UInt8] {
        var rows: [InlineArray<5, Int64>] = []
        rows.reserveCapacity(table.entries.count)
        for entry in table.entries.sorted(by: { $0.key.precedes($1.key) }) where entry.value != 0 {
            let (high, low) = (entry.key.high, entry.key.low)
            rows.append([
                Int64(DailyFunnel.day(entry.key)), Int64(high & 0xFFFF_FFFF), Int64(low >> 8), Int64(low & 0xFF),
                Int64(entry.value),
            ])
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * 8 + 128)
        FigureColumns.append(rows, to: &bytes)
        return bytes
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try DailyFunnel.forEachRow(in: bytes, limits) { merge($1, at: $0) }
    }

    /// Reads the rows of `bytes`, in the order of their keys.
    @inline(__always)
    static func forEachRow(
        in bytes: Span<UInt8>, _ limits: EventNumberLimits, _ body: (PackedKey, Int) -> Void
    ) throws(FigureBytesError) {
        let columns = try FigureColumns<5>(bytes)
        for row in 0..<columns.rows {
            func number(_ column: Int) -> Int64 { columns.number(column, of: row, in: bytes) }
            guard let day = Int32(exactly: number(0)), CalendarText.days.contains(day),
                (0..<Int64(limits.deliveries)).contains(number(1)),
                let platform = UInt8(exactly: number(2)).flatMap(Platform.init(rawValue:)),
                (0..<16).contains(number(3)), (1..<1 << 60).contains(number(4))
            else { throw FigureBytesError() }
            let stages = Stages(rawValue: UInt8(truncatingIfNeeded: number(3)))
            body(DailyFunnel.key(day, platform, UInt32(truncatingIfNeeded: number(1)), stages), Int(number(4)))
        }
    }
}

extension PackedKey {
    @inline(__always)
    func precedes(_ other: PackedKey) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}

/// How many sources, actions and deliveries a partition has: an event's numbers lie below these.
struct EventNumberLimits: Sendable {
    let sources: Int
    let actions: Int
    let deliveries: Int

    init(_ names: EventNames) {
        sources = names.sources.count
        actions = names.actions.count
        deliveries = names.deliveries.count
    }

    /// Whether the numbers are within their limits.
    func hold(_ events: Span<Event>) -> Bool {
        var highest = (source: UInt16(0), action: UInt16(0), delivery: UInt32(0))
        for index in events.indices {
            let event = events[index]
            highest.source = max(highest.source, event.source)
            highest.action = max(highest.action, event.action)
            highest.delivery = max(highest.delivery, event.delivery)
        }
        return events.count == 0
            || Int(highest.source) < sources && Int(highest.action) < actions
                && Int(highest.delivery) < deliveries
    }
}

/// A daily table by packed keys, which may have been kept as bytes.
protocol PackedRows {
    associatedtype Value: Sendable

    var table: PackedTable<Value> { get }

    /// Reads the rows of `bytes`, in the order of their keys.
    static func forEachRow(
        in bytes: Span<UInt8>, _ limits: EventNumberLimits, _ body: (PackedKey, Value) -> Void
    ) throws(FigureBytesError)
}

extension DailyActions: PackedRows {}
extension DailyFunnel: PackedRows {}
