import Calendar
import Messages

/// An axis of values with round numbers at its lines.
struct Scale {
    let lower: Double
    let upper: Double
    let ticks: [Double]

    /// The axis begins where the values differ, or at 0 where that is near.
    init(_ values: [Double], lines: Int = 4) {
        var highest = values.max() ?? 0
        var lowest = values.min() ?? 0
        // Values that are close to 0 by their own measure are shown from 0, and so are values that are all alike.
        if lowest < highest * 0.35 || highest - lowest < abs(highest) * 0.001 { lowest = min(0, lowest) }
        if highest == lowest { highest = lowest + 1 }
        let span = highest - lowest
        let step = Scale.roundStep(span / Double(lines))
        let first = (lowest / step).rounded(.down)
        let last = max((highest / step).rounded(.up), first + 1)
        lower = first * step
        upper = last * step
        ticks = (0...Int(last - first)).map { (first + Double($0)) * step }
        assert(lower < upper)
    }

    /// 0 at the lower end, 1 at the upper.
    func position(of value: Double) -> Double { (value - lower) / (upper - lower) }

    private static func roundStep(_ rough: Double) -> Double {
        var power = 1.0
        while power * 10 <= rough { power *= 10 }
        while power > rough { power /= 10 }
        return ([1.0, 2, 2.5, 5].first { $0 * power >= rough * 0.999 } ?? 10) * power
    }
}

/// Which days of a period are named on an axis.
struct DayAxis {
    let days: [LogDate]

    /// The days with a label, by their index.
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

    /// The runs of Saturdays and Sundays, where there are few enough days to see them.
    var weekends: [ClosedRange<Int>] {
        guard days.count <= 62 else { return [] }
        let first = days[0].dayNumber
        return Text.runs(of: days.filter { $0.weekday > 5 }).map {
            ($0.first.dayNumber - first)...($0.last.dayNumber - first)
        }
    }
}

/// Moves labels that would cover one another apart.
enum LabelSpacing {
    /// New positions in the order of the given ones, each at least `distance` from the next, and within the range as far
    /// as they fit. Labels that are too close move up and down alike, so that they stay around their places.
    static func apart(_ positions: [Double], by distance: Double, within range: ClosedRange<Double>) -> [Double] {
        let order = positions.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }
        var moved = positions
        var index = 0
        for group in groups(of: order.map { positions[$0] }, apart: distance) {
            for place in 0..<group.count {
                moved[order[index]] = group.first + Double(place) * distance
                index += 1
            }
        }
        var limit = range.upperBound
        for index in order.reversed() {
            moved[index] = min(moved[index], limit)
            limit = moved[index] - distance
        }
        var next = range.lowerBound
        for index in order {
            moved[index] = max(moved[index], next)
            next = moved[index] + distance
        }
        return moved
    }

    /// Labels that touch one another.
    private struct Group {
        var count: Int
        /// The sum of the places at which each label would have the first one.
        var sum: Double

        var first: Double { sum / Double(count) }
    }

    /// Sorted positions as groups that do not cover one another, each with its labels as near to their places as can be.
    private static func groups(of sorted: [Double], apart distance: Double) -> [Group] {
        assert(zip(sorted, sorted.dropFirst()).allSatisfy { $0 <= $1 })
        var groups: [Group] = []
        for position in sorted {
            var group = Group(count: 1, sum: position)
            while let last = groups.last, last.first + Double(last.count) * distance > group.first {
                groups.removeLast()
                // Seen from the first label of the group before, this group begins `last.count` labels lower.
                group.sum += last.sum - Double(group.count * last.count) * distance
                group.count += last.count
            }
            groups.append(group)
        }
        return groups
    }
}
