import Calendar
import Messages

extension PageSection {
    /// The best and the worst deliveries, and the campaigns against the other period.
    static func deliveries(of figures: ReportFigures) -> PageSection {
        let nothing = figures.now.deliveries.isEmpty ? "No delivery had a message in this period." : nil
        return PageSection("deliveries", title: "Deliveries", nothing: nothing) {
            figures.apart { group in
                DeliveryList(of: group).markup
                CampaignList(of: group).markup
            }
        }
    }
}

/// Deliveries by their rate of opens.
private struct DeliveryList {
    private let group: GroupFigures
    private let deliveries: [DeliveryResult]
    private let ranking: DeliveryRanking

    init(of group: GroupFigures) {
        self.group = group
        deliveries = group.deliveries
        ranking = DeliveryRanking(deliveries)
    }

    @Markup.Builder var markup: Markup {
        for line in introduction { Markup.paragraph(line) }
        for list in ranking.lists {
            if let title = list.title { Markup.element("h3") { title } }
            table(of: list.deliveries, caption: list.caption + group.suffix).begun()
        }
    }

    private static let later = " Deliveries that began in it count as a whole, also with what came after it."

    private var introduction: [String] {
        guard !deliveries.isEmpty else { return [] }
        let named = deliveries.count(where: \.isInFile)
        let sent = deliveries.count { $0.sent != nil }
        let names =
            named == 0
            ? "no delivery file names \(deliveries.count == 1 ? "it" : "them")"
            : "a delivery file names \(NumberText.exact(named))"
                + (sent == 0
                    ? ", and does not say how many were sent"
                    : ", and of \(NumberText.exact(sent)) that began in the period it says how many were sent")
        let marks = Set(deliveries.map { $0.mark(in: group.figures.table) })
        return [
            "\(NumberText.deliveries(deliveries.count)) had messages or were sent in this "
                + "period; \(names).\(deliveries.contains(where: \.hasLaterCounts) ? DeliveryList.later : "")",
            ranking.ranked == 0
                ? "None is of \(NumberText.exact(ranking.minimum)) messages, so none is ranked."
                : "Ranked by \(ranking.rateName): \(NumberText.exact(ranking.ranked)) of "
                    + "\(NumberText.exact(ranking.minimum)) \(ranking.isOfSent ? "sent or messages" : "messages") or more"
                    + (ranking.lists.count > 1 ? "; \(DeliveryRanking.length) are listed at most." : "."),
        ] + DeliveryMark.allCases.filter(marks.contains).map { "\($0.rawValue) \($0.meaning)" }
    }

    private func table(of deliveries: [DeliveryResult], caption: String) -> DataTable {
        // Both lists use the same scale.
        let highest = ranking.listed.compactMap(ranking.rate).max() ?? 0
        func have<Value>(_ value: (DeliveryResult) -> Value?) -> Bool { deliveries.contains { value($0) != nil } }
        return DataTable(
            caption, of: deliveries,
            columns: [
                .markup("delivery") { $0.shownName },
                .markup(ranking.rateName, isText: false) { ranking.rate($0).map { bar(of: $0, highest: highest) } },
                .markup("campaign", if: have(\.campaign)) { $0.campaign.map(group.figures.link(to:)) },
                .markup("variant", if: have(\.variant)) { $0.variant.map(Markup.name) },
                .text("day", if: have(\.beginDay)) { $0.dayText(marked: $0.mark(in: group.figures.table)) },
                .count("opened") { $0.ownCounts[.opened] }, .count("sent") { $0.sent },
                .count("messages") { $0.ownCounts[.messages] }, .count("clicked") { $0.ownCounts[.clicked] },
            ])
    }

    /// A rate, with a bar in the background.
    private func bar(of rate: Double, highest: Double) -> Markup {
        let share = highest > 0 ? NumberText.decimal(rate / highest * 100, places: 0) : "0"
        return .element("span", with: ["class": "rate", "style": "--share:\(share)%"]) { NumberText.percent(rate) }
    }
}

/// A mark on a delivery, with its explanation: the delivery cannot be compared as others can.
enum DeliveryMark: String, CaseIterable {
    case partly = "*"
    case failed = "‡"
    case growing = "°"

    fileprivate var meaning: String {
        switch self {
        case .partly:
            "The log date is missing or not complete, so part of the messages may not be known. It has no rank."
        case .failed: "It failed: hardly any of what was sent became known. It has no rank."
        case .growing: "Fewer than \(DayTable.maturity) later log dates are loaded, so opens are still coming in."
        }
    }
}

extension DeliveryResult {
    /// The mark of a delivery that failed or is only partly known.
    var mark: DeliveryMark? { isFailed ? .failed : isWithCompleteLogs ? nil : .partly }

    /// The mark, also of a delivery that still grows.
    fileprivate func mark(in table: DayTable) -> DeliveryMark? {
        mark ?? (beginDay.map { table.isMature($0) } ?? true ? nil : .growing)
    }

    /// The day with its mark: `27 Nov 2026‡`.
    func dayText(marked mark: DeliveryMark?) -> String? { beginDay.map { DateText.long($0) + (mark?.rawValue ?? "") } }

    /// The label and the id.
    fileprivate var shownName: Markup {
        guard let label else { return .element("code") { Markup.data(id) } }
        var name = Markup.name(label)
        name.append(Markup(" "))
        name.append(.element("code", with: ["class": "id"]) { Markup.data(id) })
        return name
    }
}

extension ReportFigures {
    /// The name of a campaign, in an archive with a link to its page.
    fileprivate func link(to campaign: String) -> Markup {
        guard let place, place.subject == nil else { return .name(campaign) }
        return .element("a", with: ["href": place.path(to: ArchivedPage.campaign(campaign).path)]) {
            Markup.name(campaign)
        }
    }
}

/// The campaigns of a group, compared with the other period.
private struct CampaignList {
    /// The lines of the chart. More would cover one another.
    private static let lines = 10
    /// Fewer messages in one of the periods make no line.
    private static let least = 100

    private let group: GroupFigures
    private let campaigns: [CampaignResult]
    /// The campaigns that are large enough in both periods, sorted by the change of their rate.
    private let comparable: [CampaignResult]

    private var figures: ReportFigures { group.figures }

    init(of group: GroupFigures) {
        self.group = group
        campaigns = CampaignResult.all(of: group.deliveries, before: group.formerDeliveries)
        comparable = campaigns.filter {
            min($0.comparedCounts[.messages], $0.formerCounts[.messages]) >= CampaignList.least
        }.sorted { (abs($1.change ?? 0), $0.name) < (abs($0.change ?? 0), $1.name) }
    }

    @Markup.Builder var markup: Markup {
        if !campaigns.isEmpty {
            Markup.element("h3") { "Campaigns" }
            if comparable.isEmpty { table.begun() } else { figure }
            for note in notes { Markup.paragraph(note, style: "note") }
        }
    }

    private var figure: Figure {
        let items = comparable.prefix(CampaignList.lines).map { campaign in
            (
                name: campaign.name, before: campaign.formerCounts.openRate ?? 0,
                now: campaign.comparedCounts.openRate ?? 0
            )
        }
        let change = NumberText.points(from: items[0].before, to: items[0].now)
        return Figure(
            id: group.id("campaigns-chart"),
            title: "Opened of messages by campaign, \(figures.comparedColumn) and in this period\(group.suffix)",
            summary: "The largest change is \(change), of \(items[0].name).",
            note:
                "Opened of messages of the campaigns that changed most, at most \(CampaignList.lines); dashed lines fall. "
                + "Sent is not known for part of a delivery, so messages are the base.", width: 760,
            chart: SlopeChart(beforeName: figures.comparedColumn, nowName: "this period", items: items), table: table)
    }

    private var notes: [String] {
        let left = campaigns.reduce(0) { $0 + $1.left }
        return [
            campaigns.contains(where: isMarked)
                ? "† Of those of its deliveries that began in this period and of which it is known how many were sent, "
                    + "also with what came after it."
                : nil,
            left > 0
                ? "\(NumberText.deliveries(left)) \(left == 1 ? "is" : "are") left out of these figures: "
                    + "they failed, or the log date is missing or not complete." : nil,
            figures.comparedNote,
        ].compactMap(\.self)
    }

    /// Whether `sent`, and the rate of it, are not of the same deliveries and days as the messages beside them.
    private func isMarked(_ campaign: CampaignResult) -> Bool {
        campaign.sent != nil
            && (campaign.begun.count < campaign.deliveries.count || campaign.begun.contains(where: \.hasLaterCounts))
    }

    private var table: DataTable {
        DataTable(
            "campaigns\(group.name == "campaigns" ? "" : group.suffix)", of: campaigns,
            columns: [
                .markup("campaign") { figures.link(to: $0.name) },
                .count("deliveries") { $0.deliveries.count },
                .count("left out", if: campaigns.contains { $0.left > 0 }) { $0.left },
                .number("sent") { campaign in
                    campaign.sent.map { NumberText.exact($0) + (isMarked(campaign) ? "†" : "") }
                },
                .rate("opened of sent") { $0.openRateOfSent },
                .count("messages") { $0.counts[.messages] },
                .count("opened") { $0.counts[.opened] },
                .rate("of messages") { $0.counts.openRate },
            ]
                + DataTable.Column.former(
                    count: "messages \(figures.comparedColumn)", rate: "of messages then", if: figures.isCompared
                ) { ($0.formerCounts[.messages], $0.formerCounts.openRate, $0.comparedCounts.openRate) })
    }
}
