// The tables by delivery.

extension Publication {
    private var ids: Set<Bytes> {
        Set(deliveries.keys).union(events.map(\.hit.deliveryID)).union(messages.map(\.first.hit.deliveryID))
    }

    private func names(_ id: Bytes, _ namesOfEvents: [Bytes: [String: Bytes]]) -> OutputRow {
        let named = deliveries[id]
        let texts = NamedDelivery.keys.map { key -> Cell in
            (named?.texts[key] ?? namesOfEvents[id]?[key]).map { .text($0) } ?? .null
        }
        return [.text(id)] + texts + [named?.sentAt.map { .text(timestamp($0)) } ?? .null]
    }

    /// Of one that is not here it is not known what failed, or arrived.
    private func platforms(reporting action: String) -> Set<String> {
        Set(events.filter { $0.hit.action == action }.map(\.hit.platform))
    }

    /// - Parameters:
    ///   - listed: what a delivery file says was sent.
    ///   - mayCount: whether events say how many were sent if the file does not.
    ///   - reported: the actions that are reported at all.
    private func counts(
        listed: Int?, mayCount: Bool, _ delivered: Int?, _ messages: [Message], reported: Set<String>
    ) -> OutputRow {
        let counted = messages.count { $0.has("sent") }
        let sent = listed ?? (mayCount && counted > 0 ? counted : nil)
        let from: Cell = listed != nil ? .text("file") : sent != nil ? .text("events") : .null
        let rates = ["failed", "arrival", "impression", "click", "open"].map { action -> Cell in
            guard let sent, sent > 0, !["failed", "arrival"].contains(action) || reported.contains(action)
            else { return .null }
            return .real(Double(messages.count { $0.has(action) }) / Double(sent))
        }
        var funnel = messages.funnel
        // The second is what was sent.
        funnel.remove(at: 1)
        return [sent.map { .integer($0) } ?? .null, from, delivered.map { .integer($0) } ?? .null] + funnel + rates
    }

    package var deliveriesTable: OutputTable {
        let (spans, namesOfEvents) = (spans, namesOfEvents)
        return OutputTable(
            "deliveries", Columns.deliveries,
            ids.map { id in
                names(id, namesOfEvents) + [.integer(deliveries[id] == nil ? 0 : 1)] + (spans[id] ?? [.null, .null])
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
        let reported = Set(["failed", "arrival"].filter { !platforms(reporting: $0).isEmpty })
        let (zone, namesOfEvents) = (Zone(timeZone), namesOfEvents)
        return OutputTable(
            "delivery_results", Columns.deliveryResults,
            ids.map { id in
                let named = deliveries[id]
                let sentDay = named?.sentAt.map { Cell.text(zone.day(of: $0).description) } ?? .null
                return names(id, namesOfEvents) + [sentDay] + (spans[id] ?? [.null, .null])
                    + counts(
                        listed: named?.total("sent"), mayCount: named?.saysSent != true, named?.total("delivered"),
                        ofDelivery[id] ?? [],
                        reported: reported)
            })
    }

    package var deliveryPlatforms: OutputTable {
        let ofDelivery = Dictionary(grouping: messages, by: \.first.hit.deliveryID)
        let (failing, arriving) = (platforms(reporting: "failed"), platforms(reporting: "arrival"))
        var rows: [OutputRow] = []
        for id in ids {
            for platform in ["android", "ios", "unknown", "web"] {
                let own = (ofDelivery[id] ?? []).filter { $0.first.hit.platform == platform }
                let named = deliveries[id]?.counts[Bytes(platform)]
                if own.isEmpty && named == nil { continue }
                let reported =
                    (failing.contains(platform) ? ["failed"] : []) + (arriving.contains(platform) ? ["arrival"] : [])
                rows.append(
                    [.text(id), .text(platform)]
                        + counts(
                            listed: named?["sent"], mayCount: deliveries[id]?.saysSent != true, named?["delivered"],
                            own, reported: Set(reported)))
            }
        }
        return OutputTable("delivery_platforms", Columns.deliveryPlatforms, rows)
    }
}
