import Reference

/// The delivery file beside the logs, in the columns that pushetl takes by default. It has each date's campaigns but for
/// one that nobody entered, and one that is planned for the day after the last date.
///
///     delivery_id,platform,label,campaign,variant,sent_at,sent,delivered
///     121d00,,"Black Friday, wave 1",Black Friday,,2026-11-17T11:10:00+01:00,420,407
struct CampaignList {
    /// A platform, or empty for all; what was delivered, unless the file has nothing in that column.
    private typealias Row = (platform: String, sent: Int, delivered: Int?)

    private let universe: Universe
    private var deliveries = 0
    private(set) var text = "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered\n"

    /// `recipients` are those of the plan's files.
    init(universe: Universe, recipients: [LogFile.Recipients]) {
        self.universe = universe
        let plan = universe.plan
        let files = zip(plan.allFiles, recipients)
        for date in plan.dates {
            let ofDate = files.filter { $0.0.date == date }.map(\.1)
            for rank in 0..<universe.campaigns where date != plan.from || rank != 4 {
                let campaign = Campaign.all[rank]
                let fails = universe.fails(date, rank: rank)
                // What fails had as many recipients, for its size, as another.
                let like = fails ? 1 : rank
                let known = ofDate.reduce(into: [:]) { $0.merge($1[like] ?? [:], uniquingKeysWith: +) }
                    .mapValues { $0 * campaign.size / Campaign.all[like].size }
                let wave = String(date.number - plan.from.number + 1)
                let (_, month, day) = date.parts
                let label =
                    campaign.label.contains("#")
                    ? campaign.label.replacing("#", with: wave) : "\(campaign.label), \(day)/\(month)"
                add(date, rank, label, campaign.name, Self.rows(rank, known, fails: fails))
            }
        }
        add(plan.lastDate.adding(days: 1), 0, "Cyber Monday (planned)", "Cyber Monday", [("", 0, 0)])
    }

    /// `known` has the recipients that the logs speak of, or would if it did not fail.
    private static func rows(_ rank: Int, _ known: [String: Int], fails: Bool) -> [Row] {
        let campaign = Campaign.all[rank]
        func row(_ platform: String, _ known: Int) -> Row {
            let sent = known * 100 / campaign.reach + 2
            let delivered = fails ? sent / 50 : sent * (campaign.reach + 9) / 100
            return (platform, sent, rank == 9 ? nil : min(sent, delivered))
        }
        let parts = known.sorted { $0.key < $1.key }.filter { $0.value > 0 }.map { row($0.key, $0.value) }
        let total = row("", known.values.reduce(0, +))
        return switch campaign.split {
        case .none: [total]
        case .only: parts.isEmpty ? [total] : parts
        case .both: [total] + parts
        }
    }

    private mutating func add(_ date: Day, _ rank: Int, _ label: String, _ name: String, _ rows: [Row]) {
        let zone = universe.zone
        let campaign = Campaign.all[rank]
        let bucket = campaign.minute(on: date.weekday) * 60 / DayShape.secondsPerBucket
        let start = zone.start(of: date)
        let sentAt = start + (zone.start(of: date.adding(days: 1)) - start) / DayShape.buckets * bucket
        // Every other time is without its offset: the pipeline's time zone makes it a time, unless that could be two times.
        let turns = zone.offset(at: sentAt - 10_800) != zone.offset(at: sentAt + 10_800)
        let isLocal = !deliveries.isMultiple(of: 2) && !turns
        let time = TimeText.text(
            of: sentAt * 1000, as: isLocal ? "%Y-%m-%d %H:%M:%S" : "%Y-%m-%dT%H:%M:%S%:z", in: zone)
        for row in rows {
            text += TextFile.csvLine([
                String(universe.delivery(date, rank: rank), radix: 16), row.platform, label, name, campaign.variant,
                time, String(row.sent), row.delivered.map(String.init) ?? "",
            ])
        }
        deliveries += 1
    }
}
