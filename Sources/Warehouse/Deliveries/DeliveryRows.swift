import Counting
import Events
import GRDB

/// The rows that the tables by delivery should have, for some deliveries or for all.
struct DeliveryRows {
    /// Sorted by key.
    private(set) var deliveries: [DeliveryRow] = []
    private(set) var results: [DeliveryRow] = []
    private(set) var platforms: [DeliveryRow] = []
    /// Deliveries of which more messages arrived than were sent.
    private(set) var understated: [UnderstatedDelivery] = []

    /// - Parameter all: whether the rows are for all deliveries of the list, too.
    init(_ sums: DeliverySums, _ list: DeliveryList, all: Bool) {
        var ids = Set(sums.sums.keys)
        if all { ids.formUnion(list.sorted.map { ExactText($0.id) }) }
        for id in ids.map(\.text).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let named = list[id]
            let sums = sums.sums[ExactText(id)] ?? DeliverySums.Sums()
            // It may be a delivery that is gone.
            guard named != nil || sums.days != nil || sums.funnel.contains(where: { $0 != nil }) else { continue }
            add(id, named, sums)
        }
    }

    private mutating func add(_ id: String, _ named: Delivery?, _ sums: DeliverySums.Sums) {
        deliveries.append(DeliveryRow(kind: .delivery, id: id, named: named, days: sums.days))
        let zeros = Array(repeating: 0, count: FunnelColumn.allCases.count)
        var total = zeros
        var rows: [DeliveryRow] = []
        for platform in Platform.allCases {
            let counts = sums.funnel[Int(platform.rawValue)]
            for (index, count) in (counts ?? []).enumerated() { total[index] += count }
            guard counts != nil || named?.counts.contains(where: { $0.platform == platform }) == true else { continue }
            rows.append(DeliveryRow(kind: .platform(platform), id: id, named: named, funnel: counts ?? zeros))
        }
        let result = DeliveryRow(kind: .result, id: id, named: named, funnel: total)
        results.append(result)
        platforms += rows
        let arrived = FunnelColumn.arrived.rawValue
        if let row = ([result] + rows).first(where: \.isUnderstated),
            let sent = row.sent
        {
            understated.append(
                UnderstatedDelivery(id: id, platform: row.platform, sent: sent, arrived: row.funnel[arrived]))
        }
    }

    /// The rows by table.
    var byTable: [(table: Table, rows: [DeliveryRow])] {
        [
            (OutputSchema.deliveries, deliveries), (OutputSchema.deliveryResults, results),
            (OutputSchema.deliveryPlatforms, platforms),
        ]
    }
}

extension DeliveryRow {
    fileprivate var isUnderstated: Bool {
        sent.map { $0 < funnel[FunnelColumn.arrived.rawValue] } ?? false
    }

    fileprivate var platform: Platform? {
        if case .platform(let platform) = kind { platform } else { nil }
    }
}
