/// The tables by delivery: what the delivery file says, and what became of it.
extension Truth {
    private static let rates = ["arrival_rate", "impression_rate", "click_rate", "open_rate"]

    func deliveriesTable() -> [[String]] {
        var days: [String: [Day]] = [:]
        for key in actions.keys { days[key.delivery, default: []].append(key.day) }
        let rows = ids().map { id in
            let days = days[id] ?? []
            return [id] + names(id) + [named[id] == nil ? "0" : "1", days.min()?.text ?? "", days.max()?.text ?? ""]
        }
        let header = ["delivery_id", "label", "campaign", "variant", "sent_at", "in_file", "first_day", "last_day"]
        return [header] + sorted(rows, keys: 1)
    }

    func deliveryResultsTable() -> [[String]] {
        let sums = sums { $0.delivery }
        let rows = ids().map { id in
            let sent = named[id]?.total(\.optionalSent)
            let delivered = named[id]?.total(\.delivered)
            return [id] + names(id) + figures(sent, delivered, sums[id])
        }
        let header = ["delivery_id", "label", "campaign", "variant", "sent_at", "sent", "delivered"]
        return [header + Funnel.columns + Self.rates] + sorted(rows, keys: 1)
    }

    func deliveryPlatformsTable() -> [[String]] {
        struct Pair: Hashable {
            var delivery: String
            var platform: String
        }
        var rowsInFile: [Pair: NamedDelivery.Sent] = [:]
        for delivery in named.values {
            for row in delivery.rows {
                guard let platform = row.platform else { continue }
                rowsInFile[Pair(delivery: delivery.id, platform: platform.rawValue)] = row
            }
        }
        let sums = sums { Pair(delivery: $0.delivery, platform: $0.platform) }
        let rows = Set(sums.keys).union(rowsInFile.keys).map { pair in
            let row = rowsInFile[pair]
            return [pair.delivery, pair.platform] + figures(row?.sent, row?.delivered, sums[pair])
        }
        let header = ["delivery_id", "platform", "sent", "delivered"]
        return [header + Funnel.columns + Self.rates] + sorted(rows, keys: 2)
    }

    /// The deliveries of the daily tables and of the file.
    private func ids() -> Set<String> {
        Set(actions.keys.map(\.delivery)).union(named.keys)
    }

    private func names(_ id: String) -> [String] {
        guard let delivery = named[id] else { return ["", "", "", ""] }
        return [delivery.label, delivery.campaign, delivery.variant, CSV.timestamp(delivery.sentAt)]
    }

    private func sums<Key: Hashable>(by key: (FunnelKey) -> Key) -> [Key: [Int]] {
        var sums: [Key: [Int]] = [:]
        for (row, funnel) in funnels {
            let counts = funnel.counts
            sums[key(row)] = sums[key(row)].map { zip($0, counts).map { $0 + $1 } } ?? counts
        }
        return sums
    }

    /// What was sent and delivered, the funnel, and its rates over what was sent.
    private func figures(_ sent: Int?, _ delivered: Int?, _ counts: [Int]?) -> [String] {
        let counts = counts ?? Funnel.columns.map { _ in 0 }
        let funnel = Dictionary(uniqueKeysWithValues: zip(Funnel.columns, counts))
        let rates = ["arrived", "impressed", "clicked", "opened"].map { column in
            guard let sent, sent > 0 else { return "" }
            return String(Double(funnel[column] ?? 0) / Double(sent))
        }
        return [sent.map { String($0) } ?? "", delivered.map { String($0) } ?? ""] + counts.map { String($0) } + rates
    }
}

extension NamedDelivery.Sent {
    fileprivate var optionalSent: Int? { sent }
}
