import Calendar
import Counting
import SQLite

/// What the sections of a page share: the figures, and how the periods are called.
struct PageContext {
    /// For figures that only one section shows.
    let database: Database
    let figures: ReportFigures
    /// The place in an archive; nil for a page that stands alone. A page in an archive tells nothing of days that others are
    /// about, so that a new log date changes no page but those that it has figures for.
    let place: ArchivedPeriod?
    /// `4 weeks earlier`; nil if nothing is compared.
    let comparedName: String?
    let headlines: [HeadlineFigure]
    let findings: Findings

    init(_ figures: ReportFigures, _ request: ReportRequest, in database: Database) {
        self.database = database
        self.figures = figures
        place = request.place
        comparedName = request.comparison.weeks(for: figures.period).map {
            $0 == 1 ? "a week earlier" : "\(NumberText.exact($0)) weeks earlier"
        }
        headlines = HeadlineFigure.all(figures)
        findings = Findings(figures: figures, comparedName: comparedName)
    }

    var period: ReportPeriod { figures.period }

    /// The heading of a column with figures of the compared period.
    var comparedColumn: String { comparedName ?? "before" }

    /// What the change of a headline starts from. Beside a count of more days, the former count would mislead.
    func base(of former: HeadlineFigure.Value) -> String {
        let days = figures.comparableDays.count
        return days < period.count
            ? "on \(NumberText.exact(days)) of \(NumberText.plural(period.count, "day"))" : "from \(former.rounded)"
    }

    /// What is to be known about the figures of a day: `partial`, `not loaded`, `provisional` or `final`.
    func state(_ day: LogDate) -> String {
        let table = figures.table
        if !table.isComplete(day) { return table.isLoaded(day) ? "partial" : "not loaded" }
        guard table.days[day] != nil else { return "no events" }
        return table.isFinal(day) ? "final" : "provisional"
    }

    /// Whether a day of the period, or of those compared, still grows.
    var isProvisional: Bool {
        (period.days + (figures.before?.period.days ?? [])).contains {
            figures.table.days[$0] != nil && !figures.table.isFinal($0)
        }
    }

    /// The days whose figures still grow most, by their place in the period.
    var growing: Set<Int> {
        Set(period.days.indices.filter { !figures.table.isMature(period.days[$0]) })
    }
}

/// A figure of the first screen, with its change.
struct HeadlineFigure {
    /// A count, or a rate.
    enum Value {
        case count(Int)
        case rate(Proportion)

        var rounded: String {
            switch self {
            case .count(let count): NumberText.rounded(count)
            case .rate(let proportion): NumberText.percent(proportion.rate)
            }
        }

        var exact: String {
            switch self {
            case .count(let count): NumberText.exact(count)
            case .rate(let proportion): NumberText.percent(proportion.rate)
            }
        }

        /// How it changed, from a value of the same kind.
        func change(from former: Value) -> String {
            switch (former, self) {
            case (.count(let former), .count(let now)): NumberText.change(from: former, to: now)
            case (.rate(let former), .rate(let now)): NumberText.points(from: former.rate, to: now.rate)
            default: NumberText.none
            }
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
        /// Nil for no counts at all, and for more than an integer holds: a delivery file may say anything.
        func sum(_ counts: [Int]) -> Int? {
            counts.isEmpty ? nil : counts.reduce(0) { sum, count in sum.flatMap { $0.adding(count) } }
        }
        let sent = HeadlineFigure("Sent", figures) { period, days, isCompared in
            sum(period.sent(on: days, isCompared).compactMap(\.sent)).map { .count($0) }
        }
        let delivered = HeadlineFigure("Delivered", figures) { period, days, isCompared in
            sum(period.sent(on: days, isCompared).compactMap(\.delivered)).map { .count($0) }
        }
        let openedOfSent = HeadlineFigure("Opened of sent", figures) { period, days, isCompared in
            let deliveries = period.sent(on: days, isCompared)
            return sum(deliveries.compactMap(\.sent)).map { sent in
                let opened = deliveries.reduce(0) { $0 + (isCompared ? $1.comparedCounts : $1.counts).opened }
                return .rate(Proportion(part: opened, whole: sent))
            }
        }
        let messages = HeadlineFigure("Messages", figures, detail: "known from any log") { period, days, _ in
            .count(period.sum(days)[.messages])
        }
        let opened = HeadlineFigure("Opened", figures) { period, days, _ in .count(period.sum(days)[.opened]) }
        let rate = HeadlineFigure("Opened of messages", figures) { period, days, _ in
            let sum = period.sum(days)
            return .rate(Proportion(part: sum[.opened], whole: sum[.messages]))
        }
        return [sent, delivered].filter { $0.value != nil } + [messages, opened]
            + [openedOfSent].filter { $0.value != nil } + [rate]
    }
}
