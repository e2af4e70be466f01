import Events

/// daily_paths: the messages of daily_funnel by day, platform and the stages that they reached.
package struct DailyPaths: Sendable {
    package struct Row: Equatable, Sendable {
        /// Days since 1970-01-01.
        package let day: Int32
        package let platform: Platform
        package let stages: Stages
        package var messages: Int

        /// A column of daily_funnel that follows from the stages.
        subscript(column: FunnelColumn) -> Int {
            column.counts(MessageOutcome(stages, first: 0, open: 0)) ? messages : 0
        }
    }

    /// The number of messages by day, platform and outcome.
    private var table = PackedTable<Int>()

    package init(_ funnel: DailyFunnel) {
        for entry in funnel.table.entries where entry.value != 0 {
            // The delivery goes.
            let key = PackedKey(high: (entry.key.high >> 32) << 32, low: entry.key.low)
            table.update(table.index(of: key, initial: 0)) { $0 &+= entry.value }
        }
    }

    func forEachOutcome(_ body: (_ day: Int32, Platform, MessageOutcome, _ messages: Int) -> Void) {
        for entry in table.entries {
            let (platform, outcome) = DailyFunnel.parts(entry.key)
            body(DailyFunnel.day(entry.key), platform, outcome, entry.value)
        }
    }

    package struct Sums: Sendable {
        /// Days since 1970-01-01.
        package let day: Int32
        package let platform: Platform
        package let stages: Stages
        package fileprivate(set) var counts = FunnelCounts()
    }

    /// All that is counted of the messages, by day, platform and stages.
    package var sums: [Sums] {
        var sums: [UInt64: Sums] = [:]
        forEachOutcome { day, platform, outcome, messages in
            let key =
                UInt64(UInt32(bitPattern: day)) << 16 | UInt64(platform.rawValue) << 8 | UInt64(outcome.stages.rawValue)
            sums[key, default: Sums(day: day, platform: platform, stages: outcome.stages)].counts.add(messages, outcome)
        }
        return sums.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The rows in the order of (day, platform, arrival, impression, click, open).
    var rows: [Row] {
        var messages: [Row] = []
        forEachOutcome { day, platform, outcome, count in
            messages.append(Row(day: day, platform: platform, stages: outcome.stages, messages: count))
        }
        messages.sort { a, b in
            if a.day != b.day { return a.day < b.day }
            if a.platform != b.platform { return a.platform.rawValue < b.platform.rawValue }
            return a.stages.inOrder < b.stages.inOrder
        }
        var rows: [Row] = []
        for row in messages {
            if let last = rows.last, (last.day, last.platform, last.stages) == (row.day, row.platform, row.stages) {
                rows[rows.count - 1].messages += row.messages
            } else {
                rows.append(row)
            }
        }
        return rows
    }
}

extension Stages {
    /// Sorts as the four flags do, one after the other, arrival first.
    fileprivate var inOrder: UInt8 {
        [Stages.arrived, .impressed, .clicked, .opened].reduce(0) { ($0 << 1) | (contains($1) ? 1 : 0) }
    }
}
