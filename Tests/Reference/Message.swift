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

extension Message {
    /// A column of daily_funnel, and which messages it counts.
    typealias FunnelColumn = (name: String, counts: @Sendable (Message) -> Bool)

    static let funnel =
        stages
        + limits.map { name, seconds in
            (name: "opened_" + name, counts: { $0.isOpened(within: seconds * 1000) })
        }

    private static let stages: [FunnelColumn] = [
        ("messages", { _ in true }),
        ("sent", { $0.has("sent") }),
        ("failed", { $0.has("failed") }),
        ("arrived", { $0.has("arrival") }),
        ("impressed", { $0.has("impression") }),
        ("clicked", { $0.has("click") }),
        ("opened", { $0.has("open") }),
        ("dismissed", { $0.has("click") && !$0.has("open") }),
        ("opened_without_click", { $0.has("open") && !$0.has("click") }),
        ("opened_without_impression", { $0.has("open") && !$0.has("impression") }),
        ("opened_impressed", { $0.has("open") && $0.has("impression") }),
        ("opened_seen", { $0.openedAfter != nil }),
        ("arrived_unseen", { $0.has("arrival") && $0.actions.isDisjoint(with: ["impression", "click", "open"]) }),
    ]

    /// Times to open, in seconds.
    private static let limits: [(name: String, seconds: Int)] = [
        ("10s", 10), ("1m", 60), ("5m", 300), ("15m", 900), ("30m", 1800), ("1h", 3600), ("2h", 7200), ("6h", 21_600),
        ("12h", 43_200), ("24h", 86_400), ("72h", 259_200), ("7d", 604_800),
    ]
}

extension [Message] {
    /// The counts of daily_funnel.
    var funnel: OutputRow { Message.funnel.map { column in .integer(count(where: column.counts)) } }

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
