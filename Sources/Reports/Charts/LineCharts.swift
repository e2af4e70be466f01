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

/// Which share is reached within which time. The steps of time have equal distances.
struct CumulativeCurve: Chart {
    let steps: [String]
    /// Shares from 0 to 1.
    let series: [Series]

    func draw(on drawing: inout Drawing) {
        assert(series.allSatisfy { $0.values.count == steps.count })
        drawing.height = 260
        let isRoomy = drawing.isRoomy
        let plot = Plot(left: 46, right: drawing.width - 22, top: isRoomy ? 40 : 44, bottom: drawing.height - 26)
        func x(_ step: Int) -> Double {
            plot.left + (plot.right - plot.left) * (Double(step) + 0.5) / Double(steps.count)
        }
        for share in [0, 0.25, 0.5, 0.75, 1] {
            drawing.rule(at: share, named: NumberText.percent(share, places: 0), isBase: share == 0, in: plot)
        }
        // There is not always room for each label.
        let every = Int((36 * Double(steps.count) / (plot.right - plot.left)).rounded(.up))
        let labelled = stride(from: 0, to: steps.count, by: every)
        for index in labelled {
            // Labels are shortened here to save room.
            let short = steps[index].replacing("\u{A0}", with: "").replacing("min", with: "m")
            drawing.text(
                isRoomy ? steps[index] : short, at: (x(index), plot.bottom + 19), from: .middle,
                style: "soft")
        }
        for line in series.reversed() { drawing.line(line) { (x($0), plot.y($1)) } }
        for index in labelled {
            guard let share = series.first?.values[index] else { continue }
            let text = NumberText.wholePercent(share)
            drawing.text(
                isRoomy ? text : String(text.dropLast(2)), at: (x(index), plot.y(share) - 10),
                from: .middle, style: "value blue")
        }
        var start = isRoomy ? plot.left : 0
        for line in series {
            drawing.key(of: line, at: (start, 10))
            start += line.keyWidth + 6
        }
    }
}

/// The rectangle between the axes.
private struct Plot {
    let left, right, top, bottom: Double

    /// - Parameter position: 0 at the lower end, 1 at the upper.
    func y(_ position: Double) -> Double { bottom - (bottom - top) * position }
}

extension Drawing {
    /// A line across the plot at a value of the axis, with its label.
    fileprivate mutating func rule(at position: Double, named name: String, isBase: Bool, in plot: Plot) {
        let y = plot.y(position)
        line(from: (plot.left, y), to: (plot.right, y), style: isBase ? "base" : "rule")
        text(name, at: (plot.left - 8, y + 4), from: .end, style: "soft")
    }
}
