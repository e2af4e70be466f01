import Events

/// daily_totals: daily_actions and daily_funnel by day and platform.
package struct DailyTotals: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01.
        package let day: Int32
        package let platform: Platform
        package var counts = EventCounts()
        package var funnel = FunnelCounts()
    }

    private struct Key: Hashable {
        let day: Int32
        let platform: Platform
    }

    private var table: [Key: Row] = [:]

    init(_ daily: DailyActions, _ paths: DailyPaths) {
        var events = PackedTable<EventCounts>()
        for entry in daily.table.entries {
            // Day and platform remain.
            let key = PackedKey(high: entry.key.high >> 32, low: entry.key.low & 0xFFFF)
            events.add(entry.value, at: key)
        }
        for entry in events.entries {
            let platform = Platform(rawValue: UInt8(truncatingIfNeeded: entry.key.low)) ?? .unknown
            row(Int32(bitPattern: UInt32(entry.key.high)), platform) { $0.counts += entry.value }
        }
        paths.forEachOutcome { day, platform, outcome, messages in
            row(day, platform) { $0.funnel.add(messages, outcome) }
        }
    }

    private mutating func row(_ day: Int32, _ platform: Platform, _ body: (inout Row) -> Void) {
        body(&table[Key(day: day, platform: platform), default: Row(day: day, platform: platform)])
    }

    /// The rows in the order of (day, platform).
    var rows: [Row] {
        table.values.sorted { a, b in
            a.day != b.day ? a.day < b.day : a.platform.rawValue < b.platform.rawValue
        }
    }
}
