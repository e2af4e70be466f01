/// daily_lateness: events and duplicates by day, log date and source.
package struct DailyLateness: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01, like `logDate`.
        package let day: Int32
        package let logDate: Int32
        /// A number of a name.
        package let source: UInt16
        package let counts: EventCounts
    }

    private var table = PackedTable<EventCounts>()

    /// Adds events of a day from the partition of a log date.
    mutating func add(_ counts: EventCounts, day: Int32, logDate: Int32, source: UInt16) {
        let high = UInt64(UInt32(bitPattern: day)) << 32 | UInt64(UInt32(bitPattern: logDate))
        table.add(counts, at: PackedKey(high: high, low: UInt64(source)))
    }

    /// The rows in the order of (day, log date, source). Sources are ordered by `sourceRanks`.
    func rows(sourceRanks: [Int]) -> [Row] {
        let rows = table.entries.map { entry in
            Row(
                day: Int32(bitPattern: UInt32(entry.key.high >> 32)),
                logDate: Int32(truncatingIfNeeded: entry.key.high),
                source: UInt16(truncatingIfNeeded: entry.key.low), counts: entry.value)
        }
        return rows.sorted { a, b in
            if a.day != b.day { return a.day < b.day }
            return a.logDate != b.logDate
                ? a.logDate < b.logDate : sourceRanks[Int(a.source)] < sourceRanks[Int(b.source)]
        }
    }
}
