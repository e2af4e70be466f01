import Reference

/// The delivery file beside the logs, in the columns that pushetl takes by default. It has each date's campaigns but
/// for one that nobody entered, and one that is planned for the day after the last date.
///
///     delivery_id,platform,label,campaign,variant,sent_at,sent,delivered
///     121d00,,"Black Friday, wave 1",Black Friday,,2026-11-17T10:00:00+0100,420,407
struct CampaignList {
    private let universe: Universe
    private(set) var text = "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered\n"

    init(universe: Universe) {
        self.universe = universe
        let plan = universe.plan
        let campaigns = Campaign.all.prefix(universe.campaigns)
        for date in plan.dates {
            let records = plan.records(on: date.weekday).reduce(0, +)
            for (rank, campaign) in campaigns.enumerated() where date != plan.from || rank != 4 {
                let wave = String(date.number - plan.from.number + 1)
                let (_, month, day) = date.parts
                let label =
                    campaign.label.contains("#")
                    ? campaign.label.replacing("#", with: wave) : "\(campaign.label), \(day)/\(month)"
                // More than any log speaks of.
                let sent = records * campaign.size / campaigns.map(\.size).reduce(0, +) + 2
                add(on: date, rank: rank, label: label, name: campaign.name, sent: sent)
            }
        }
        add(on: plan.lastDate.adding(days: 1), rank: 0, label: "Cyber Monday (planned)", name: "Cyber Monday", sent: 0)
    }

    private mutating func add(on date: Day, rank: Int, label: String, name: String, sent: Int) {
        let zone = universe.zone
        let campaign = Campaign.all[rank]
        let bucket = campaign.minute * 60 / DayShape.secondsPerBucket
        let start = zone.start(of: date)
        let sentAt = start + (zone.start(of: date.adding(days: 1)) - start) / DayShape.buckets * bucket
        let time = GeneratedApacheTime(GeneratedTime(milliseconds: sentAt * 1000, zone: zone))
        let parts = campaign.isSplit ? [("android", 42), ("ios", 48), ("unknown", 10)] : [("", 100)]
        for (platform, percent) in parts {
            let own = sent * percent / 100
            text += TextFile.csvLine([
                String(universe.delivery(date, rank: rank), radix: 16), platform, label, name, campaign.variant,
                time.text("%Y-%m-%dT%H:%M:%S%z"), String(own), String(own * 97 / 100),
            ])
        }
    }
}
