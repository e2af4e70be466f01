import Calendar

/// Which days of a period are named on an axis.
struct DayAxis {
    let days: [LogDate]

    /// The days with a label, by their index.
    func labels(width: Double) -> [(index: Int, text: String)] {
        guard days.count > 1 else { return days.first.map { [(0, DateText.short($0))] } ?? [] }
        let most = max(2, Int(width / 76))
        let steps = [1, 2, 7, 14, 28, 56, 91, 182, 364, 728, 1456]
        let step = steps.first { (days.count - 1) / $0 + 1 <= most } ?? days.count
        let isLong = days.count > 330
        return stride(from: 0, to: days.count, by: step).map { index in
            (index, isLong ? DateText.month(days[index]) : DateText.short(days[index]))
        }
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
