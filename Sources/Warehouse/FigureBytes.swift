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
        FigureBytes.encode(
            table.entries.sorted { $0.key.precedes($1.key) }.map { entry in
                let sums = entry.value
                return [
                    entry.key.high, entry.key.low, UInt64(sums.events), UInt64(sums.duplicates),
                    UInt64(bitPattern: sums.first), UInt64(bitPattern: sums.last),
                ]
            })
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try FigureBytes.decode(bytes, words: 6) { words throws(FigureBytesError) in
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
        FigureBytes.encode(
            table.entries.sorted { $0.key.precedes($1.key) }.map { entry in
                [entry.key.high, entry.key.low, UInt64(bitPattern: Int64(entry.value))]
            })
    }

    /// Reads what `bytes` wrote; numbers that the limits do not have are an error.
    init(bytes: Span<UInt8>, limits: EventNumberLimits) throws(FigureBytesError) {
        self.init()
        try FigureBytes.decode(bytes, words: 3) { words throws(FigureBytesError) in
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

private enum FigureBytes {
    static func encode(_ rows: [[UInt64]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for word in rows.joined() {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return bytes
    }

    /// Calls `body` with the words of each row.
    static func decode(
        _ bytes: Span<UInt8>, words count: Int, _ body: ([UInt64]) throws(FigureBytesError) -> Void
    ) throws(FigureBytesError) {
        guard bytes.count % (8 * count) == 0 else { throw FigureBytesError() }
        let raw = bytes.bytes
        var words = [UInt64](repeating: 0, count: count)
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
        return events.count == 0 || Int(highest.source) < sources && Int(highest.action) < actions
            && Int(highest.delivery) < deliveries
    }
}
