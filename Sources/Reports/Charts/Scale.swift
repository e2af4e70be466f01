/// An axis with lines at round values.
struct Scale {
    let lower: Double
    let upper: Double
    let ticks: [Double]

    /// The axis begins near the lowest value. It begins at 0 if that is near, or if all values are alike.
    init(_ values: [Double], lines: Int = 4) {
        var highest = values.max() ?? 0
        var lowest = values.min() ?? 0
        // The lowest value counts as near 0 if it is below 35 % of the highest. If the values hardly differ, they are
        // shown from 0 too.
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
