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

    /// Of one that is not here it is not known what arrived.
    private var platformsWithArrivals: Set<String> {
        Set(events.filter { $0.hit.action == "arrival" }.map(\.hit.platform))
    }

    private func counts(_ sent: Int?, _ delivered: Int?, _ messages: [Message], hasArrivals: Bool) -> OutputRow {
        let rates = ["arrival", "impression", "click", "open"].map { action -> Cell in
            guard let sent, sent > 0, action != "arrival" || hasArrivals else { return .null }
            return .real(Double(messages.count { $0.has(action) }) / Double(sent))
        }
        return [sent, delivered].map { $0.map { .integer($0) } ?? .null } + messages.funnel + rates
    }

    package var deliveriesTable: OutputTable {
        let spans = spans
        return OutputTable(
            "deliveries", Columns.deliveries,
            ids.map { id in
                names(id) + [.integer(deliveries[id] == nil ? 0 : 1)] + (spans[id] ?? [.null, .null])
            })
    }

    /// The first and the last day of each delivery in daily_actions.
    private var spans: [Bytes: OutputRow] {
        Dictionary(grouping: events, by: \.hit.deliveryID).mapValues { events in
            let days = events.map(\.local.day).sorted()
            return [.text(days[0].description), .text(days[days.count - 1].description)]
        }
    }

    package var deliveryResults: OutputTable {
        let (spans, ofDelivery) = (spans, Dictionary(grouping: messages, by: \.first.hit.deliveryID))
        let hasArrivals = !platformsWithArrivals.isEmpty
        let zone = Zone(timeZone)
        return OutputTable(
            "delivery_results", Columns.deliveryResults,
            ids.map { id in
                let named = deliveries[id]
                let sentDay = named?.sentAt.map { Cell.text(zone.day(of: $0).description) } ?? .null
                return names(id) + [sentDay] + (spans[id] ?? [.null, .null])
                    + counts(
                        named?.total("sent"), named?.total("delivered"), ofDelivery[id] ?? [], hasArrivals: hasArrivals)
            })
    }

    package var deliveryPlatforms: OutputTable {
        let (arriving, ofDelivery) = (platformsWithArrivals, Dictionary(grouping: messages, by: \.first.hit.deliveryID))
        var rows: [OutputRow] = []
        for id in ids {
            for platform in ["android", "ios", "unknown", "web"] {
                let own = (ofDelivery[id] ?? []).filter { $0.first.hit.platform == platform }
                let named = deliveries[id]?.counts[Bytes(platform)]
                if own.isEmpty && named == nil { continue }
                let hasArrivals = arriving.contains(platform)
                rows.append(
                    [.text(id), .text(platform)]
                        + counts(named?["sent"], named?["delivered"], own, hasArrivals: hasArrivals))
            }
        }
        return OutputTable("delivery_platforms", Columns.deliveryPlatforms, rows)
    }
}
