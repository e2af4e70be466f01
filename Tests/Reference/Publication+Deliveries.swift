// The tables by delivery.

extension Publication {
    private var ids: Set<Bytes> {
        Set(deliveries.keys).union(events.map(\.hit.deliveryID)).union(messages.map(\.first.hit.deliveryID))
    }

    private func names(_ id: Bytes) -> OutputRow {
        let named = deliveries[id]
        let texts = ["label", "campaign", "variant"].map { key -> Cell in named?.texts[key].map { .text($0) } ?? .null }
        return [.text(id)] + texts + [named?.sentAt.map { .text(timestamp($0)) } ?? .null]
    }

    private func counts(_ sent: Int?, _ delivered: Int?, _ messages: [Message]) -> OutputRow {
        let rates = ["arrival", "impression", "click", "open"].map { action -> Cell in
            guard let sent, sent > 0 else { return .null }
            return .real(Double(messages.count { $0.has(action) }) / Double(sent))
        }
        return [sent, delivered].map { $0.map { .integer($0) } ?? .null } + messages.funnel + rates
    }

    package var deliveriesTable: OutputTable {
        let events = Dictionary(grouping: events, by: \.hit.deliveryID)
        return OutputTable(
            "deliveries", Columns.deliveries,
            ids.map { id in
                let days = (events[id] ?? []).map(\.local.day)
                return names(id) + [
                    .integer(deliveries[id] == nil ? 0 : 1), days.min().map { .text($0.description) } ?? .null,
                    days.max().map { .text($0.description) } ?? .null,
                ]
            })
    }

    package var deliveryResults: OutputTable {
        let messages = Dictionary(grouping: messages, by: \.first.hit.deliveryID)
        return OutputTable(
            "delivery_results", Columns.deliveryResults,
            ids.map { id in
                let named = deliveries[id]
                return names(id) + counts(named?.total("sent"), named?.total("delivered"), messages[id] ?? [])
            })
    }

    package var deliveryPlatforms: OutputTable {
        let messages = Dictionary(grouping: messages, by: \.first.hit.deliveryID)
        var rows: [OutputRow] = []
        for id in ids {
            for platform in ["android", "ios", "unknown", "web"] {
                let own = (messages[id] ?? []).filter { $0.first.hit.platform == platform }
                let named = deliveries[id]?.counts[Bytes(platform)]
                if own.isEmpty && named == nil { continue }
                rows.append([.text(id), .text(platform)] + counts(named?["sent"], named?["delivered"], own))
            }
        }
        return OutputTable("delivery_platforms", Columns.deliveryPlatforms, rows)
    }
}
