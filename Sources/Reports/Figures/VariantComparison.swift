/// The variants of a campaign, side by side: opened of sent.
struct VariantComparison {
    struct Variant {
        let name: String
        /// The rate of each delivery, and that of all together.
        private(set) var deliveries: [Proportion] = []
        private(set) var opened = Proportion(part: 0, whole: 0)

        init(name: String) { self.name = name }

        mutating func add(_ delivery: Proportion) {
            deliveries.append(delivery)
            opened = Proportion(adding: [opened, delivery])
        }

        /// The number of its deliveries with a higher rate than the other variant as a whole.
        func deliveriesAbove(_ other: Variant) -> Int {
            deliveries.filter { ($0.rate ?? 0) > (other.opened.rate ?? 0) }.count
        }
    }

    /// A variant to which fewer were sent is not judged.
    static let least = 1000
    /// If few deliveries show how much rates vary, z must reach at least the bound for these standard errors: for two
    /// variants, and for more, since the best and the worst of several differ more by chance.
    private static let enoughOfFew = (two: 2.33, more: 2.8)

    let campaign: String
    /// The highest rate first.
    let variants: [Variant]
    /// The number of the campaign's deliveries with a variant that are not compared.
    let left: Int

    /// The variants that are judged.
    private var large: [Variant] { variants.filter { $0.opened.whole >= VariantComparison.least } }

    /// The best and the worst of the large variants.
    var ends: (best: Variant, worst: Variant)? {
        guard large.count > 1, let best = large.first, let worst = large.last else { return nil }
        return (best, worst)
    }

    private var scatter: ProportionGroups { ProportionGroups(large.map(\.deliveries)) }

    /// The distance of the best from the worst, in standard errors that take the variation between deliveries into
    /// account.
    var z: Double? { ends.flatMap { scatter.z(of: $0.best.opened, above: $0.worst.opened) } }

    var differs: Bool {
        let scatter = scatter
        let normal = large.count > 2 ? Self.enoughOfFew.more : Self.enoughOfFew.two
        let few = scatter.dispersion > 1 ? Chance.bound(normal, degrees: scatter.degrees) : 0
        return (z ?? 0) >= max(Chance.enough, few)
    }

    /// The campaigns with at least two variants that began in the period, with complete logs and a known number sent.
    /// The largest difference comes first.
    static func all(of deliveries: [DeliveryResult]) -> [VariantComparison] {
        DeliveryGroup.allCases.flatMap { group in ofGroup(deliveries.filter { $0.group == group }) }
            .sorted { ($1.z ?? -1, ExactName($0.campaign)) < ($0.z ?? -1, ExactName($1.campaign)) }
    }

    private static func ofGroup(_ deliveries: [DeliveryResult]) -> [VariantComparison] {
        var campaigns: [ExactName: [ExactName: Variant]] = [:]
        var left: [ExactName: Int] = [:]
        for delivery in deliveries {
            guard let campaign = delivery.campaignKey, let name = delivery.variant.map(ExactName.init) else { continue }
            var variant = campaigns[campaign]?[name] ?? Variant(name: name.text)
            guard let sent = delivery.sent, sent > 0, delivery.isFair,
                variant.opened.whole.adding(sent) != nil
            else {
                left[campaign, default: 0] += 1
                continue
            }
            variant.add(Proportion(part: delivery.ownCounts[.opened], whole: sent))
            campaigns[campaign, default: [:]][name] = variant
        }
        return campaigns.filter { $0.value.count > 1 }.map { campaign, variants in
            VariantComparison(
                campaign: campaign.text,
                variants: variants.values.sorted {
                    ($1.opened.rate ?? 0, ExactName($0.name)) < ($0.opened.rate ?? 0, ExactName($1.name))
                }, left: left[campaign] ?? 0)
        }
    }
}
