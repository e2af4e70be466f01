/// The best and the worst deliveries.
///
/// The rate is opened of sent if more than half of the deliveries that are large enough have one, else opened of messages.
/// Large enough are deliveries of 1,000, sent or messages; if fewer than ten have so many, of 100. Otherwise the lists would
/// be led by deliveries with a handful of messages.
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
    /// All deliveries, the best first and those without a rank last; nil if they are too many for one list.
    let all: [DeliveryResult]?
    let best: [DeliveryResult]
    let worst: [DeliveryResult]

    init(_ deliveries: [DeliveryResult]) {
        let (usual, low, enough) = DeliveryRanking.minimums
        let minimum = deliveries.filter { $0.size >= usual }.count >= enough ? usual : low
        let eligible = deliveries.filter { $0.size >= minimum }
        let isOfSent = eligible.filter { $0.openRateOfSent != nil }.count * 2 > eligible.count
        let rated = eligible.compactMap { delivery in
            (isOfSent ? delivery.openRateOfSent : delivery.counts.openRate).map { (rate: $0, delivery: delivery) }
        }
        // Of deliveries that nobody opened, the largest that is hardly known at all is the worst.
        let down = rated.sorted {
            ($1.rate, $1.delivery.knownRate ?? 1, $0.delivery.size, $0.delivery.id)
                < ($0.rate, $0.delivery.knownRate ?? 1, $1.delivery.size, $1.delivery.id)
        }.map(\.delivery)
        self.minimum = minimum
        self.isOfSent = isOfSent
        ranked = down.count
        guard deliveries.count >= DeliveryRanking.split else {
            let ids = Set(down.map(\.id))
            let others = deliveries.filter { !ids.contains($0.id) }
            all = down + others.sorted { ($1.size, $0.id) < ($0.size, $1.id) }
            best = []
            worst = []
            return
        }
        all = nil
        // No delivery is in both lists.
        best = Array(down.prefix(min(DeliveryRanking.length, (down.count + 1) / 2)))
        worst = down.suffix(min(DeliveryRanking.length, down.count / 2)).reversed()
    }

    /// Nil for a delivery without a rank.
    func rate(_ delivery: DeliveryResult) -> Double? {
        delivery.size < minimum ? nil : isOfSent ? delivery.openRateOfSent : delivery.counts.openRate
    }
}
