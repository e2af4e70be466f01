import Counting
import Events

/// The rows that the tables by delivery should have for one delivery.
struct DeliveryRows {
    /// None for a delivery that no file names and that has no rows by day.
    private(set) var rows: [DeliveryRow] = []
    /// Set if more messages arrived than were sent.
    private(set) var understated: UnderstatedDelivery?

    private static let platforms = Platform.allCases
    private static let zeros = Array(repeating: 0, count: FunnelColumn.allCases.count)

    /// - Parameter named: what the delivery files say; nil if they do not name it.
    init(_ id: ExactText, _ named: Delivery?, _ sums: DeliverySums.Sums, _ setting: inout DeliverySetting) {
        var total = DeliveryRows.zeros
        var platforms: [DeliveryRow] = []
        for platform in DeliveryRows.platforms {
            let counts = sums.funnel[platform]
            for (index, count) in (counts ?? []).enumerated() { total[index] &+= count }
            guard counts != nil || named?.counts.contains(where: { $0.platform == platform }) == true else { continue }
            platforms.append(
                DeliveryRow(
                    kind: .platform(platform), id: id, named: named, knowsArrivals: setting.arrivals.contains(platform),
                    funnel: counts.map { Array($0) } ?? DeliveryRows.zeros))
        }
        guard named != nil || sums.days != nil || !platforms.isEmpty else { return }
        rows = [
            DeliveryRow(kind: .delivery, id: id, named: named, days: sums.days),
            DeliveryRow(
                kind: .result, id: id, named: named, sentDay: named?.sentAt.map { setting.clock.day(of: $0) },
                days: sums.days, knowsArrivals: !setting.arrivals.isEmpty, funnel: total),
        ]
        rows += platforms
        for row in rows.dropFirst() {
            guard let sent = row.sent, sent < row.arrived else { continue }
            var platform: Platform?
            if case .platform(let other) = row.kind { platform = other }
            understated = UnderstatedDelivery(id: id.text, platform: platform, sent: sent, arrived: row.arrived)
            break
        }
    }
}
