/// The usual share of messages sent that becomes known: the median over the deliveries of a group.
struct UsualShare {
    /// A delivery with fewer messages sent is never reported as failed.
    private static let leastSent = 500
    /// With fewer deliveries, there is no median.
    private static let fewest = 5

    let group: DeliveryGroup
    /// The shares of the deliveries that can be judged, sorted.
    private(set) var shares: [Double] = []

    /// Nil if there are too few shares.
    var median: Double? { shares.count < UsualShare.fewest ? nil : shares.median }

    /// Whether a delivery can be judged: it belongs to the group, enough messages were sent, its logs are complete, and
    /// a later log date is loaded.
    private func judges(_ delivery: DeliveryResult, with table: DayTable) -> Bool {
        guard delivery.group == group, let sent = delivery.sent, sent >= UsualShare.leastSent,
            let day = delivery.beginDay, let last = table.loaded.last
        else { return false }
        return table.logDate(of: day) < last && delivery.isWithCompleteLogs
    }

    func isFailed(_ delivery: DeliveryResult, with table: DayTable) -> Bool {
        guard let median, let share = delivery.seenRate, judges(delivery, with: table) else { return false }
        return share < median / 5
    }

    static func all(of deliveries: [DeliveryResult], with table: DayTable) -> [DeliveryGroup: UsualShare] {
        var all: [DeliveryGroup: UsualShare] = [:]
        for group in DeliveryGroup.allCases {
            var usual = UsualShare(group: group)
            usual.shares = deliveries.filter { usual.judges($0, with: table) }.compactMap(\.seenRate).sorted()
            if !usual.shares.isEmpty { all[group] = usual }
        }
        return all
    }
}

extension [DeliveryResult] {
    /// The deliveries, with `isFailed` set.
    func judged(with table: DayTable) -> [DeliveryResult] {
        let usual = UsualShare.all(of: self, with: table)
        return map { delivery in
            var delivery = delivery
            delivery.isFailed = usual[delivery.group]?.isFailed(delivery, with: table) ?? false
            return delivery
        }
    }
}
