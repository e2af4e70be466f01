/// The variants of a campaign, side by side: opened of sent.
struct VariantComparison {
    struct Variant {
        let name: String
        var deliveries = 0
        var counts = DeliveryResult.Counts()
        var sent = 0

        var opened: Proportion { Proportion(part: counts.opened, whole: sent) }
    }

    /// A variant to which fewer were sent is not judged.
    static let least = 1000
    /// From so many standard errors on, two variants differ.
    static let enough = 3.0

    let campaign: String
    /// The highest rate first.
    let variants: [Variant]

    /// Of the variants to which enough were sent, the best and the worst.
    var ends: (best: Variant, worst: Variant)? {
        let large = variants.filter { $0.sent >= VariantComparison.least }
        guard large.count > 1, let best = large.first, let worst = large.last else { return nil }
        return (best, worst)
    }

    /// How far these two are apart, in standard errors.
    var z: Double? { ends.flatMap { $0.best.opened.z(above: $0.worst.opened) } }
    var differs: Bool { (z ?? 0) >= VariantComparison.enough }

    /// The campaigns of which two variants or more began in the period, on complete log dates, and say how many were sent.
    /// Those that differ most come first.
    static func all(_ deliveries: [DeliveryResult]) -> [VariantComparison] {
        var campaigns: [String: [String: Variant]] = [:]
        for delivery in deliveries {
            guard let campaign = delivery.campaign, let name = delivery.variant, let sent = delivery.sent, sent > 0,
                delivery.isWithCompleteLogs
            else { continue }
            var variant = campaigns[campaign]?[name] ?? Variant(name: name)
            guard let sum = variant.sent.adding(sent) else { continue }
            variant.sent = sum
            variant.deliveries += 1
            variant.counts += delivery.counts
            campaigns[campaign, default: [:]][name] = variant
        }
        return campaigns.filter { $0.value.count > 1 }.map { campaign, variants in
            VariantComparison(
                campaign: campaign,
                variants: variants.values.sorted {
                    ($1.opened.rate ?? 0, $0.name) < ($0.opened.rate ?? 0, $1.name)
                })
        }.sorted { ($1.z ?? -1, $0.campaign) < ($0.z ?? -1, $1.campaign) }
    }
}
