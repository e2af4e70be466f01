import Calendar
import Events

// daily_actions as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, source, action, platform, events, duplicates, first, last - first

extension DailyActions {
    package var bytes: [UInt8] {
        NumberColumns.bytes(
            of: table.sortedEntries.map { entry in
                var numbers = Row(entry).numbers
                numbers[8] &-= numbers[7]
                return numbers
            })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<9>(bytes).rows)
        try DailyActions.forEachRow(in: bytes, limits) { merge($1, at: $0) }
    }

    /// Reads rows that were written as those of `bytes`.
    @inline(__always)
    static func forEachRow(
        in bytes: Span<UInt8>, _ limits: NameCounts, _ body: (PackedKey, Sums) -> Void
    ) throws(NumberColumnsError) {
        try NumberColumns<9>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in
            var numbers = numbers
            numbers[8] &+= numbers[7]
            let (key, sums) = try DailyActions.row(numbers, limits)
            body(key, sums)
        }
    }

    /// Adds a row, see `Row.numbers`.
    /// - Throws: if a number is outside `limits`.
    package mutating func add(
        _ numbers: InlineArray<9, Int64>, _ limits: NameCounts
    ) throws(NumberColumnsError) {
        let (key, sums) = try DailyActions.row(numbers, limits)
        merge(sums, at: key)
    }

    @inline(__always)
    private static func row(
        _ numbers: InlineArray<9, Int64>, _ limits: NameCounts
    ) throws(NumberColumnsError) -> (PackedKey, Sums) {
        guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
            (0..<Int64(limits.deliveries)).contains(numbers[1]), (0..<Int64(limits.sources)).contains(numbers[2]),
            (0..<Int64(limits.actions)).contains(numbers[3]),
            let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
            (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
        else { throw NumberColumnsError() }
        let key = PackedKey(
            day, UInt16(truncatingIfNeeded: numbers[2]), platform, UInt32(truncatingIfNeeded: numbers[1]),
            UInt16(truncatingIfNeeded: numbers[3]))
        var sums = Sums(events: Int(numbers[5]), duplicates: Int(numbers[6]))
        if sums.events > 0 { (sums.first, sums.last) = (numbers[7], numbers[8]) }
        return (key, sums)
    }
}

extension DailyActions.Row {
    /// Day, delivery, source, action, platform, events, duplicates, first and last time. Both times are 0 if no event
    /// counts.
    package var numbers: InlineArray<9, Int64> {
        [
            Int64(day), Int64(delivery), Int64(source), Int64(action), Int64(platform.rawValue), Int64(events),
            Int64(duplicates), firstAt ?? 0, lastAt ?? 0,
        ]
    }
}
