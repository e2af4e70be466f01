import Calendar
import Counting
import Events
import Partitions

extension OutputFolder {
    /// Installs a log date's partition, as the loader does.
    /// - Parameter events: sorted. Two of them may have one id if their actions differ.
    func install(
        _ events: [Event], of date: LogDate, names: EventNames, status: PartitionStatus = .complete,
        left: [OutcomeCount] = []
    ) throws {
        let writer = try PartitionWriter(of: date, in: self)
        try writer.write(names)
        var figures = StandaloneTables(names)
        var days = DayClock(zone: .utc)
        for start in stride(from: 0, to: events.count, by: EventBlock.capacity) {
            let block = Array(events[start..<min(start + EventBlock.capacity, events.count)])
            figures.add(block.span, days: &days)
            var encoder = EventBlockEncoder()
            try writer.append(encoder.encode(block.span), section: Section(idSpace: "push", kind: .opaque))
        }
        figures.endMessage(days: &days)
        figures.flush()
        writer.write(LogDateRows(figures.tables))
        let accepted = events.reduce(0) { $0 + Int($1.records) }
        let outcomes =
            [OutcomeCount(source: names.sources[0], outcome: .accepted, reason: "", records: accepted)] + left
        for outcome in outcomes where outcome.records > 0 { try writer.write(outcome) }
        func records(_ outcome: OutcomeCount.Outcome) -> Int {
            outcomes.reduce(0) { $0 + ($1.outcome == outcome ? $1.records : 0) }
        }
        writer.conclude(
            PartitionSummary(
                logDate: date, status: status, files: 1, records: outcomes.reduce(0) { $0 + $1.records },
                accepted: accepted, filtered: records(.filtered), rejected: records(.rejected), events: events.count,
                duplicates: accepted - events.count, clockFallback: 0, pipeline: "", zone: "UTC", windowDays: 30,
                version: "\(date)"))
        try writer.finish()
        try writer.install()
    }
}

extension DeliveryList {
    /// Adds a line of a delivery file.
    /// - Parameter day: the day that it was sent on.
    mutating func add(
        _ id: String, label: String, campaign: String?, variant: String?, platform: Platform? = nil, day: LogDate?,
        sent: Int?
    ) {
        func bytes(_ text: String?) -> [UInt8] { Array((text ?? "").utf8) }
        add(
            id: bytes(id).span, platform: platform, label: bytes(label).span, campaign: bytes(campaign).span,
            variant: bytes(variant).span, sentAt: day.map { Int64($0.dayNumber) * 86_400_000 + 64_000_000 },
            sent: sent, delivered: nil)
    }
}
