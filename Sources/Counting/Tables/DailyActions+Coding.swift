import Calendar
import Events

// daily_actions as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, source, action, platform, events, duplicates

extension DailyActions {
    package var bytes: [UInt8] {
        NumberColumns.bytes(of: table.sortedEntries.map { Row($0.key, $0.value).numbers })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<7>(bytes).rows)
        try NumberColumns<7>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in try add(numbers, limits) }
    }

    /// Adds a row, see `Row.numbers`.
    /// - Throws: if a number is outside `limits`.
    @inline(__always)
    package mutating func add(
        _ numbers: InlineArray<7, Int64>, _ limits: NameCounts
    ) throws(NumberColumnsError) {
        guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
            (0..<Int64(limits.deliveries)).contains(numbers[1]), (0..<Int64(limits.sources)).contains(numbers[2]),
            (0..<Int64(limits.actions)).contains(numbers[3]),
            let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
            (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
        else { throw NumberColumnsError() }
        table.add(
            EventCounts(events: Int(numbers[5]), duplicates: Int(numbers[6])),
            at: PackedKey(
                day, UInt16(truncatingIfNeeded: numbers[2]), platform, UInt32(truncatingIfNeeded: numbers[1]),
                UInt16(truncatingIfNeeded: numbers[3])))
    }
}

extension DailyActions.Row {
    /// Day, delivery, source, action, platform, events, duplicates.
    package var numbers: InlineArray<7, Int64> {
        [
            Int64(day), Int64(delivery), Int64(source), Int64(action), Int64(platform.rawValue), Int64(events),
            Int64(duplicates),
        ]
    }
}
