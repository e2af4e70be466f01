/// The variants of a campaign, side by side: opened of sent.
struct VariantComparison {
    struct Variant {
        let name: String
        /// Opened of sent of each delivery, and of all.
        private(set) var deliveries: [Proportion] = []
        private(set) var opened = Proportion(part: 0, whole: 0)

        init(name: String) { self.name = name }

        mutating func add(_ delivery: Proportion) {
            deliveries.append(delivery)
            opened = Proportion(adding: [opened, delivery])
        }

        /// Its deliveries that were opened more than another variant was altogether.
        func deliveriesAbove(_ other: Variant) -> Int {
            deliveries.filter { ($0.rate ?? 0) > (other.opened.rate ?? 0) }.count
        }
    }

    /// A variant to which fewer were sent is not judged.
    static let least = 1000
    /// Where few deliveries tell how much they scatter, z must be what so many standard errors of a known scatter are: for
    /// two variants, and for more, of which the best and the worst are further apart by chance.
    private static let enoughOfFew = (two: 2.33, more: 2.8)

    let campaign: String
    /// The highest rate first.
    let variants: [Variant]
    /// Deliveries of a variant of the campaign that are not compared.
    let left: Int

    /// The variants that are judged.
    private var large: [Variant] { variants.filter { $0.opened.whole >= VariantComparison.least } }

    /// Of these, the best and the worst.
    var ends: (best: Variant, worst: Variant)? {
        guard large.count > 1, let best = large.first, let worst = large.last else { return nil }
        return (best, worst)
    }

    private var scatter: ProportionGroups { ProportionGroups(large.map(\.deliveries)) }

    /// How far these two are apart, in standard errors of deliveries that scatter as those of each variant do.
    var z: Double? { ends.flatMap { scatter.z(of: $0.best.opened, above: $0.worst.opened) } }

    var differs: Bool {
        let scatter = scatter
        let normal = large.count > 2 ? Self.enoughOfFew.more : Self.enoughOfFew.two
        let few = scatter.dispersion > 1 ? Chance.bound(normal, degrees: scatter.degrees) : 0
        return (z ?? 0) >= max(Chance.enough, few)
    }

    /// The campaigns of which two variants or more began in the period, on complete log dates, and say how many were sent.
    /// Those that differ most come first.
    static func all(of deliveries: [DeliveryResult]) -> [VariantComparison] {
        Dictionary(grouping: deliveries, by: \.group).values.flatMap(ofGroup)
            .sorted { ($1.z ?? -1, $0.campaign) < ($0.z ?? -1, $1.campaign) }
    }

    private static func ofGroup(_ deliveries: [DeliveryResult]) -> [VariantComparison] {
        var campaigns: [String: [String: Variant]] = [:]
        var left: [String: Int] = [:]
        for delivery in deliveries {
            guard let campaign = delivery.campaign, let name = delivery.variant else { continue }
            var variant = campaigns[campaign]?[name] ?? Variant(name: name)
            guard let sent = delivery.sent, sent > 0, delivery.isFair,
                variant.opened.whole.adding(sent) != nil
            else {
                left[campaign, default: 0] += 1
                continue
            }
            variant.add(Proportion(part: delivery.counts[.opened], whole: sent))
            campaigns[campaign, default: [:]][name] = variant
        }
        return campaigns.filter { $0.value.count > 1 }.map { campaign, variants in
            VariantComparison(
                campaign: campaign,
                variants: variants.values.sorted {
                    ($1.opened.rate ?? 0, $0.name) < ($0.opened.rate ?? 0, $1.name)
                }, left: left[campaign] ?? 0)
        }
    }
}
