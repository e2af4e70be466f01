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
            Markup.element("dl", ["class": "cards", "style": "--columns:\(headlines.count)"]) {
                for headline in headlines { card(headline) }
            }
            if let sentNote { Markup.paragraph(sentNote, style: "note") }
            if figures.isProvisional {
                Markup.paragraph("Provisional: late hits can still add to these figures.", style: "note")
            }
            table.folded()
        }
    }

    private func card(_ headline: HeadlineFigure) -> Markup {
        .element("div", ["class": "card"]) {
            Markup.element("dt") { headline.name }
            Markup.element("dd", ["class": "big"]) { headline.value?.rounded ?? NumberText.none }
            if let detail = headline.detail { Markup.element("dd") { detail } }
            if let former = headline.formerValue {
                Markup.element("dd", ["class": "change"]) {
                    Markup.element("b") { headline.change }
                    " " + figures.base(of: former.rounded)
                }
            } else if figures.before != nil {
                Markup.element("dd", ["class": "change"]) { "not comparable" }
            }
        }
    }

    /// Which deliveries what was sent is known of.
    private var sentNote: String? {
        let deliveries = figures.now.deliveries
        let sent = figures.now.sent(on: figures.period.days)
        guard !sent.isEmpty else { return nil }
        let delivered = sent.filter { $0.delivered != nil }.count
        return "Sent is that of the \(NumberText.exact(sent.count)) of "
            + "\(Text.plural(deliveries.count, "delivery", "deliveries")) that began in this period and whose file "
            + "says it\(delivered > 0 && delivered < sent.count ? "; delivered is that of \(NumberText.exact(delivered))" : "")."
            + " Opened of sent is of these."
    }

    private var table: DataTable {
        let isCompared = figures.before != nil
        let (days, all) = (figures.comparableDays.count, figures.period.count)
        let isPartly = isCompared && days < all
        return DataTable(
            "headline figures, exact", of: headlines,
            [
                .text("figure") { $0.name },
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
        _ name: String, _ figures: ReportFigures, detail: String? = nil,
        _ value: (PeriodFigures, _ days: [LogDate], _ isCompared: Bool) -> Value?
    ) {
        let comparedDays = figures.comparableDays
        let before = comparedDays.isEmpty ? nil : figures.before
        self.name = name
        self.detail = detail
        self.value = value(figures.now, figures.period.days, false)
        comparedValue = before == nil ? nil : value(figures.now, comparedDays, true)
        formerValue = before.flatMap { value($0, figures.counterparts(comparedDays), true) }
    }

    /// The figures of the first screen, at most six: those about what was sent only where that is known.
    static func all(_ figures: ReportFigures) -> [HeadlineFigure] {
        func ofSent(
            _ name: String, _ value: (_ deliveries: [DeliveryResult], _ isCompared: Bool) -> Value?
        ) -> [HeadlineFigure] {
            [HeadlineFigure(name, figures) { value($0.sent(on: $1, $2), $2) }].filter { $0.value != nil }
        }
        func ofAll(_ name: String, detail: String? = nil, _ value: (Totals) -> Value) -> [HeadlineFigure] {
            [HeadlineFigure(name, figures, detail: detail) { period, days, _ in value(period.sum(days)) }]
        }
        return ofSent("Sent") { deliveries, _ in deliveries.compactMap(\.sent).knownSum.map { Value(count: $0) } }
            + ofSent("Delivered") { deliveries, _ in
                deliveries.compactMap(\.delivered).knownSum.map { Value(count: $0) }
            }
            + ofAll("Messages", detail: "known from any log") { Value(count: $0[.messages]) }
            + ofAll("Opened") { Value(count: $0[.opened]) }
            + ofSent("Opened of sent") { deliveries, isCompared in
                let opened = deliveries.reduce(0) { $0 + (isCompared ? $1.comparedCounts : $1.counts).opened }
                return deliveries.compactMap(\.sent).knownSum.map { Value(count: opened, whole: $0) }
            } + ofAll("Opened of messages") { Value(count: $0[.opened], whole: $0[.messages]) }
    }
}
