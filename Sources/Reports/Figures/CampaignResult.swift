/// The result of a campaign: of the deliveries of one group that belong to it, by a delivery file or an event. Failed
/// deliveries, and deliveries that are only partly known, are left out of its figures.
struct CampaignResult {
    let name: String
    let deliveries: [DeliveryResult]
    /// The number of the campaign's deliveries that are left out.
    let left: Int
    let counts: Totals
    /// On the days that are compared, and on their counterparts.
    let comparedCounts: Totals
    let formerCounts: Totals

    private init(_ name: String, of all: [DeliveryResult], before: [DeliveryResult]) {
        self.name = name
        deliveries = all.filter(\.isFair)
        left = all.count - deliveries.count
        counts = .sum(deliveries.map(\.counts))
        comparedCounts = .sum(deliveries.map(\.comparedCounts))
        formerCounts = .sum(before.filter(\.isFair).map(\.comparedCounts))
    }

    /// The campaigns of the period, the largest first.
    static func all(of deliveries: [DeliveryResult], before: [DeliveryResult]) -> [CampaignResult] {
        let former = Dictionary(grouping: before, by: \.campaignKey)
        return Dictionary(grouping: deliveries, by: \.campaignKey).compactMap { name, deliveries in
            name.map { CampaignResult($0.text, of: deliveries, before: former[$0] ?? []) }
        }.sorted { ($1.counts[.messages], ExactName($0.name)) < ($0.counts[.messages], ExactName($1.name)) }
    }

    /// Its deliveries that began in the period and say how many were sent.
    var begun: [DeliveryResult] { deliveries.filter { $0.sent != nil } }

    /// The number sent to these; nil if it is not known.
    var sent: Int? { begun.compactMap(\.sent).knownSum }

    /// The share of messages sent that were opened; nil if the number sent is not known.
    var openRateOfSent: Double? {
        let opened = begun.reduce(0) { $0 + $1.ownCounts[.opened] }
        return sent.flatMap { Proportion(part: opened, whole: $0).rate }
    }

    /// The change of the rate opened of messages; nil if one of the periods has no messages.
    var change: Double? {
        comparedCounts.openRate.flatMap { now in formerCounts.openRate.map { now - $0 } }
    }
}
