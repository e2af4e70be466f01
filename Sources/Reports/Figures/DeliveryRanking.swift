/// The best and the worst deliveries of a group.
///
/// The rate is opened of sent if more than half of the deliveries that are large enough have one, else opened of messages.
/// Large enough are deliveries of 1,000, sent or messages; if fewer than ten have so many, of 100. Otherwise the lists would
/// be led by deliveries with a handful of messages. What failed, or is known in part, has no rank.
struct DeliveryRanking {
    /// The length of each list.
    static let length = 20
    /// From so many deliveries on there are two lists.
    private static let split = 40
    private static let minimums = (usual: 1000, low: 100, enough: 10)

    let minimum: Int
    let isOfSent: Bool
    /// Deliveries that are large enough, and have the rate.
    let ranked: Int
    /// One list of all deliveries, the best first and those without a rank last. If they are too many for it: the best and the worst.
    let lists: [(title: String?, caption: String, deliveries: [DeliveryResult])]

    var listed: [DeliveryResult] { lists.flatMap(\.deliveries) }
    var rateName: String { isOfSent ? "opened of sent" : "opened of messages" }

    init(_ deliveries: [DeliveryResult]) {
        let (usual, low, enough) = DeliveryRanking.minimums
        let minimum = deliveries.filter { $0.size >= usual }.count >= enough ? usual : low
        let eligible = deliveries.filter { $0.size >= minimum && $0.isFair }
        let isOfSent = eligible.filter { $0.openRateOfSent != nil }.count * 2 > eligible.count
        let rated = eligible.compactMap { delivery in
            (isOfSent ? delivery.openRateOfSent : delivery.counts.openRate).map { (rate: $0, delivery: delivery) }
        }
        let down = rated.sorted {
            ($1.rate, $0.delivery.size, $0.delivery.id) < ($0.rate, $1.delivery.size, $1.delivery.id)
        }.map(\.delivery)
        self.minimum = minimum
        self.isOfSent = isOfSent
        ranked = down.count
        guard deliveries.count >= DeliveryRanking.split else {
            let ids = Set(down.map(\.id))
            let others = deliveries.filter { !ids.contains($0.id) }.largestFirst
            lists = deliveries.isEmpty ? [] : [(nil, "all deliveries", down + others)]
            return
        }
        // No delivery is in both lists.
        let best = down.prefix(min(DeliveryRanking.length, (down.count + 1) / 2))
        let worst = down.suffix(min(DeliveryRanking.length, down.count / 2)).reversed()
        let failed = deliveries.filter(\.isFailed).largestFirst
        let all: [(title: String?, caption: String, deliveries: [DeliveryResult])] = [
            ("Best", "deliveries with the highest rate of opens", Array(best)),
            ("Worst", "deliveries with the lowest rate of opens", Array(worst)),
            ("Failed", "deliveries that failed", failed),
        ]
        lists = all.filter { !$0.deliveries.isEmpty }
    }

    /// Nil for a delivery without a rank.
    func rate(_ delivery: DeliveryResult) -> Double? {
        guard delivery.size >= minimum, delivery.isFair else { return nil }
        return isOfSent ? delivery.openRateOfSent : delivery.counts.openRate
    }
}

/// A campaign: the deliveries of a group of which a delivery file or an event says that they belong to it. What failed, or is
/// known in part, is in none of its figures.
struct CampaignResult {
    let name: String
    let deliveries: [DeliveryResult]
    /// How many others of its deliveries are left out.
    let left: Int
    let counts: Totals
    /// On the days that are compared, and on their counterparts.
    let comparedCounts: Totals
    let formerCounts: Totals

    private init(_ name: String, of all: [DeliveryResult], before: [DeliveryResult]) {
        (self.name, deliveries) = (name, all.filter(\.isFair))
        left = all.count - deliveries.count
        counts = .sum(deliveries.map(\.counts))
        comparedCounts = .sum(deliveries.map(\.comparedCounts))
        formerCounts = .sum(before.filter(\.isFair).map(\.comparedCounts))
    }

    /// The campaigns of the period, the largest first.
    static func all(of deliveries: [DeliveryResult], before: [DeliveryResult]) -> [CampaignResult] {
        let former = Dictionary(grouping: before, by: \.campaign)
        return Dictionary(grouping: deliveries, by: \.campaign).compactMap { name, deliveries in
            name.map { CampaignResult($0, of: deliveries, before: former[$0] ?? []) }
        }.sorted { ($1.counts[.messages], $0.name) < ($0.counts[.messages], $1.name) }
    }

    /// Its deliveries that began in the period and say how many were sent.
    var begun: [DeliveryResult] { deliveries.filter { $0.sent != nil } }

    /// What was sent of these.
    var sent: Int? { begun.compactMap(\.sent).knownSum }

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? {
        let opened = begun.reduce(0) { $0 + $1.counts[.opened] }
        return sent.flatMap { Proportion(part: opened, whole: $0).rate }
    }

    /// Of opened of messages; nil if one of the periods has no messages.
    var change: Double? {
        comparedCounts.openRate.flatMap { now in formerCounts.openRate.map { now - $0 } }
    }
}
