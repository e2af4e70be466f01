import Calendar

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
    /// An explanation of the name.
    let detail: String?
    /// The name of the group of deliveries, if groups are shown separately.
    let group: String?
    /// Nil if it is not known.
    let value: Value?
    /// On the compared days.
    let comparedValue: Value?
    /// The value on the counterparts of the compared days.
    let formerValue: Value?

    var change: String {
        guard let comparedValue, let formerValue else { return NumberText.none }
        return comparedValue.change(from: formerValue)
    }

    /// Whether all days are compared, and the value is another one all the same: that of deliveries also counts what came
    /// after the period.
    let isAtEqualAge: Bool

    /// What the change is from, or on how many days it is; nil without a change.
    func base(in figures: ReportFigures) -> String? {
        formerValue.map { figures.base(of: $0.rounded) + (isAtEqualAge ? " at equal age" : "") }
    }

    /// - Parameter value: computes the value for some days. `isCompared` tells whether it is compared with another
    ///   value.
    private init(
        _ name: String, in group: GroupFigures, detail: String? = nil,
        value: (_ period: PeriodFigures, _ days: [LogDate], _ isCompared: Bool) -> Value?
    ) {
        let figures = group.figures
        let comparedDays = figures.comparableDays
        let before = comparedDays.isEmpty ? nil : figures.before
        self.name = name
        self.group = group.name
        self.detail = detail ?? self.group
        let whole = value(figures.now, figures.period.days, false)
        let compared = before == nil ? nil : value(figures.now, comparedDays, true)
        self.value = whole
        comparedValue = compared
        isAtEqualAge =
            comparedDays == figures.period.days && compared?.whole != nil && compared?.whole == whole?.whole
            && compared?.exact != whole?.exact
        formerValue = before.flatMap { value($0, figures.counterparts(of: comparedDays), true) }
    }

    private static let most = 6

    /// The figures at the top of the page, at most six. Figures about the number sent appear only if it is known. A
    /// rate covers one group of deliveries.
    static func all(of figures: ReportFigures) -> [HeadlineFigure] {
        func ofSent(
            _ name: String, value: (_ deliveries: [DeliveryResult], _ isCompared: Bool) -> Value?
        ) -> [HeadlineFigure] {
            figures.groups.filter { $0.group != .others }.map { group in
                HeadlineFigure(name, in: group) { period, days, isCompared in
                    value(period.sent(on: days, areCompared: isCompared, of: group.group), isCompared)
                }
            }.filter { $0.value != nil }
        }
        func ofMessages(
            _ name: String, in group: GroupFigures, detail: String? = nil, value: (Totals) -> Value
        ) -> HeadlineFigure {
            HeadlineFigure(name, in: group, detail: detail) { period, days, _ in
                value(period.sum(days, in: group.group))
            }
        }
        func count(of deliveries: [DeliveryResult], _ count: (DeliveryResult) -> Int?) -> Value? {
            deliveries.compactMap(count).knownSum.map { Value(count: $0) }
        }
        let ofSentRates = ofSent("Opened of sent") { deliveries, isCompared in
            // Older deliveries have had more time, so a change is of the opens up to the end of each period.
            let opened = deliveries.reduce(0) { $0 + (isCompared ? $1.comparedCounts : $1.ownCounts)[.opened] }
            return deliveries.compactMap(\.sent).knownSum.map { Value(count: opened, whole: $0) }
        }
        let told = Set(ofSentRates.compactMap(\.group))
        let ofMessagesRates = figures.groups.filter { !told.contains($0.name ?? "") }.map { group in
            ofMessages("Opened of messages", in: group) { Value(count: $0[.opened], whole: $0[.messages]) }
        }
        let sent = ofSent("Sent") { deliveries, _ in count(of: deliveries, \.sent) }
        let delivered = ofSent("Delivered") { deliveries, _ in count(of: deliveries, \.delivered) }
        let messages = ofMessages("Messages", in: figures.all, detail: "known from any log") {
            Value(count: $0[.messages])
        }
        let opened = ofMessages("Opened", in: figures.all) { Value(count: $0[.opened]) }
        let first = sent + [messages] + ofSentRates + ofMessagesRates
        let room = most - first.count
        return Array(
            (sent + (room > delivered.count ? delivered : []) + [messages] + (room > 0 ? [opened] : [])
                + ofSentRates + ofMessagesRates).prefix(most))
    }
}
