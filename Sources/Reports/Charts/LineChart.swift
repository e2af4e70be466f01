import Calendar

/// Lines over days.
struct LineChart: Chart {
    /// Two or more.
    let days: [LogDate]
    let series: [Series]
    let label: (Double) -> String
    var height = 260.0
    /// Whether the axis begins at 0. If not, it may begin just below the lowest value.
    var beginsAtZero = false

    private var values: [Double] { series.flatMap { $0.values.compactMap { $0 } } }

    /// Whether the axis begins above 0.
    var isCut: Bool { Scale(values).lower > 0 }

    func draw(on drawing: inout Drawing) {
        assert(days.count > 1 && series.allSatisfy { $0.values.count == days.count })
        drawing.height = height
        let scale = Scale(values + (beginsAtZero ? [0] : []))
        let keys = keyPlaces(drawing.width)
        let room = drawing.isRoomy ? LabelWidth.most(of: series.map(\.name)) + 16 : 8
        let plot = Plot(
            left: LabelWidth.most(of: scale.ticks.map(label)) + 10, right: drawing.width - room,
            top: drawing.isRoomy ? 12 : 18 + Double((keys.last?.row ?? 0) + 1) * 18, bottom: height - 26)
        func x(_ index: Int) -> Double { plot.left + (plot.right - plot.left) * Double(index) / Double(days.count - 1) }
        let step = x(1) - x(0)
        let axis = DayAxis(days: days)
        for weekend in axis.weekends {
            let from = max(plot.left, x(weekend.lowerBound) - step / 2)
            let to = min(plot.right, x(weekend.upperBound) + step / 2)
            drawing.rectangle(at: (from, plot.top), width: to - from, height: plot.bottom - plot.top, style: "weekend")
        }
        for tick in scale.ticks {
            drawing.rule(at: scale.position(of: tick), named: label(tick), isBase: tick == 0, in: plot)
        }
        for (index, text) in axis.labels(width: plot.right - plot.left) {
            // The first and the last labels stay within the drawing.
            let isAtEnd = x(index) + LabelWidth.of(text) / 2 > plot.right + 8
            let end = (x(index), plot.bottom + 4)
            drawing.line(from: (x(index), plot.bottom), to: end, style: "rule")
            drawing.text(
                text, at: (x(index), plot.bottom + 19), from: index == 0 ? .start : isAtEnd ? .end : .middle,
                style: "soft")
        }
        for line in series.reversed() {
            drawing.line(line) { (x($0), plot.y(scale.position(of: $1))) }
        }
        if drawing.isRoomy {
            drawEnds(on: &drawing, in: plot, scale: scale)
        } else {
            for (line, place) in zip(series, keys) {
                drawing.key(of: line, at: (place.x, 10 + Double(place.row) * 18))
            }
        }
    }

    /// The name of each line at its end, moved apart where they would touch.
    private func drawEnds(on drawing: inout Drawing, in plot: Plot, scale: Scale) {
        let ends = series.compactMap { line in
            line.values.last { $0 != nil }.flatMap { $0 }.map { (y: plot.y(scale.position(of: $0)), line: line) }
        }
        let heights = LabelSpacing.apart(ends.map(\.y), by: 16, within: plot.top...plot.bottom)
        for (end, y) in zip(ends, heights) {
            drawing.text(end.line.name, at: (plot.right + 10, y + 4), style: "name \(end.line.style)")
        }
    }

    /// The places of the legend's entries: the distance from the left, and the row.
    private func keyPlaces(_ width: Double) -> [(x: Double, row: Int)] {
        var places: [(x: Double, row: Int)] = []
        var x = 0.0
        var row = 0
        for line in series {
            if x > 0, x + line.keyWidth > width { (x, row) = (0, row + 1) }
            places.append((x, row))
            x += line.keyWidth
        }
        return places
    }
}
