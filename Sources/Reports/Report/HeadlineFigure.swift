import Calendar
import Counting

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
    var detail: String?
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
        _ name: String, _ figures: ReportFigures,
        _ value: (PeriodFigures, _ days: [LogDate], _ isCompared: Bool) -> Value?
    ) {
        let comparedDays = figures.comparableDays
        let before = comparedDays.isEmpty ? nil : figures.before
        self.name = name
        self.value = value(figures.now, figures.period.days, false)
        comparedValue = before == nil ? nil : value(figures.now, comparedDays, true)
        formerValue = before.flatMap { value($0, figures.counterparts(comparedDays), true) }
    }

    /// The figures of the first screen, at most six: those about what was sent only where that is known.
    static func all(_ figures: ReportFigures) -> [HeadlineFigure] {
        func count(_ name: String, _ column: FunnelColumn) -> HeadlineFigure {
            HeadlineFigure(name, figures) { period, days, _ in .count(period.sum(days)[column]) }
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
        var messages = count("Messages", .messages)
        messages.detail = "known from any log"
        let rate = HeadlineFigure("Opened of messages", figures) { period, days, _ in
            let sum = period.sum(days)
            return .rate(Proportion(part: sum[.opened], whole: sum[.messages]))
        }
        return [sent, delivered].filter { $0.value != nil } + [messages, count("Opened", .opened)]
            + [openedOfSent].filter { $0.value != nil } + [rate]
    }

    /// Nil for no counts at all, and for more than an integer holds: a delivery file may say anything.
    private static func sum(_ counts: [Int]) -> Int? {
        counts.isEmpty ? nil : counts.reduce(0) { sum, count in sum.flatMap { $0.adding(count) } }
    }
}
