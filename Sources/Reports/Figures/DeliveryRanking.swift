/// The best and the worst deliveries, and those that changed most.
///
/// The rate is opened of sent if more than half of the deliveries that are large enough have one, else opened of messages.
/// Large enough are deliveries with 1,000 messages or more; if fewer than ten have so many, with 100. Otherwise the lists
/// would be led by deliveries with a handful of messages.
struct DeliveryRanking {
    /// The length of each list.
    static let length = 20
    private static let minimums = (usual: 1000, low: 100, enough: 10)

    let minimum: Int
    let isOfSent: Bool
    /// Deliveries that are large enough, and have the rate.
    let ranked: Int
    let best: [DeliveryResult]
    let worst: [DeliveryResult]
    /// By the change of opened of messages; large enough in both periods.
    let movers: [DeliveryResult]

    init(_ deliveries: [DeliveryResult]) {
        let large = deliveries.filter { $0.now.messages >= DeliveryRanking.minimums.usual }
        let minimum =
            large.count >= DeliveryRanking.minimums.enough
            ? DeliveryRanking.minimums.usual : DeliveryRanking.minimums.low
        let eligible = deliveries.filter { $0.now.messages >= minimum }
        let isOfSent = eligible.filter { $0.openRateOfSent != nil }.count * 2 > eligible.count
        let rated = eligible.compactMap { delivery in
            (isOfSent ? delivery.openRateOfSent : delivery.now.openRate).map { (rate: $0, delivery: delivery) }
        }
        let down = rated.sorted {
            ($1.rate, $1.delivery.now.messages, $0.delivery.id) < ($0.rate, $0.delivery.now.messages, $1.delivery.id)
        }
        self.minimum = minimum
        self.isOfSent = isOfSent
        ranked = rated.count
        // No delivery is in both lists.
        best = down.prefix(min(DeliveryRanking.length, (rated.count + 1) / 2)).map(\.delivery)
        worst = down.suffix(min(DeliveryRanking.length, rated.count / 2)).reversed().map(\.delivery)
        movers = DeliveryRanking.movers(eligible.filter { ($0.before?.messages ?? 0) >= minimum })
    }

    func rate(_ delivery: DeliveryResult) -> Double? { isOfSent ? delivery.openRateOfSent : delivery.now.openRate }

    private static func movers(_ deliveries: [DeliveryResult]) -> [DeliveryResult] {
        deliveries.map { (abs(($0.now.openRate ?? 0) - ($0.before?.openRate ?? 0)), $0) }
            .sorted { ($1.0, $0.1.id) < ($0.0, $1.1.id) }.prefix(length).map(\.1)
    }
}
