/// A part of a whole, with its statistics.
struct Proportion: Hashable {
    let part: Int
    let whole: Int

    init(part: Int, whole: Int) {
        self.part = part
        self.whole = whole
    }

    /// The proportion of sums.
    init(adding proportions: [Proportion]) {
        self.init(part: proportions.reduce(0) { $0 + $1.part }, whole: proportions.reduce(0) { $0 + $1.whole })
    }

    /// Nil if there is nothing to divide by.
    var rate: Double? { whole > 0 ? Double(part) / Double(whole) : nil }

    /// The 95 % interval of Wilson. Nil if the part is more than the whole.
    var interval: ClosedRange<Double>? {
        guard let rate, part <= whole else { return nil }
        let z = 1.959963984540054
        let count = Double(whole)
        let scale = 1 + z * z / count
        let centre = (rate + z * z / (2 * count)) / scale
        let reach = z / scale * (rate * (1 - rate) / count + z * z / (4 * count * count)).squareRoot()
        return max(0, centre - reach)...min(1, centre + reach)
    }

    /// The number of standard errors by which this proportion lies above another, if both came from the same source:
    /// the pooled z-test of two proportions. Nil if a part exceeds its whole; 0 if both rates are 0 or both are 1.
    func z(above other: Proportion) -> Double? {
        guard let rate, let former = other.rate, part <= whole, other.part <= other.whole else { return nil }
        let pooled = (Double(part) + Double(other.part)) / (Double(whole) + Double(other.whole))
        let error = (pooled * (1 - pooled) * (1 / Double(whole) + 1 / Double(other.whole))).squareRoot()
        return error > 0 ? (rate - former) / error : 0
    }
}
