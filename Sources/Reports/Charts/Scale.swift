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
