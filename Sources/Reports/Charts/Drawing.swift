/// A drawn chart.
struct Drawing {
    let width: Double
    let height: Double
    let shapes: Markup
}
