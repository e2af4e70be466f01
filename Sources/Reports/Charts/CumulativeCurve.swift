/// Which share is reached within which time. The steps of time have equal distances.
struct CumulativeCurve: Chart {
    struct Series {
        let name: String
        let style: SeriesStyle
        /// A share from 0 to 1 for each step; nil ends the line.
        let shares: [Double?]
    }

    let title: String
    let summary: String
    let steps: [String]
    /// The steps that will still grow, drawn as hollow points.
    let growing: Set<Int>
    let series: [Series]

    func drawing(width: Double) -> Drawing {
        let height = 260.0
        let isRoomy = width >= Self.roomyWidth
        let (left, right) = (46.0, width - 22)
        let (top, bottom) = (isRoomy ? 40.0 : 44.0, height - 26)
        func x(_ step: Int) -> Double { left + (right - left) * (Double(step) + 0.5) / Double(steps.count) }
        func y(_ share: Double) -> Double { bottom - (bottom - top) * share }
        var shapes = Markup.nothing
        for share in [0, 0.25, 0.5, 0.75, 1] {
            shapes.append(SVG.line(left, y(share), right, y(share), share == 0 ? "base" : "rule"))
            shapes.append(SVG.text(NumberText.percent(share, places: 0), left - 8, y(share) + 4, .end, "soft"))
        }
        // On a narrow page there is no room for each label.
        let isLabelled = { (index: Int) in isRoomy || steps.count <= 8 || index % 2 == 0 }
        for (index, step) in steps.enumerated() where isLabelled(index) {
            // There is no room for a space and a long unit.
            let name = isRoomy ? step : step.replacing("\u{A0}", with: "").replacing("min", with: "m")
            shapes.append(SVG.text(name, x(index), bottom + 19, .middle, "soft"))
        }
        for line in series.reversed() {
            let points = line.shares.enumerated().map { index, share in share.map { (x: x(index), y: y($0)) } }
            shapes.append(SVG.path(points, "line \(line.style.name)"))
            for (index, point) in points.enumerated() {
                guard let point else { continue }
                shapes.append(line.style.marker(point.x, point.y, isHollow: growing.contains(index)))
            }
        }
        if let first = series.first {
            for (index, share) in first.shares.enumerated() where isLabelled(index) {
                guard let share else { continue }
                let text = NumberText.wholePercent(share)
                shapes.append(
                    SVG.text(isRoomy ? text : String(text.dropLast(2)), x(index), y(share) - 10, .middle, "value blue"))
            }
        }
        shapes.append(legend(left: isRoomy ? left : 0))
        return Drawing(width: width, height: height, shapes: shapes)
    }

    private func legend(left: Double) -> Markup {
        var shapes = Markup.nothing
        var x = left
        for line in series {
            shapes.append(SVG.path([(x, 10), (x + 24, 10)], "line \(line.style.name)"))
            shapes.append(line.style.marker(x + 12, 10))
            shapes.append(SVG.text(line.name, x + 30, 14, .start, "name \(line.style.name)"))
            x += SVG.width(of: line.name) + 52
        }
        return shapes
    }
}
