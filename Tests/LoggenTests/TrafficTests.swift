import Reference
import Testing

@testable import loggen

/// Two weeks of logs, and what they come to.
private struct Fortnight {
    let plan: Plan
    let written: Written
    let hits: [Hit]
    let named: [Bytes: NamedDelivery]

    init() throws {
        plan = try smallPlan("--from 2026-11-09 --to 2026-11-22 --records 3000 --noise everyday")
        written = try Written(plan)
        hits = written.publication.partitions.flatMap(\.records).compactMap {
            if case .accepted(let hit, _) = $0.outcome { hit } else { nil }
        }
        named = written.publication.deliveries
    }

    func hits(atHour hour: Int) -> Int {
        written.rows("hourly_actions", "hour", "events").filter { $0[0] == .integer(hour) }
            .reduce(0) { $0 + $1[1].number }
    }

    func messages(of delivery: Bytes) -> Int {
        written.rows("daily_funnel", "messages", "delivery_id").filter { $0[1] == .text(delivery) }
            .reduce(0) { $0 + $1[0].number }
    }
}

extension NamedDelivery {
    fileprivate var label: String { texts["label"]?.text ?? "" }
}

/// The shape that the traffic has, with a margin around every number.
@Suite struct TrafficTests {
    private static let made = Result { try Fortnight() }
    private var fortnight: Result<Fortnight, any Error> { Self.made }

    @Test func peopleActInTheEveningMoreThanAtNight() throws {
        let fortnight = try fortnight.get()
        #expect(fortnight.hits(atHour: 20) > 10 * fortnight.hits(atHour: 4))
        let busy = [8, 9, 12, 13, 18, 19, 20, 21].map(fortnight.hits).reduce(0, +)
        #expect(busy > (0..<24).map(fortnight.hits).reduce(0, +) / 2)
    }

    @Test func halfOfThoseWhoOpenDoSoWithinHalfAnHourAndSomeAfterDays() throws {
        let columns = ["opened_seen", "opened_5m", "opened_1h", "opened_24h"]
        let fortnight = try fortnight.get()
        let sums = columns.map { column in
            fortnight.written.rows("daily_funnel", column).reduce(0) { $0 + $1[0].number }
        }
        #expect(sums[1] < sums[0] * 2 / 5 && sums[2] > sums[0] * 11 / 20, "\(sums)")
        #expect(sums[3] < sums[0] && sums[3] > sums[0] * 9 / 10, "\(sums)")
    }

    @Test func aCampaignIsUnknownBeforeItIsSentAndMostlyArrivesWithinTheHour() throws {
        let fortnight = try fortnight.get()
        // A device whose clock is wrong counts at the start of the date.
        let starts = Set(fortnight.plan.dates.map { Zone(Plan.timeZone).start(of: $0) * 1000 })
        let times = Dictionary(grouping: fortnight.hits, by: \.deliveryID).mapValues { $0.map(\.time) }
        for (id, delivery) in fortnight.named {
            let times = (times[id] ?? []).filter { !starts.contains($0) }.map { ($0 - (delivery.sentAt ?? 0)) / 1000 }
            #expect(times.allSatisfy { $0 >= 0 }, "\(delivery.label)")
            guard times.count > 500 else { continue }
            let hour = times.count { $0 < 3600 }
            #expect(hour > times.count / 2 && hour < times.count * 95 / 100, "\(delivery.label)")
        }
    }

    @Test func deliveriesAreOfVeryDifferentSize() throws {
        let fortnight = try fortnight.get()
        let sent = fortnight.named.values.compactMap { $0.total("sent") }.filter { $0 > 0 }
        #expect((sent.max() ?? 0) > 30 * (sent.min() ?? 0))
    }

    @Test func noLogSpeaksOfMoreThanWasSentAndOfAQuarterOfItOneDoes() throws {
        let fortnight = try fortnight.get()
        for (id, delivery) in fortnight.named {
            guard let sent = delivery.total("sent"), sent > 100 else { continue }
            let messages = fortnight.messages(of: id)
            #expect(messages <= sent && messages > sent / 4, "\(delivery.label): \(messages) of \(sent)")
        }
        for row in fortnight.written.rows("delivery_platforms", "messages", "sent") where row[1].number > 100 {
            #expect(row[0].number <= row[1].number, "\(row)")
        }
    }

    @Test func theFileNamesADeliveryWithoutLogsAndLacksOneThatHasThem() throws {
        let fortnight = try fortnight.get()
        let inLogs = Set(fortnight.hits.map(\.deliveryID))
        #expect(
            fortnight.named.filter { !inLogs.contains($0.key) }.values.map(\.label) == ["Cyber Monday (planned)"])
        let universe = Universe(plan: fortnight.plan)
        let campaigns = fortnight.plan.dates.flatMap { date in
            (0..<universe.campaigns).map { Bytes(String(universe.delivery(date, rank: $0), radix: 16)) }
        }
        let lacking = Set(campaigns).subtracting(fortnight.named.keys)
        #expect(lacking.count == 1 && inLogs.isSuperset(of: lacking))
    }

    @Test func theDeliveryFileHasNamesAsPeopleWriteThem() throws {
        let fortnight = try fortnight.get()
        let lines = fortnight.written.list.split(separator: "\n").map(String.init)
        #expect(lines.first == "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered")
        #expect(lines.contains { $0.contains(",\"Black Friday, wave 2\",Black Friday,,2026-11-10") })
        #expect(lines.contains { $0.contains("\"Order \"\"as new\"\", today only, 10/11\"") })
        #expect(lines.contains { $0.contains("عروض") } && lines.contains { $0.contains("🛒") })
        #expect(lines.contains { $0.contains(",A,2026-11-09T") } && lines.contains { $0.contains(",B,2026-11-09T") })
        #expect(lines.contains { $0.contains(",ios,\"Weekend offers, 9/11\"") })
        #expect(!lines.contains { $0.contains(",ios,\"Black Friday") })
    }
}
