import Calendar
import Counting

/// A count of the first screen, with its change.
struct HeadlineFigure {
    let name: String
    let column: FunnelColumn
    /// The days that it is counted on.
    let days: [LogDate]
    /// Of these, the ones that are compared with their counterparts.
    let comparedDays: [LogDate]
    private let figures: ReportFigures

    init(_ name: String, _ column: FunnelColumn, _ figures: ReportFigures) {
        self.name = name
        self.column = column
        self.figures = figures
        let isOpenedIn24Hours = column == .opened24h
        days = isOpenedIn24Hours ? figures.matureDays : figures.period.days
        comparedDays = isOpenedIn24Hours ? figures.comparableMatureDays : figures.comparableDays
    }

    /// Whether any of the days has figures. How soon messages were opened is not known without arrivals and impressions.
    var isKnown: Bool {
        guard days.contains(where: figures.table.hasFigures) else { return false }
        let sum = figures.now.sum(days)
        return column != .opened24h || sum[.opened] == 0 || sum[.openedSeen] > 0
    }
    var value: Int { figures.now.sum(days)[column] }
    /// Of the messages of the same days.
    var share: Double? { figures.now.sum(days).rate(column, of: .messages) }
    /// The count on the days that are compared.
    var comparedValue: Int { figures.now.sum(comparedDays)[column] }
    /// The count on their counterparts; nil if there are none.
    var formerValue: Int? {
        guard let before = figures.before, !comparedDays.isEmpty else { return nil }
        return before.sum(figures.counterparts(comparedDays))[column]
    }

    var change: String { formerValue.map { NumberText.change(from: $0, to: comparedValue) } ?? NumberText.none }
}
