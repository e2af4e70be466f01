/// The delivery file beside the logs, in the columns that pushetl takes by default.
///
///     delivery_id,platform,label,campaign,variant,sent_at,sent,delivered
///     121d00,,"Black Friday, wave 1",Black Friday,,2026-11-17T11:10:00+01:00,420,407
struct DeliveryFile {
    static let path = "deliveries/campaigns.csv"

    let plan: Plan
    let deliveries: [NamedDelivery]

    var text: String {
        var text = "delivery_id,platform,label,campaign,variant,sent_at,sent,delivered\n"
        for (index, delivery) in deliveries.enumerated() {
            for row in delivery.rows {
                let counts = [String(row.sent), row.delivered.map { String($0) } ?? ""]
                let names = [delivery.label, delivery.campaign, delivery.variant]
                let time = time(delivery.sentAt, hasOffset: index.isMultiple(of: 2))
                let fields = [delivery.id, row.platform?.rawValue ?? ""] + names + [time] + counts
                text += CSV.line(fields)
            }
        }
        return text
    }

    /// `2026-11-17T11:10:00+01:00`, or `2026-11-17 11:10:00`, which the pipeline's time zone makes a time.
    private func time(_ second: Int, hasOffset: Bool) -> String {
        let offset = plan.zone.offset(at: second)
        let local = CSV.timestamp(second + offset)
        guard hasOffset || plan.zone.turns(near: second) else { return local }
        let minutes = abs(offset) / 60
        let sign = offset < 0 ? "-" : "+"
        return "\(local.replacing(" ", with: "T"))\(sign)\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }
}
