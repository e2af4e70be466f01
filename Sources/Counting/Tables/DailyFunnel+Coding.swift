import Calendar
import Events

// daily_funnel as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, platform, outcome, messages

extension DailyFunnel {
    package var bytes: [UInt8] {
        let entries = table.sortedEntries.filter { $0.value != 0 }
        return NumberColumns<5>.bytes(
            of: entries.map { entry in
                let (high, low) = (entry.key.high, entry.key.low)
                return [
                    Int64(DailyFunnel.day(entry.key)), Int64(high & 0xFFFF_FFFF), Int64(low >> 8), Int64(low & 0xFF),
                    Int64(entry.value),
                ]
            })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<5>(bytes).rows)
        try NumberColumns<5>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in
            guard let day = Int32(exactly: numbers[0]), CalendarText.days.contains(day),
                (0..<Int64(limits.deliveries)).contains(numbers[1]),
                let platform = UInt8(exactly: numbers[2]).flatMap(Platform.init(rawValue:)),
                (0..<Int64(MessageOutcome.count)).contains(numbers[3]), (1..<1 << 60).contains(numbers[4])
            else { throw NumberColumnsError() }
            let outcome = MessageOutcome(rawValue: UInt8(truncatingIfNeeded: numbers[3]))
            merge(Int(numbers[4]), at: DailyFunnel.key(day, platform, UInt32(truncatingIfNeeded: numbers[1]), outcome))
        }
    }
}
