/// What the delivery file says of one delivery.
struct NamedDelivery: Sendable {
    struct Sent: Sendable {
        /// Nil for all platforms together.
        var platform: Platform?
        var sent: Int
        /// Nil where the file has nothing in that column.
        var delivered: Int?
    }

    /// As the logs have it.
    var id: String
    var label: String
    var campaign: String
    var variant: String
    /// Seconds since 1970.
    var sentAt: Int
    var rows: [Sent]
}

extension NamedDelivery {
    /// All that the delivery file of a plan names: each date's campaigns but for one that nobody entered, and one that is
    /// planned for the day after the last date.
    static func all(of plan: Plan, files: [FileTruth]) -> [NamedDelivery] {
        let universe = Universe(plan: plan)
        var recipients: [Day: [Int]] = [:]
        for file in files {
            let sums = recipients[file.file.date] ?? file.recipients.map { _ in 0 }
            recipients[file.file.date] = zip(sums, file.recipients).map { $0 + $1 }
        }
        var deliveries: [NamedDelivery] = []
        for date in plan.dates {
            for rank in 0..<universe.campaigns where plan.unnamed.map({ $0 == (date, rank) }) != true {
                let fails = plan.failing.map { $0 == (date, rank) } ?? false
                // What fails had as many recipients, for its size, as another.
                let first = (fails ? 1 : rank) * Platform.allCases.count
                let known = recipients[date].map { $0[first..<first + Platform.allCases.count] } ?? []
                let share = (Campaign.all[rank].size, Campaign.all[fails ? 1 : rank].size)
                deliveries.append(
                    NamedDelivery(
                        date, rank: rank, known: known.map { $0 * share.0 / share.1 }, fails: fails,
                        universe: universe))
            }
        }
        var planned = NamedDelivery(plan.lastDate + 1, rank: 0, known: [], fails: false, universe: universe)
        planned.label = "Cyber Monday (planned)"
        planned.campaign = "Cyber Monday"
        planned.rows = [Sent(sent: 0, delivered: 0)]
        return deliveries + [planned]
    }

    /// `known` has the recipients that the logs speak of, or would if it did not fail, by platform.
    private init(_ date: Day, rank: Int, known: [Int], fails: Bool, universe: Universe) {
        let plan = universe.plan
        let campaign = Campaign.all[rank]
        id = String(universe.delivery(date, rank: rank), radix: 16)
        let wave = date.number - plan.firstDate.number + 1
        label =
            campaign.label.contains("#")
            ? campaign.label.replacing("#", with: String(wave))
            : "\(campaign.label), \(date.civil.day)/\(date.civil.month)"
        self.campaign = campaign.name
        variant = campaign.variant
        let start = plan.zone.start(of: date)
        let bucket = campaign.minute(on: Weekday(date)) * 60 / DayShape.secondsPerBucket
        sentAt = start + (plan.zone.start(of: date + 1) - start) / DayShape.buckets * bucket
        func sent(_ platform: Platform?, _ known: Int) -> Sent {
            let sent = known * 100 / campaign.reach + 2
            let delivered = fails ? sent / 50 : sent * (campaign.reach + 9) / 100
            return Sent(platform: platform, sent: sent, delivered: rank == 9 ? nil : min(sent, delivered))
        }
        let parts = zip(Platform.allCases, known).filter { $0.1 > 0 }.map { sent($0.0, $0.1) }
        let total = sent(nil, known.reduce(0, +))
        rows =
            switch campaign.split {
            case .none: [total]
            case .only: parts.isEmpty ? [total] : parts
            case .both: [total] + parts
            }
    }

    /// What was sent, or delivered, to all: the number for all platforms if there is one, else the sum of the others.
    func total(_ count: KeyPath<Sent, Int?>) -> Int? {
        if let whole = rows.first(where: { $0.platform == nil })?[keyPath: count] { return whole }
        let parts = rows.filter { $0.platform != nil }.compactMap { $0[keyPath: count] }
        return parts.isEmpty ? nil : parts.reduce(0, +)
    }
}
