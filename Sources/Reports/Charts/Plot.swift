/// The rectangle between the axes.
struct Plot {
    let left, right, top, bottom: Double

    /// - Parameter position: 0 at the lower end, 1 at the upper.
    func y(_ position: Double) -> Double { bottom - (bottom - top) * position }
}

extension Drawing {
    /// A line across the plot at a value of the axis, with its label.
    mutating func rule(at position: Double, named name: String, isBase: Bool, in plot: Plot) {
        let y = plot.y(position)
        line(from: (plot.left, y), to: (plot.right, y), style: isBase ? "base" : "rule")
        text(name, at: (plot.left - 8, y + 4), from: .end, style: "soft")
    }
}
