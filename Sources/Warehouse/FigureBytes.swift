import Events

// How a partition keeps its figures as if it were alone, for publishing, beside the daily_actions that people read:
// rows of words of 8 bytes, lowest byte first, sorted by key, in the partition's own numbers.
//
//   daily_actions   key (2 words: day and delivery; source, action and platform), events, duplicates, first, last
//   daily_funnel    key (2 words: day and delivery; platform and stages), messages

/// What does not read as figures.
struct FigureBytesError: Error {}

extension DailyActions {
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for entry in table.entries.sorted(by: { $0.key.precedes($1.key) }) {
            let sums = entry.value
            FigureBytes.append(
                [
                    entry.key.high, entry.key.low, UInt64(sums.events), UInt64(sums.duplicates),
                    UInt64(bitPattern: sums.first), UInt64(bitPattern: sums.last),
                ], to: &bytes)
        }
        return bytes
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try FigureBytes.decode(bytes) { (words: InlineArray<6, UInt64>) throws(FigureBytesError) in
            let key = PackedKey(high: words[0], low: words[1])
            let row = Row(key)
            guard CalendarText.days.contains(row.day), Int(row.delivery) < limits.deliveries,
                Int(row.source) < limits.sources, Int(row.action) < limits.actions,
                key.low >> 48 == 0, key.low & 0xFFFF < UInt64(Platform.allCases.count),
                words[2] < 1 << 60, words[3] < 1 << 60
            else { throw FigureBytesError() }
            merge(
                Sums(
                    events: Int(words[2]), duplicates: Int(words[3]), first: Int64(bitPattern: words[4]),
                    last: Int64(bitPattern: words[5])), at: key)
        }
    }
}

extension DailyFunnel {
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for entry in table.entries.sorted(by: { $0.key.precedes($1.key) }) {
            FigureBytes.append([entry.key.high, entry.key.low, UInt64(bitPattern: Int64(entry.value))], to: &bytes)
        }
        return bytes
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try FigureBytes.decode(bytes) { (words: InlineArray<3, UInt64>) throws(FigureBytesError) in
            let key = PackedKey(high: words[0], low: words[1])
            guard CalendarText.days.contains(Int32(bitPattern: UInt32(key.high >> 32))),
                UInt32(truncatingIfNeeded: key.high) < limits.deliveries,
                key.low >> 8 < Platform.allCases.count, key.low & 0xFF < 16, words[2] < 1 << 60
            else { throw FigureBytesError() }
            merge(Int(words[2]), at: key)
        }
    }
}

extension PackedKey {
    func precedes(_ other: PackedKey) -> Bool {
        high != other.high ? high < other.high : low < other.low
    }
}

/// Rows of words of 8 bytes, lowest byte first.
enum FigureBytes {
    static func append<let count: Int>(_ words: InlineArray<count, UInt64>, to bytes: inout [UInt8]) {
        for index in 0..<count {
            withUnsafeBytes(of: words[index].littleEndian) { bytes.append(contentsOf: $0) }
        }
    }

    /// Calls `body` with the words of each row.
    @inline(__always)
    static func decode<let count: Int>(
        _ bytes: Span<UInt8>, _ body: (InlineArray<count, UInt64>) throws(FigureBytesError) -> Void
    ) throws(FigureBytesError) {
        guard bytes.count % (8 * count) == 0 else { throw FigureBytesError() }
        let raw = bytes.bytes
        var words = InlineArray<count, UInt64>(repeating: 0)
        for start in stride(from: 0, to: bytes.count, by: 8 * count) {
            for index in 0..<count {
                words[index] = UInt64(
                    littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: start + 8 * index, as: UInt64.self))
            }
            try body(words)
        }
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
