/// A message in the row of its first event.
struct Message {
    let first: PartitionEvent
    let day: Day
    /// The actions of its events within reach of the first.
    let actions: Set<String>
    /// Milliseconds from the first event to the earliest open. Nil if there is no open, or if the message was
    /// neither sent nor arrived nor impressed.
    let openedAfter: Int?

    init(first: PartitionEvent, day: Day, events: [PartitionEvent]) {
        self.first = first
        self.day = day
        actions = Set(events.map(\.hit.action))
        let opens = events.filter { $0.hit.action == "open" }.map { $0.hit.time - first.hit.time }
        openedAfter = actions.isDisjoint(with: ["sent", "arrival", "impression"]) ? nil : opens.min()
    }

    func has(_ action: String) -> Bool { actions.contains(action) }

    func isOpened(within milliseconds: Int) -> Bool { openedAfter.map { $0 <= milliseconds } ?? false }
}

extension [Message] {
    /// The counts of daily_funnel.
    var funnel: OutputRow {
        let counts = [
            count,
            count { $0.has("sent") },
            count { $0.has("failed") },
            count { $0.has("arrival") },
            count { $0.has("impression") },
            count { $0.has("click") },
            count { $0.has("open") },
            count { $0.has("click") && !$0.has("open") },
            count { $0.has("open") && !$0.has("click") },
            count { $0.has("open") && !$0.has("impression") },
            count { $0.has("open") && $0.has("impression") },
            count { $0.openedAfter != nil },
            count { $0.has("arrival") && !$0.has("impression") && !$0.has("click") && !$0.has("open") },
        ]
        // In seconds: 10 s, 1, 5, 15 and 30 minutes, 1, 2, 6, 12, 24 and 72 hours, 7 days.
        let limits = [10, 60, 300, 900, 1800, 3600, 7200, 21_600, 43_200, 86_400, 259_200, 604_800]
        let opened = limits.map { seconds in count { $0.isOpened(within: seconds * 1000) } }
        return (counts + opened).map { .integer($0) }
    }

    /// The rates of daily_totals. Of messages that nothing shows to have been there, nobody knows.
    var rates: OutputRow {
        func rate(_ part: Int, of whole: Int) -> Cell {
            whole == 0 ? .null : .real(Double(part) / Double(whole))
        }
        let known = contains { $0.has("sent") || $0.has("arrival") || $0.has("impression") } ? count : 0
        return [
            rate(count { $0.has("click") }, of: known),
            rate(count { $0.has("open") }, of: known),
            rate(count { $0.has("click") && !$0.has("open") }, of: known),
            rate(count { $0.has("open") && $0.has("impression") }, of: count { $0.has("impression") }),
        ]
    }
}
