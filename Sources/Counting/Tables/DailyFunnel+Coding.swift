import Calendar
import Events

// daily_funnel as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     day, delivery, platform, stages, messages

extension DailyFunnel {
    package var bytes: [UInt8] {
        var rows: [InlineArray<5, Int64>] = []
        rows.reserveCapacity(table.entries.count)
        for entry in table.sortedEntries where entry.value != 0 {
            let (high, low) = (entry.key.high, entry.key.low)
            rows.append([
                Int64(DailyFunnel.day(entry.key)), Int64(high & 0xFFFF_FFFF), Int64(low >> 8), Int64(low & 0xFF),
                Int64(entry.value),
            ])
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rows.count * 8 + 128)
        NumberColumns.append(rows, to: &bytes)
        return bytes
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<5>(bytes).rows)
        try DailyFunnel.forEachRow(in: bytes, limits) { merge($1, at: $0) }
    }

    /// Reads the rows in `bytes`, sorted by key.
    @inline(__always)
    static func forEachRow(
        in bytes: Span<UInt8>, _ limits: NameCounts, _ body: (PackedKey, Int) -> Void
    ) throws(NumberColumnsError) {
        let columns = try NumberColumns<5>(bytes)
        for row in 0..<columns.rows {
            func number(_ column: Int) -> Int64 { columns.number(column, of: row, in: bytes) }
            guard let day = Int32(exactly: number(0)), CalendarText.days.contains(day),
                (0..<Int64(limits.deliveries)).contains(number(1)),
                let platform = UInt8(exactly: number(2)).flatMap(Platform.init(rawValue:)),
                (0..<16).contains(number(3)), (1..<1 << 60).contains(number(4))
            else { throw NumberColumnsError() }
            let stages = Stages(rawValue: UInt8(truncatingIfNeeded: number(3)))
            body(DailyFunnel.key(day, platform, UInt32(truncatingIfNeeded: number(1)), stages), Int(number(4)))
        }
    }
}
