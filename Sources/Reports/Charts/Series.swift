struct Series {
    /// The look of a line. Each style has its own colour, dash pattern and marker, so that no two differ by colour
    /// alone. The case's name is the CSS class that sets colour and dash pattern.
    enum Style: CaseIterable {
        case blue, grey, orange, green
    }

    let name: String
    let style: Style
    /// A value for each day or step; nil breaks the line.
    let values: [Double?]
    /// The days or steps that will still grow, drawn as hollow points.
    var growing: Set<Int> = []
    var hasMarkers = false

    /// The width of the legend's entry, without the space between entries.
    var keyWidth: Double { LabelWidth.of(name) + 46 }
}

extension Drawing {
    /// Draws a line, with markers where a point stands alone or `hasMarkers` is set.
    mutating func line(_ series: Series, at place: (_ index: Int, _ value: Double) -> Point) {
        let points = series.values.enumerated().map { index, value in value.map { place(index, $0) } }
        path(through: points, style: "line \(series.style)")
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            let isAlone =
                (index == 0 || points[index - 1] == nil) && (index == points.count - 1 || points[index + 1] == nil)
            if isAlone || series.growing.contains(index) || series.hasMarkers && points.count <= 62 {
                marker(series.style, at: point, isHollow: series.growing.contains(index))
            }
        }
    }

    /// An entry of a legend.
    mutating func key(of series: Series, at point: Point) {
        path(through: [point, (point.x + 24, point.y)], style: "line \(series.style)")
        if series.hasMarkers { marker(series.style, at: (point.x + 12, point.y)) }
        text(series.name, at: (point.x + 30, point.y + 4), style: "name \(series.style)")
    }

    mutating func marker(_ style: Series.Style, at point: Point, isHollow: Bool = false) {
        let size = 3.2
        let name = isHollow ? "marker hollow \(style)" : "marker \(style)"
        func polygon(_ corners: [(x: Double, y: Double)]) {
            self.polygon(corners.map { (point.x + $0.x * size, point.y + $0.y * size) }, style: name)
        }
        switch style {
        case .blue: circle(around: point, radius: size, style: name)
        case .grey: polygon([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        case .orange: polygon([(0, -1.3), (1.2, 1), (-1.2, 1)])
        case .green: polygon([(0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)])
        }
    }
}
