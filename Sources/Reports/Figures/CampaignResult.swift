/// A campaign: the deliveries of which a delivery file says that they belong to it.
struct CampaignResult {
    let name: String
    var deliveries = 0
    /// Of its deliveries that began in the period and say how many were sent: how many these are, and what was sent and
    /// opened. Nil if it is known of none, or more than an integer holds.
    var begun = 0
    var sent: Int?
    var openedOfSent = 0
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
            if let sent = delivery.sent {
                campaign.sent = campaign.begun == 0 ? sent : campaign.sent.flatMap { $0.adding(sent) }
                campaign.begun += 1
                campaign.openedOfSent += delivery.counts.opened
            }
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
    /// Opened of sent, where that is known.
    var openRateOfSent: Double? {
        sent.flatMap { Proportion(part: openedOfSent, whole: $0).rate }
    }

    /// Of opened of messages; nil if one of the periods has no messages.
    var change: Double? {
        comparedCounts.openRate.flatMap { now in formerCounts.openRate.map { now - $0 } }
    }
}
