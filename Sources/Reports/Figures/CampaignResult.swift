/// A campaign: the deliveries of which a delivery file says that they belong to it.
struct CampaignResult {
    let name: String
    var deliveries = 0
    /// Nil if it is not known of each, or more than an integer holds.
    var sent: Int? = 0
    var counts = DeliveryResult.Counts()
    /// On the days that are compared.
    var comparedCounts = DeliveryResult.Counts()
    /// On their counterparts.
    var formerCounts = DeliveryResult.Counts()

    /// The campaigns of the period, the largest first.
    static func all(_ deliveries: [DeliveryResult], before: [DeliveryResult]) -> [CampaignResult] {
        var campaigns: [String: CampaignResult] = [:]
        for delivery in deliveries {
            guard let name = delivery.campaign else { continue }
            var campaign = campaigns[name] ?? CampaignResult(name: name)
            campaign.deliveries += 1
            campaign.sent = campaign.sent.flatMap { sum in delivery.sent.flatMap(sum.adding) }
            campaign.counts += delivery.counts
            campaign.comparedCounts += delivery.comparedCounts
            campaigns[name] = campaign
        }
        for delivery in before {
            guard let name = delivery.campaign else { continue }
            campaigns[name]?.formerCounts += delivery.comparedCounts
        }
        return campaigns.values.sorted { ($1.counts.messages, $0.name) < ($0.counts.messages, $1.name) }
    }
}

extension CampaignResult {
    /// Of opened of messages; nil if one of the periods has no messages.
    var change: Double? {
        comparedCounts.openRate.flatMap { now in formerCounts.openRate.map { now - $0 } }
    }
}
