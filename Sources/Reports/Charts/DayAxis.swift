import Calendar
import Messages

/// Which days of a period are named on an axis.
struct DayAxis {
    let days: [LogDate]

    /// The days with a label. `index` counts from the first day.
    func labels(width: Double) -> [(index: Int, text: String)] {
        let most = max(2, Int(width / 76))
        if days.count > 330 { return months(most) }
        let step = [1, 2, 7, 14, 28, 56, 91, 182].first { (days.count - 1) / $0 + 1 <= most } ?? days.count
        return stride(from: 0, to: days.count, by: step).map { ($0, DateText.short(days[$0])) }
    }

    /// First days of months, as many as fit.
    private func months(_ most: Int) -> [(index: Int, text: String)] {
        let firsts = days.indices.filter { days[$0].day == 1 }
        let step = [1, 2, 3, 6, 12, 24, 48].first { (firsts.count - 1) / $0 + 1 <= most } ?? 120
        return firsts.filter { (days[$0].year * 12 + days[$0].month - 1) % step == 0 }
            .map { ($0, DateText.month(days[$0])) }
    }

    /// The runs of Saturdays and Sundays; empty if there are too many days to tell them apart.
    var weekends: [ClosedRange<Int>] {
        guard days.count <= 62 else { return [] }
        let first = days[0].dayNumber
        return Text.runs(of: days.filter { $0.weekday > 5 }).map {
            ($0.first.dayNumber - first)...($0.last.dayNumber - first)
        }
    }
}
