import Calendar
import Messages

/// The best and the worst deliveries, and the campaigns against the other period.
struct DeliverySection {
    let figures: ReportFigures

    var markup: Markup {
        let nothing = figures.now.deliveries.isEmpty ? "No delivery had a message in this period." : nil
        return .section("deliveries", "Deliveries", nothing: nothing) {
            figures.apart { group in
                DeliveryList(figures: figures, group: group).markup
                CampaignList(figures: figures, group: group).markup
            }
        }
    }
}

/// Deliveries by their rate of opens.
private struct DeliveryList {
    let figures: ReportFigures
    let group: DeliveryGroup?
    private let deliveries: [DeliveryResult]
    private let ranking: DeliveryRanking

    init(figures: ReportFigures, group: DeliveryGroup?) {
        (self.figures, self.group) = (figures, group)
        deliveries = figures.now.deliveries(of: group)
        ranking = DeliveryRanking(deliveries)
    }

    @Markup.Builder var markup: Markup {
        for line in introduction { Markup.paragraph(line) }
        for list in ranking.lists {
            if let title = list.title { Markup.element("h3") { title } }
            table(list.deliveries, list.caption + figures.suffix(group))
        }
    }

    private var introduction: [String] {
        guard !deliveries.isEmpty else { return [] }
        let named = deliveries.count(where: \.isInFile)
        let sent = deliveries.count { $0.sent != nil }
        let count =
            Text.plural(deliveries.count, of: "delivery", irregular: "deliveries")
            + " had messages or were sent in this period"
        let names =
            named == 0
            ? "; no delivery file names \(deliveries.count == 1 ? "it" : "them")."
            : "; a delivery file names \(NumberText.exact(named))"
                + (sent == 0
                    ? ", and does not say how many were sent."
                    : ", and of \(NumberText.exact(sent)) that began in the period it says how many were sent.")
        var lines = [count + names]
        if ranking.ranked == 0 {
            lines.append("None is of \(NumberText.exact(ranking.minimum)) messages, so none is ranked.")
        } else {
            lines.append(
                "Ranked by \(ranking.rateName): \(NumberText.exact(ranking.ranked)) of \(NumberText.exact(ranking.minimum)) "
                    + "\(ranking.isOfSent ? "sent or messages" : "messages") or more"
                    + (ranking.lists.count > 1 ? "; \(DeliveryRanking.length) are listed at most." : "."))
        }
        let marks = Set(deliveries.map(mark))
        let explained: [(mark: String, text: String)] = [
            ("*", "The log date is missing or not complete, so part of the messages may not be known. It has no rank."),
            ("‡", "It failed: hardly any of what was sent became known. It has no rank."),
            ("°", "Fewer than \(DayTable.maturity) later log dates are loaded, so opens are still coming in."),
        ]
        return lines + explained.filter { marks.contains($0.mark) }.map { "\($0.mark) \($0.text)" }
    }

    /// What is to be known of a delivery before it is compared with others.
    private func mark(_ delivery: DeliveryResult) -> String {
        if delivery.isFailed { return "‡" }
        guard delivery.isWithCompleteLogs else { return "*" }
        return delivery.firstDay.map { figures.table.isMature($0) } ?? true ? "" : "°"
    }

    private func name(_ delivery: DeliveryResult) -> Markup {
        guard let label = delivery.label else { return .element("code") { Markup.data(delivery.id) } }
        var name = Markup.name(label)
        name.append(Markup(text: " "))
        name.append(.element("code", ["class": "id"]) { Markup.data(delivery.id) })
        return name
    }

    private func table(_ deliveries: [DeliveryResult], _ caption: String) -> Markup {
        // The same scale in both lists.
        let highest = ranking.listed.compactMap(ranking.rate).max() ?? 0
        func have<Value>(_ value: (DeliveryResult) -> Value?) -> Bool { deliveries.contains { value($0) != nil } }
        return DataTable(
            caption, of: deliveries,
            [
                .markup("delivery", name),
                .markup(ranking.rateName, isText: false) { ranking.rate($0).map { bar($0, highest) } ?? .nothing },
                .markup("campaign", if: have(\.campaign)) { $0.campaign.map(figures.link) ?? .nothing },
                .markup("variant", if: have(\.variant)) { $0.variant.map(Markup.name) ?? .nothing },
                .text("day", if: have(\.day)) { delivery in
                    delivery.day.map { DateText.long($0) + mark(delivery) } ?? ""
                },
                .count("opened") { $0.counts.opened }, .count("sent") { $0.sent },
                .count("messages") { $0.counts.messages }, .count("clicked") { $0.counts.clicked },
            ]
        ).begun()
    }

    /// A rate with a bar behind it.
    private func bar(_ rate: Double, _ highest: Double) -> Markup {
        let share = highest > 0 ? NumberText.decimal(rate / highest * 100, places: 0) : "0"
        return .element("span", ["class": "rate", "style": "--share:\(share)%"]) { NumberText.percent(rate) }
    }
}

extension ReportFigures {
    /// The name of a campaign, in an archive with a link to its page.
    func link(_ campaign: String) -> Markup {
        guard let place, place.subject == nil else { return .name(campaign) }
        return .element("a", ["href": place.path(to: ArchivedPage.campaign(campaign).path)]) { Markup.name(campaign) }
    }
}

/// The campaigns of a group against the other period.
private struct CampaignList {
    /// The lines of the chart. More would cover one another.
    private static let lines = 10
    /// Fewer messages in one of the periods make no line.
    private static let least = 100

    let figures: ReportFigures
    let group: DeliveryGroup?
    private let campaigns: [CampaignResult]

    init(figures: ReportFigures, group: DeliveryGroup?) {
        (self.figures, self.group) = (figures, group)
        campaigns = CampaignResult.all(
            figures.now.deliveries(of: group), before: figures.before?.deliveries(of: group) ?? [])
    }

    @Markup.Builder var markup: Markup {
        if !campaigns.isEmpty {
            Markup.element("h3") { "Campaigns" }
            list
            for note in notes { Markup.paragraph(note, style: "note") }
        }
    }

    /// Those that are large enough in both periods, by the change of their rate.
    private var comparable: [CampaignResult] {
        campaigns.filter {
            min($0.comparedCounts.messages, $0.formerCounts.messages) >= CampaignList.least
        }.sorted { (abs($1.change ?? 0), $0.name) < (abs($0.change ?? 0), $1.name) }
    }

    @Markup.Builder private var list: Markup {
        let comparable = comparable
        if comparable.isEmpty {
            table.begun()
        } else {
            let items = comparable.prefix(CampaignList.lines).map { campaign in
                (
                    name: campaign.name, before: campaign.formerCounts.openRate ?? 0,
                    now: campaign.comparedCounts.openRate ?? 0
                )
            }
            let change = NumberText.points(from: items[0].before, to: items[0].now)
            SlopeChart(beforeName: figures.comparedColumn, nowName: "this period", items: items).figure(
                "campaigns-chart-\(group?.rawValue ?? "all")",
                "Opened of messages by campaign, \(figures.comparedColumn) and in this period\(figures.suffix(group))",
                summary: "The largest change is \(change), of \(items[0].name).", width: 760, note: slopeNote,
                table: table)
        }
    }

    private var notes: [String] {
        let left = campaigns.reduce(0) { $0 + $1.left }
        return [
            campaigns.contains(where: isMarked)
                ? "† Of those of its deliveries that began in this period and whose file says how many were sent."
                : nil,
            left > 0
                ? "\(Text.plural(left, of: "delivery", irregular: "deliveries")) \(left == 1 ? "is" : "are") left out of these figures: "
                    + "they failed, or the log date is missing or not complete." : nil,
        ].compactMap(\.self)
    }

    /// Whether `sent` is that of some of its deliveries.
    private func isMarked(_ campaign: CampaignResult) -> Bool {
        campaign.sent != nil && campaign.begun.count < campaign.deliveries.count
    }

    private var slopeNote: String {
        "Opened of messages of the campaigns that changed most, at most \(CampaignList.lines); dashed lines fall. Sent is not "
            + "known for part of a delivery, so messages are the base."
    }

    private var table: DataTable {
        let isCompared = figures.isCompared
        return DataTable(
            "campaigns\(figures.name(of: group) == "campaigns" ? "" : figures.suffix(group))", of: campaigns,
            [
                .markup("campaign") { figures.link($0.name) },
                .count("deliveries") { $0.deliveries.count },
                .count("left out", if: campaigns.contains { $0.left > 0 }) { $0.left },
                .number("sent") { campaign in
                    campaign.sent.map { NumberText.exact($0) + (isMarked(campaign) ? "†" : "") } ?? NumberText.none
                },
                .rate("opened of sent") { $0.openRateOfSent },
                .count("messages") { $0.counts.messages },
                .count("opened") { $0.counts.opened },
                .rate("of messages") { $0.counts.openRate },
                .count("messages \(figures.comparedColumn)", if: isCompared) { $0.formerCounts.messages },
                .rate("of messages then", if: isCompared) { $0.formerCounts.openRate },
                .number("change", if: isCompared) {
                    NumberText.points(from: $0.formerCounts.openRate, to: $0.comparedCounts.openRate)
                },
            ])
    }
}
