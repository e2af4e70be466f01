import Calendar

/// Which days of a period are named on an axis.
struct DayAxis {
    let days: [LogDate]

    /// The days with a label, by their index.
    func labels(width: Double) -> [(index: Int, text: String)] {
        guard days.count > 1 else { return days.first.map { [(0, DateText.short($0))] } ?? [] }
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

    /// The runs of Saturdays and Sundays, where there are few enough days to see them.
    var weekends: [ClosedRange<Int>] {
        guard days.count <= 62 else { return [] }
        var runs: [ClosedRange<Int>] = []
        for (index, day) in days.enumerated() where day.weekday > 5 {
            if let last = runs.last, last.upperBound == index - 1 {
                runs[runs.count - 1] = last.lowerBound...index
            } else {
                runs.append(index...index)
            }
        }
        return runs
    }
}
