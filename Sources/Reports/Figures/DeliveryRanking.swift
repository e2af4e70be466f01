/// The best and the worst deliveries of a group.
///
/// The rate is opened of sent if more than half of the large deliveries have one, else opened of messages. A delivery
/// is large if it has 1,000 sent or messages. If fewer than ten have so many, 100 are enough. Otherwise tiny deliveries
/// would lead the lists. Failed deliveries, and deliveries that are only partly known, have no rank.
struct DeliveryRanking {
    /// The length of each list.
    static let length = 20
    /// From this number of deliveries on, there are two lists.
    private static let split = 40
    private static let minimums = (usual: 1000, low: 100, enough: 10)

    let minimum: Int
    let isOfSent: Bool
    /// The number of large deliveries that have the rate.
    let ranked: Int
    /// One list of all deliveries, the best first and those without a rank last. If there are too many: one list of the
    /// best and one of the worst.
    let lists: [(title: String?, caption: String, deliveries: [DeliveryResult])]

    var listed: [DeliveryResult] { lists.flatMap(\.deliveries) }
    var rateName: String { isOfSent ? "opened of sent" : "opened of messages" }

    init(_ deliveries: [DeliveryResult]) {
        let (usual, low, enough) = DeliveryRanking.minimums
        let minimum = deliveries.filter { $0.size >= usual }.count >= enough ? usual : low
        let eligible = deliveries.filter { $0.size >= minimum && $0.isFair }
        let isOfSent = eligible.filter { $0.openRateOfSent != nil }.count * 2 > eligible.count
        let rated = eligible.compactMap { delivery in
            (isOfSent ? delivery.openRateOfSent : delivery.ownCounts.openRate).map { (rate: $0, delivery: delivery) }
        }
        let down = rated.sorted {
            ($1.rate, $0.delivery.size, $0.delivery.id) < ($0.rate, $1.delivery.size, $1.delivery.id)
        }.map(\.delivery)
        self.minimum = minimum
        self.isOfSent = isOfSent
        ranked = down.count
        guard deliveries.count >= DeliveryRanking.split else {
            let ids = Set(down.map(\.key))
            let others = deliveries.filter { !ids.contains($0.key) }.largestFirst
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
        return isOfSent ? delivery.openRateOfSent : delivery.ownCounts.openRate
    }
}
