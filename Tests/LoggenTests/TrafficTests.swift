import Testing

@testable import loggen

/// Two weeks of logs, and what they come to.
private struct Fortnight {
    let plan: Plan
    let truth: Truth
    let hits: [Hit]
    let named: [NamedDelivery]

    init() throws {
        plan = try smallPlan {
            $0.firstDate = Day(year: 2026, month: 11, day: 9)
            $0.lastDate = $0.firstDate + 13
            $0.recordsPerDate = 6000
            $0.noise = .everyday
        }
        let files = try write(plan).truths
        hits = files.flatMap(\.hits)
        named = NamedDelivery.all(of: plan, files: files)
        truth = Truth(plan: plan, files: files, deliveries: named)
    }

    func hits(atHour hour: Int) -> Int {
        truth.hours.filter { $0.key.hour == hour }.reduce(0) { $0 + $1.value.events }
    }

    /// The sums of the funnels of the week that begins so many days after the first date.
    func funnel(of platform: Platform, from start: Int) -> (impressed: Int, opened: Int) {
        let days = plan.firstDate + start...plan.firstDate + (start + 6)
        let rows = truth.funnels.filter { days.contains($0.key.day) && $0.key.platform == platform.rawValue }
        return (
            rows.reduce(0) { $0 + $1.value.impressed }, rows.reduce(0) { $0 + $1.value.openedImpressed }
        )
    }

    func messages(of delivery: NamedDelivery) -> Int {
        truth.funnels.filter { $0.key.delivery == delivery.id }.reduce(0) { $0 + $1.value.messages }
    }
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

    @Test func fridaysHaveMoreRecordsThanSaturdays() throws {
        let fortnight = try fortnight.get()
        let days = fortnight.plan.dates.map { date in
            (Weekday(date), fortnight.plan.files.filter { $0.date == date }.reduce(0) { $0 + $1.records })
        }
        #expect(
            days.prefix(7).map { "\($0.0) \($0.1)" } == [
                "monday 5400", "tuesday 6000", "wednesday 6000", "thursday 6000", "friday 7200", "saturday 4200",
                "sunday 4800",
            ])
    }

    @Test func halfOfThoseWhoOpenDoSoWithinHalfAnHourAndSomeAfterDays() throws {
        let delays = try fortnight.get().truth.funnels.values.flatMap(\.delays).sorted()
        let median = delays[delays.count / 2] / 60_000
        #expect((15...45).contains(median), "\(median) minutes")
        let late = delays.count { $0 > 86_400_000 }
        #expect(late > 0 && late < delays.count / 10)
    }

    @Test func androidOpensFewerOfWhatItShowsInTheSecondWeekAndIOSDoesNot() throws {
        let fortnight = try fortnight.get()
        func rate(_ platform: Platform, from start: Int) -> Double {
            let (impressed, opened) = fortnight.funnel(of: platform, from: start)
            return Double(opened) / Double(impressed)
        }
        #expect(rate(.android, from: 7) < 0.8 * rate(.android, from: 0))
        #expect(rate(.ios, from: 7) > 0.9 * rate(.ios, from: 0))
    }

    @Test func aCampaignIsUnknownBeforeItIsSentAndMostlyArrivesWithinTheHour() throws {
        let fortnight = try fortnight.get()
        for delivery in fortnight.named {
            // A device whose clock is wrong counts at the start of the date.
            let hits = fortnight.hits.filter {
                $0.delivery == delivery.id && $0.time != fortnight.plan.zone.start(of: $0.date) * 1000
            }
            let times = hits.map { $0.time / 1000 - delivery.sentAt }
            #expect(times.allSatisfy { $0 >= 0 }, "\(delivery.label)")
            guard times.count > 500 else { continue }
            let hour = times.count { $0 < 3600 }
            #expect(hour > times.count / 2 && hour < times.count * 95 / 100, "\(delivery.label)")
        }
    }

    @Test func deliveriesAreOfVeryDifferentSize() throws {
        let fortnight = try fortnight.get()
        let sent = fortnight.named.compactMap { $0.total(\.whole) }.filter { $0 > 0 }
        #expect((sent.max() ?? 0) > 30 * (sent.min() ?? 0))
    }

    @Test func oneDeliveryFailsAndOfTheOthersMostIsKnown() throws {
        let fortnight = try fortnight.get()
        let failed = fortnight.named.filter { delivery in
            guard let sent = delivery.total(\.whole), sent > 100 else { return false }
            let messages = fortnight.messages(of: delivery)
            #expect(messages <= sent)
            return messages < sent / 10
        }
        #expect(failed.map(\.label) == ["Rebajas de otoño: −20 %, 15/11"])
    }

    @Test func theFileNamesADeliveryWithoutLogsAndLacksOneThatHasThem() throws {
        let fortnight = try fortnight.get()
        let inLogs = Set(fortnight.truth.actions.keys.map(\.delivery))
        #expect(
            fortnight.named.filter { !inLogs.contains($0.id) }.map(\.label) == ["Cyber Monday (planned)"])
        let universe = Universe(plan: fortnight.plan)
        let campaigns = fortnight.plan.dates.flatMap { date in
            (0..<universe.campaigns).map { String(universe.delivery(date, rank: $0), radix: 16) }
        }
        let lacking = Set(campaigns).subtracting(fortnight.named.map(\.id))
        #expect(lacking.count == 1 && inLogs.isSuperset(of: lacking))
    }

    @Test func theDeliveryFileHasNamesAsPeopleWriteThem() throws {
        let fortnight = try fortnight.get()
        let lines = DeliveryFile(plan: fortnight.plan, deliveries: fortnight.named).text
            .split(separator: "\n").map(String.init)
        #expect(lines.first == "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered")
        #expect(lines.contains { $0.contains(",\"Black Friday, wave 2\",Black Friday,,2026-11-10") })
        #expect(lines.contains { $0.contains("\"Order \"\"as new\"\", today only, 10/11\"") })
        #expect(lines.contains { $0.contains("عروض") } && lines.contains { $0.contains("🛒") })
        #expect(lines.contains { $0.contains(",A,2026-11-09T") } && lines.contains { $0.contains(",B,2026-11-09 ") })
        #expect(lines.contains { $0.contains(",ios,\"Weekend offers, 9/11\"") })
        #expect(!lines.contains { $0.contains(",ios,\"Black Friday") })
    }
}

extension NamedDelivery.Sent {
    fileprivate var whole: Int? { sent }
}
