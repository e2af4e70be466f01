/// A message in the row of its first event.
struct Message {
    let first: PartitionEvent
    let day: Day
    /// The actions of its events within reach of the first.
    let actions: Set<String>
    /// Milliseconds from the first event to the earliest open. Nil if there is no open, or if the message neither
    /// arrived nor was impressed.
    let openedAfter: Int?

    init(first: PartitionEvent, day: Day, events: [PartitionEvent]) {
        self.first = first
        self.day = day
        actions = Set(events.map(\.hit.action))
        let opens = events.filter { $0.hit.action == "open" }.map { $0.hit.time - first.hit.time }
        openedAfter = actions.isDisjoint(with: ["arrival", "impression"]) ? nil : opens.min()
    }

    func has(_ action: String) -> Bool { actions.contains(action) }

    func isOpened(within milliseconds: Int) -> Bool { openedAfter.map { $0 <= milliseconds } ?? false }
}

extension [Message] {
    /// The counts of daily_funnel.
    var funnel: OutputRow {
        let minute = 60_000
        let day = 24 * 60 * minute
        let counts = [
            count,
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
            count { $0.isOpened(within: 10_000) },
            count { $0.isOpened(within: minute) },
            count { $0.isOpened(within: 5 * minute) },
            count { $0.isOpened(within: 15 * minute) },
            count { $0.isOpened(within: 30 * minute) },
            count { $0.isOpened(within: 60 * minute) },
            count { $0.isOpened(within: 2 * 60 * minute) },
            count { $0.isOpened(within: 6 * 60 * minute) },
            count { $0.isOpened(within: 12 * 60 * minute) },
            count { $0.isOpened(within: day) },
            count { $0.isOpened(within: 3 * day) },
            count { $0.isOpened(within: 7 * day) },
        ]
        return counts.map { .integer($0) }
    }

    /// The rates of daily_funnel.
    var rates: OutputRow {
        func rate(_ part: Int, of whole: Int) -> Cell {
            whole == 0 ? .null : .real(Double(part) / Double(whole))
        }
        return [
            rate(count { $0.has("click") }, of: count),
            rate(count { $0.has("open") }, of: count),
            rate(count { $0.has("click") && !$0.has("open") }, of: count),
            rate(count { $0.has("open") && $0.has("impression") }, of: count { $0.has("impression") }),
        ]
    }
}
