/// Proportions in groups, such as the deliveries of each variant, or the days before a change and after it.
struct ProportionGroups {
    /// Pearson's χ² within the groups, divided by its degrees of freedom, and at least 1. It tells by which factor the
    /// variance within groups exceeds the variance by chance.
    let dispersion: Double
    let degrees: Int

    init(_ groups: [[Proportion]]) {
        let groups = groups.map { $0.filter { $0.whole > 0 } }
        var sum = 0.0
        for group in groups {
            guard let rate = Proportion(adding: group).rate, 0 < rate, rate < 1 else { continue }
            for proportion in group {
                let whole = Double(proportion.whole)
                let difference = Double(proportion.part) - rate * whole
                sum += difference * difference / (whole * rate * (1 - rate))
            }
        }
        degrees = groups.reduce(0) { $0 + max(0, $1.count - 1) }
        dispersion = degrees > 0 ? max(1, sum / Double(degrees)) : 1
    }

    /// The number of standard errors by which a proportion lies above another, if each scatters as these groups do.
    func z(of proportion: Proportion, above other: Proportion) -> Double? {
        proportion.z(above: other).map { $0 / dispersion.squareRoot() }
    }
}
