import Calendar
import Events

// hourly_actions as bytes: rows of numbers (see NumberColumns), sorted by key:
//
//     hour, offset, source, action, platform, events, duplicates

extension HourlyActions {
    package var bytes: [UInt8] {
        NumberColumns<7>.bytes(
            of: table.sortedEntries.map { entry in
                let row = Row(entry.key, entry.value)
                return [
                    Int64(row.hour.number), Int64(row.hour.offset), Int64(row.source), Int64(row.action),
                    Int64(row.platform.rawValue), Int64(row.counts.events), Int64(row.counts.duplicates),
                ]
            })
    }

    /// Reads what `bytes` wrote.
    /// - Throws: if the bytes are damaged, or a number is outside `limits`.
    package init(bytes: Span<UInt8>, limits: NameCounts) throws(NumberColumnsError) {
        self.init()
        table.reserveCapacity(try NumberColumns<7>(bytes).rows)
        try NumberColumns<7>.forEachRow(in: bytes) { numbers throws(NumberColumnsError) in
            guard let number = Int32(exactly: numbers[0]), LocalHour.numbers.contains(number),
                let offset = Int32(exactly: numbers[1]),
                (0..<Int64(limits.sources)).contains(numbers[2]), (0..<Int64(limits.actions)).contains(numbers[3]),
                let platform = UInt8(exactly: numbers[4]).flatMap(Platform.init(rawValue:)),
                (0..<1 << 60).contains(numbers[5]), (0..<1 << 60).contains(numbers[6])
            else { throw NumberColumnsError() }
            table.add(
                EventCounts(events: Int(numbers[5]), duplicates: Int(numbers[6])),
                at: PackedKey(
                    LocalHour(number: number, offset: offset), UInt16(truncatingIfNeeded: numbers[2]), platform,
                    UInt16(truncatingIfNeeded: numbers[3])))
        }
    }
}
