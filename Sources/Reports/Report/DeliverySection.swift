import Calendar

/// The best and the worst deliveries, and those that changed most.
struct DeliverySection {
    /// The lines of the chart. More would cover one another.
    private static let lines = 10

    let context: PageContext
    private let ranking: DeliveryRanking

    init(context: PageContext) {
        self.context = context
        ranking = DeliveryRanking(context.figures.deliveries)
    }

    private var deliveries: [DeliveryResult] { context.figures.deliveries }
    private var rateName: String { ranking.isOfSent ? "opened of sent" : "opened of messages" }

    var markup: Markup {
        .section("deliveries", "Deliveries", isProvisional: context.figures.isProvisional) {
            for line in introduction { Markup.paragraph(line) }
            if !ranking.best.isEmpty {
                Markup.element("h3") { "Best" }
                list(ranking.best, "deliveries with the highest rate of opens")
            }
            if !ranking.worst.isEmpty {
                Markup.element("h3") { "Worst" }
                list(ranking.worst, "deliveries with the lowest rate of opens")
            }
            if context.figures.before != nil {
                Markup.element("h3") { "Biggest movers" }
                movers
            }
        }
    }

    private var introduction: [String] {
        guard !deliveries.isEmpty else { return ["No delivery had a message in this period."] }
        let named = deliveries.filter(\.isInFile).count
        let sent = deliveries.filter { $0.sent != nil }.count
        let count = NumberText.plural(deliveries.count, "delivery", "deliveries") + " had messages in this period"
        let names =
            named == 0
            ? "; no delivery file names \(deliveries.count == 1 ? "it" : "them")."
            : "; a delivery file names \(NumberText.exact(named))"
                + (sent == 0
                    ? ", and does not say how many were sent."
                    : ", and of \(NumberText.exact(sent)) that began in the period it says how many were sent.")
        var lines = [count + names]
        if ranking.ranked == 0 {
            lines.append("None has \(NumberText.exact(ranking.minimum)) messages, so none is ranked.")
        } else {
            lines.append(
                "Ranked by \(rateName): \(NumberText.exact(ranking.ranked)) with "
                    + "\(NumberText.exact(ranking.minimum)) messages or more; \(DeliveryRanking.length) are listed at most."
            )
        }
        return lines
    }

    private func name(_ delivery: DeliveryResult) -> Markup {
        guard let label = delivery.label else {
            return .element("code") { Markup.data(delivery.id) }
        }
        var name = Markup.data(label)
        name.append(Markup(text: " "))
        name.append(.element("code", ["class": "id"]) { Markup.data(delivery.id) })
        return name
    }

    private func list(_ deliveries: [DeliveryResult], _ caption: String) -> Markup {
        var table = DataTable(
            caption: caption, columns: ["delivery", rateName, "opened", "sent", "messages", "impressed", "clicked"])
        // The same scale in both lists.
        let highest = (ranking.best + ranking.worst).compactMap(ranking.rate).max() ?? 0
        for delivery in deliveries {
            let counts = delivery.now
            table.add(
                name(delivery),
                [bar(ranking.rate(delivery) ?? 0, highest)]
                    + [counts.opened, delivery.sent, counts.messages, counts.impressed, counts.clicked]
                    .map { Markup(text: $0.map(NumberText.exact) ?? NumberText.none) })
        }
        return table.markup
    }

    /// A rate with a bar behind it.
    private func bar(_ rate: Double, _ highest: Double) -> Markup {
        let share = highest > 0 ? NumberText.decimal(rate / highest * 100, places: 0) : "0"
        return .element("span", ["class": "rate", "style": "--share:\(share)%"]) { NumberText.percent(rate) }
    }

    @Markup.Builder private var movers: Markup {
        if ranking.movers.isEmpty {
            Markup.paragraph(
                "No delivery has \(NumberText.exact(ranking.minimum)) messages or more in both periods.")
        } else {
            slope.figure(
                "movers-chart", width: 760,
                note: "The \(min(ranking.movers.count, DeliverySection.lines)) largest changes of opened of messages; "
                    + "dashed lines fall. Sent is not known for part of a delivery, so messages are the base.",
                table: moverTable)
        }
    }

    private var slope: SlopeChart {
        let items = ranking.movers.prefix(DeliverySection.lines).map { delivery in
            SlopeChart.Item(
                name: delivery.name, before: delivery.before?.openRate ?? 0, now: delivery.now.openRate ?? 0)
        }
        let first = ranking.movers.first
        return SlopeChart(
            title: "Opened of messages, \(context.comparedColumn) and in this period",
            summary: first.map {
                "The largest change is \(NumberText.points(from: $0.before?.openRate, to: $0.now.openRate)), of \($0.name)."
            } ?? "", beforeName: context.comparedColumn, nowName: "this period", items: items)
    }

    private var moverTable: DataTable {
        var table = DataTable(
            caption: "deliveries whose rate of opens changed most",
            columns: [
                "delivery", "messages", "opened", "rate", "messages \(context.comparedColumn)", "opened then",
                "rate then",
                "change",
            ])
        for delivery in ranking.movers {
            let before = delivery.before ?? DeliveryResult.Counts()
            let cells = [
                NumberText.exact(delivery.now.messages), NumberText.exact(delivery.now.opened),
                NumberText.percent(delivery.now.openRate), NumberText.exact(before.messages),
                NumberText.exact(before.opened), NumberText.percent(before.openRate),
                NumberText.points(from: before.openRate, to: delivery.now.openRate),
            ]
            table.add(name(delivery), cells.map(Markup.init(text:)))
        }
        return table
    }
}
