import Calendar
import Messages

/// The best and the worst deliveries, and the campaigns against the other period.
struct DeliverySection {
    /// The lines of the chart. More would cover one another.
    private static let lines = 10

    let figures: ReportFigures
    private let ranking: DeliveryRanking
    private let campaigns: [CampaignResult]

    init(figures: ReportFigures) {
        self.figures = figures
        ranking = DeliveryRanking(figures.now.deliveries)
        campaigns = CampaignResult.all(figures.now.deliveries, before: figures.before?.deliveries ?? [])
    }

    private var deliveries: [DeliveryResult] { figures.now.deliveries }
    private var rateName: String { ranking.isOfSent ? "opened of sent" : "opened of messages" }

    var markup: Markup {
        .section("deliveries", "Deliveries") {
            for line in introduction { Markup.paragraph(line) }
            for list in ranking.lists {
                if let title = list.title { Markup.element("h3") { title } }
                table(list.deliveries, list.caption)
            }
            if !campaigns.isEmpty {
                Markup.element("h3") { "Campaigns" }
                campaignList
            }
        }
    }

    private var introduction: [String] {
        guard !deliveries.isEmpty else { return ["No delivery had a message in this period."] }
        let named = deliveries.filter(\.isInFile).count
        let sent = deliveries.filter { $0.sent != nil }.count
        let count =
            Text.plural(deliveries.count, "delivery", "deliveries") + " had messages or were sent in this period"
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
                "Ranked by \(rateName): \(NumberText.exact(ranking.ranked)) of \(NumberText.exact(ranking.minimum)) "
                    + "\(ranking.isOfSent ? "sent or messages" : "messages") or more"
                    + (ranking.lists.count > 1 ? "; \(DeliveryRanking.length) are listed at most." : "."))
        }
        let marks = ranking.listed.map(mark)
        if marks.contains("*") {
            lines.append("* The log date is missing or partial, so part of the messages may not be known.")
        }
        if marks.contains("°") {
            lines.append("° Fewer than \(DayTable.maturity) later log dates are loaded, so opens are still coming in.")
        }
        return lines
    }

    /// What is to be known of a delivery before it is compared with others.
    private func mark(_ delivery: DeliveryResult) -> String {
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
        let table = DataTable(
            caption, of: deliveries,
            [
                .markup("delivery", name),
                .markup(rateName, isText: false) { ranking.rate($0).map { bar($0, highest) } ?? .nothing },
                .markup("campaign", if: have(\.campaign)) { $0.campaign.map(Markup.name) ?? .nothing },
                .markup("variant", if: have(\.variant)) { $0.variant.map(Markup.name) ?? .nothing },
                .text("day", if: have(\.day)) { delivery in
                    delivery.day.map { DateText.long($0) + mark(delivery) } ?? ""
                },
                .count("opened") { $0.counts.opened }, .count("sent") { $0.sent },
                .count("messages") { $0.counts.messages }, .count("clicked") { $0.counts.clicked },
            ])
        return table.begun()
    }

    /// A rate with a bar behind it.
    private func bar(_ rate: Double, _ highest: Double) -> Markup {
        let share = highest > 0 ? NumberText.decimal(rate / highest * 100, places: 0) : "0"
        return .element("span", ["class": "rate", "style": "--share:\(share)%"]) { NumberText.percent(rate) }
    }

    // MARK: Campaigns

    /// Those that are large enough in both periods, by the change of their rate.
    private var comparable: [CampaignResult] {
        campaigns.filter {
            $0.comparedCounts.messages >= ranking.minimum && $0.formerCounts.messages >= ranking.minimum
        }.sorted { (abs($1.change ?? 0), $0.name) < (abs($0.change ?? 0), $1.name) }
    }

    @Markup.Builder private var campaignList: Markup {
        let comparable = comparable
        if comparable.isEmpty {
            campaignTable.begun()
        } else {
            let items = comparable.prefix(DeliverySection.lines).map { campaign in
                (
                    name: campaign.name, before: campaign.formerCounts.openRate ?? 0,
                    now: campaign.comparedCounts.openRate ?? 0
                )
            }
            let change = NumberText.points(from: items[0].before, to: items[0].now)
            SlopeChart(beforeName: figures.comparedColumn, nowName: "this period", items: items).figure(
                "campaigns-chart", "Opened of messages by campaign, \(figures.comparedColumn) and in this period",
                summary: "The largest change is \(change), of \(items[0].name).", width: 760, note: slopeNote,
                table: campaignTable)
        }
        if campaigns.contains(where: isMarked) {
            Markup.paragraph(
                "† Of those of its deliveries that began in this period and whose file says how many were sent.",
                style: "note")
        }
    }

    /// Whether `sent` is that of some of its deliveries.
    private func isMarked(_ campaign: CampaignResult) -> Bool {
        campaign.sent != nil && campaign.begun.count < campaign.deliveries.count
    }

    private var slopeNote: String {
        "Opened of messages of the campaigns that changed most, at most \(DeliverySection.lines); dashed lines fall. Sent is not "
            + "known for part of a delivery, so messages are the base."
    }

    private var campaignTable: DataTable {
        let isCompared = figures.isCompared
        return DataTable(
            "campaigns", of: campaigns,
            [
                .markup("campaign") { Markup.name($0.name) },
                .count("deliveries") { $0.deliveries.count },
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

/// The best and the worst deliveries.
///
/// The rate is opened of sent if more than half of the deliveries that are large enough have one, else opened of messages.
/// Large enough are deliveries of 1,000, sent or messages; if fewer than ten have so many, of 100. Otherwise the lists would
/// be led by deliveries with a handful of messages.
struct DeliveryRanking {
    /// The length of each list.
    static let length = 20
    /// From so many deliveries on there are two lists.
    private static let split = 40
    private static let minimums = (usual: 1000, low: 100, enough: 10)

    let minimum: Int
    let isOfSent: Bool
    /// Deliveries that are large enough, and have the rate.
    let ranked: Int
    /// One list of all deliveries, the best first and those without a rank last. If they are too many for it: the best and the worst.
    let lists: [(title: String?, caption: String, deliveries: [DeliveryResult])]

    var listed: [DeliveryResult] { lists.flatMap(\.deliveries) }

    init(_ deliveries: [DeliveryResult]) {
        let (usual, low, enough) = DeliveryRanking.minimums
        let minimum = deliveries.filter { $0.size >= usual }.count >= enough ? usual : low
        let eligible = deliveries.filter { $0.size >= minimum }
        let isOfSent = eligible.filter { $0.openRateOfSent != nil }.count * 2 > eligible.count
        let rated = eligible.compactMap { delivery in
            (isOfSent ? delivery.openRateOfSent : delivery.counts.openRate).map { (rate: $0, delivery: delivery) }
        }
        // Of deliveries that nobody opened, the largest that is hardly known at all is the worst.
        let down = rated.sorted {
            ($1.rate, $1.delivery.knownRate ?? 1, $0.delivery.size, $0.delivery.id)
                < ($0.rate, $0.delivery.knownRate ?? 1, $1.delivery.size, $1.delivery.id)
        }.map(\.delivery)
        self.minimum = minimum
        self.isOfSent = isOfSent
        ranked = down.count
        guard deliveries.count >= DeliveryRanking.split else {
            let ids = Set(down.map(\.id))
            let others = deliveries.filter { !ids.contains($0.id) }.sorted { ($1.size, $0.id) < ($0.size, $1.id) }
            lists = deliveries.isEmpty ? [] : [(nil, "all deliveries", down + others)]
            return
        }
        // No delivery is in both lists.
        let best = down.prefix(min(DeliveryRanking.length, (down.count + 1) / 2))
        let worst = down.suffix(min(DeliveryRanking.length, down.count / 2)).reversed()
        lists =
            best.isEmpty
            ? []
            : [
                ("Best", "deliveries with the highest rate of opens", Array(best)),
                ("Worst", "deliveries with the lowest rate of opens", Array(worst)),
            ]
    }

    /// Nil for a delivery without a rank.
    func rate(_ delivery: DeliveryResult) -> Double? {
        delivery.size < minimum ? nil : isOfSent ? delivery.openRateOfSent : delivery.counts.openRate
    }
}

/// A campaign: the deliveries of which a delivery file says that they belong to it.
struct CampaignResult {
    let name: String
    let deliveries: [DeliveryResult]
    let counts: DeliveryResult.Counts
    /// On the days that are compared, and on their counterparts.
    let comparedCounts: DeliveryResult.Counts
    let formerCounts: DeliveryResult.Counts

    private init(_ name: String, _ deliveries: [DeliveryResult], before: [DeliveryResult]) {
        (self.name, self.deliveries) = (name, deliveries)
        counts = .sum(deliveries.map(\.counts))
        comparedCounts = .sum(deliveries.map(\.comparedCounts))
        formerCounts = .sum(before.map(\.comparedCounts))
    }

    /// The campaigns of the period, the largest first.
    static func all(_ deliveries: [DeliveryResult], before: [DeliveryResult]) -> [CampaignResult] {
        let former = Dictionary(grouping: before, by: \.campaign)
        return Dictionary(grouping: deliveries, by: \.campaign).compactMap { name, deliveries in
            name.map { CampaignResult($0, deliveries, before: former[$0] ?? []) }
        }.sorted { ($1.counts.messages, $0.name) < ($0.counts.messages, $1.name) }
    }

    /// Its deliveries that began in the period and say how many were sent.
    var begun: [DeliveryResult] { deliveries.filter { $0.sent != nil } }

    /// What was sent of these.
    var sent: Int? { begun.compactMap(\.sent).knownSum }

    /// Opened of sent, where that is known.
    var openRateOfSent: Double? {
        let opened = begun.reduce(0) { $0 + $1.counts.opened }
        return sent.flatMap { Proportion(part: opened, whole: $0).rate }
    }

    /// Of opened of messages; nil if one of the periods has no messages.
    var change: Double? {
        comparedCounts.openRate.flatMap { now in formerCounts.openRate.map { now - $0 } }
    }
}
