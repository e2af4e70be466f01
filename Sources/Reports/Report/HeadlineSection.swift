import Calendar
import Messages

/// The figures that people look at first.
struct HeadlineSection {
    private let figures: ReportFigures
    private let headlines: [HeadlineFigure]

    init(figures: ReportFigures) {
        self.figures = figures
        headlines = HeadlineFigure.all(figures)
    }

    var markup: Markup {
        .section("headline", "In short", style: "untitled") {
            Markup.cards(headlines.map { ($0.name, $0.value?.rounded, $0.detail, change(of: $0)) })
            for note in [comparedNote, sentNote].compactMap(\.self) { Markup.paragraph(note, style: "note") }
            if figures.isProvisional {
                Markup.paragraph("Provisional: late hits can still add to these figures.", style: "note")
            }
            table.folded()
        }
    }

    /// Nil if nothing is compared.
    private func change(of headline: HeadlineFigure) -> Markup? {
        guard figures.before != nil else { return nil }
        guard let former = headline.formerValue else { return Markup(text: "not comparable") }
        var change = Markup.element("b") { headline.change }
        change.append(Markup(text: " " + figures.base(of: former.rounded)))
        return change
    }

    /// Which deliveries what was sent is known of.
    private var sentNote: String? {
        let deliveries = figures.now.deliveries
        let sent = figures.now.sent(on: figures.period.days)
        guard !sent.isEmpty else { return nil }
        let delivered = sent.count { $0.delivered != nil }
        return "Sent is that of the \(NumberText.exact(sent.count)) of "
            + "\(Text.plural(deliveries.count, of: "delivery", irregular: "deliveries")) that began in this period and of which it is known"
            + "\(delivered > 0 && delivered < sent.count ? "; delivered is that of \(NumberText.exact(delivered))" : "")."
            + " Opened of sent is of these."
    }

    /// What the changes compare, where these are not all days.
    private var comparedNote: String? {
        guard let name = figures.comparedName, figures.hasLogDates else { return nil }
        let (comparable, all) = (figures.comparableDays.count, figures.period.count)
        if figures.before == nil || comparable == 0 {
            return "There is nothing to compare with: \(figures.whyNothingIsCompared(name))."
        }
        guard comparable < all else { return nil }
        return "Changes compare \(comparable) of \(all) days: of the others a log date is missing or not complete, in "
            + "this period or \(name)."
    }

    private var table: DataTable {
        let isCompared = figures.before != nil
        let (days, all) = (figures.comparableDays.count, figures.period.count)
        let isPartly = isCompared && days < all
        return DataTable(
            "headline figures, exact", of: headlines,
            [
                .text("figure") { $0.name },
                .text("of", if: figures.groups.count > 1) { $0.group ?? "all" },
                .count("days") { _ in all },
                .number("this period") { $0.value?.exact ?? NumberText.none },
                .count("days compared", if: isPartly) { _ in days },
                .number("on these days", if: isPartly) { $0.comparedValue?.exact ?? NumberText.none },
                .number(figures.comparedColumn, if: isCompared) { $0.formerValue?.exact ?? NumberText.none },
                .number("change", if: isCompared) { $0.change },
            ])
    }
}

/// A figure of the first screen, with its change.
struct HeadlineFigure {
    /// A count, or the rate of a part of a whole.
    struct Value {
        let count: Int
        var whole: Int?

        private var rate: Double? { whole.flatMap { Proportion(part: count, whole: $0).rate } }

        var rounded: String { whole == nil ? NumberText.rounded(count) : NumberText.percent(rate) }
        var exact: String { whole == nil ? NumberText.exact(count) : NumberText.percent(rate) }

        func change(from former: Value) -> String {
            whole == nil
                ? NumberText.change(from: former.count, to: count) : NumberText.points(from: former.rate, to: rate)
        }
    }

    let name: String
    /// What is to be known of the name.
    let detail: String?
    /// The deliveries that it is about, where some stand apart.
    let group: String?
    /// Nil if it is not known.
    let value: Value?
    /// On the compared days.
    let comparedValue: Value?
    /// On their counterparts.
    let formerValue: Value?

    var change: String {
        guard let comparedValue, let formerValue else { return NumberText.none }
        return comparedValue.change(from: formerValue)
    }

    private init(
        _ name: String, _ figures: ReportFigures, detail: String? = nil, of group: DeliveryGroup? = nil,
        _ value: (PeriodFigures, _ days: [LogDate], _ isCompared: Bool) -> Value?
    ) {
        let comparedDays = figures.comparableDays
        let before = comparedDays.isEmpty ? nil : figures.before
        self.name = name
        self.group = figures.name(of: group)
        self.detail = detail ?? self.group
        self.value = value(figures.now, figures.period.days, false)
        comparedValue = before == nil ? nil : value(figures.now, comparedDays, true)
        formerValue = before.flatMap { value($0, figures.counterparts(comparedDays), true) }
    }

    private static let most = 6

    /// The figures of the first screen, at most six: those about what was sent only where that is known. A rate is that of one
    /// group of deliveries.
    static func all(_ figures: ReportFigures) -> [HeadlineFigure] {
        let groups = figures.groups.filter { $0 != .others }
        func ofSent(
            _ name: String, _ value: (_ deliveries: [DeliveryResult], _ isCompared: Bool) -> Value?
        ) -> [HeadlineFigure] {
            groups.map { group in
                HeadlineFigure(name, figures, of: group) { value($0.sent(on: $1, $2, of: group), $2) }
            }.filter { $0.value != nil }
        }
        func ofMessages(
            _ name: String, detail: String? = nil, of group: DeliveryGroup? = nil, _ value: (Totals) -> Value
        ) -> HeadlineFigure {
            HeadlineFigure(name, figures, detail: detail, of: group) { period, days, _ in
                value(period.sum(days, of: group))
            }
        }
        func count(_ deliveries: [DeliveryResult], _ count: (DeliveryResult) -> Int?) -> Value? {
            deliveries.compactMap(count).knownSum.map { Value(count: $0) }
        }
        let ofSentRates = ofSent("Opened of sent") { deliveries, isCompared in
            let opened = deliveries.reduce(0) { $0 + (isCompared ? $1.comparedCounts : $1.counts).opened }
            return deliveries.compactMap(\.sent).knownSum.map { Value(count: opened, whole: $0) }
        }
        let told = Set(ofSentRates.compactMap(\.group))
        let ofMessagesRates = figures.groups.filter { !told.contains(figures.name(of: $0) ?? "") }.map { group in
            ofMessages("Opened of messages", of: group) { Value(count: $0[.opened], whole: $0[.messages]) }
        }
        let sent = ofSent("Sent") { deliveries, _ in count(deliveries, \.sent) }
        let delivered = ofSent("Delivered") { deliveries, _ in count(deliveries, \.delivered) }
        let messages = ofMessages("Messages", detail: "known from any log") { Value(count: $0[.messages]) }
        let opened = ofMessages("Opened") { Value(count: $0[.opened]) }
        let first = sent + [messages] + ofSentRates + ofMessagesRates
        let room = most - first.count
        return Array(
            (sent + (room > delivered.count ? delivered : []) + [messages] + (room > 0 ? [opened] : [])
                + ofSentRates + ofMessagesRates).prefix(most))
    }
}
