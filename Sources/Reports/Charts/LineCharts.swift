import Calendar

/// A line of a chart.
struct Series {
    let name: String
    let style: SeriesStyle
    /// A value for each day or step; nil breaks the line.
    let values: [Double?]
    /// The days or steps that will still grow, drawn as hollow points.
    var growing: Set<Int> = []
    var hasMarkers = false

    /// The line through its points, with markers where a point is alone or to be seen.
    func line(_ place: (_ index: Int, _ value: Double) -> (x: Double, y: Double)) -> Markup {
        let points = values.enumerated().map { index, value in value.map { place(index, $0) } }
        var shapes = SVG.path(points, "line \(style)")
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            let isAlone =
                (index == 0 || points[index - 1] == nil) && (index == points.count - 1 || points[index + 1] == nil)
            if isAlone || growing.contains(index) || hasMarkers && points.count <= 62 {
                shapes.append(style.marker(point.x, point.y, isHollow: growing.contains(index)))
            }
        }
        return shapes
    }

    /// Its entry in a legend.
    func key(_ x: Double, _ y: Double) -> Markup {
        var shapes = SVG.path([(x, y), (x + 24, y)], "line \(style)")
        if hasMarkers { shapes.append(style.marker(x + 12, y)) }
        shapes.append(SVG.text(name, x + 30, y + 4, .start, "name \(style)"))
        return shapes
    }
}

/// Lines over days.
struct LineChart: Chart {
    /// Two or more.
    let days: [LogDate]
    let series: [Series]
    let label: (Double) -> String
    var height = 260.0
    /// Else the axis begins where the change can be seen.
    var beginsAtZero = false

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let isRoomy = width >= Self.roomyWidth
        assert(days.count > 1 && series.allSatisfy { $0.values.count == days.count })
        let values = series.flatMap { $0.values.compactMap { $0 } }
        let scale = Scale(values + (beginsAtZero ? [0] : []))
        let plot = plot(width, scale, isRoomy)
        var shapes = grid(plot, scale)
        for line in series.reversed() {
            shapes.append(line.line { (plot.x($0), plot.y(scale.position(of: $1))) })
        }
        shapes.append(isRoomy ? endLabels(plot, scale) : legend(width))
        return (shapes, height)
    }

    /// Whether the axis begins above 0.
    var isCut: Bool {
        Scale(series.flatMap { $0.values.compactMap { $0 } }).lower > 0
    }

    private struct Plot {
        let left, right, top, bottom: Double
        let count: Int

        func x(_ index: Int) -> Double { left + (right - left) * Double(index) / Double(count - 1) }
        func y(_ position: Double) -> Double { bottom - (bottom - top) * position }
    }

    private func plot(_ width: Double, _ scale: Scale, _ isRoomy: Bool) -> Plot {
        let left = (scale.ticks.map { SVG.width(of: label($0)) }.max() ?? 0) + 10
        let room = isRoomy ? (series.map { SVG.width(of: $0.name) }.max() ?? 0) + 16 : 8
        let rows = (legendPlaces(width).last?.row ?? 0) + 1
        return Plot(
            left: left, right: width - room, top: isRoomy ? 12 : 18 + Double(rows) * 18, bottom: height - 26,
            count: days.count)
    }

    private func grid(_ plot: Plot, _ scale: Scale) -> Markup {
        let axis = DayAxis(days: days)
        let step = plot.x(1) - plot.x(0)
        var shapes = Markup.nothing
        for weekend in axis.weekends {
            let from = max(plot.left, plot.x(weekend.lowerBound) - step / 2)
            let to = min(plot.right, plot.x(weekend.upperBound) + step / 2)
            shapes.append(SVG.rectangle(from, plot.top, to - from, plot.bottom - plot.top, "weekend"))
        }
        for tick in scale.ticks {
            let y = plot.y(scale.position(of: tick))
            shapes.append(SVG.line(plot.left, y, plot.right, y, tick == 0 ? "base" : "rule"))
            shapes.append(SVG.text(label(tick), plot.left - 8, y + 4, .end, "soft"))
        }
        for (index, text) in axis.labels(width: plot.right - plot.left) {
            let x = plot.x(index)
            // The first and the last labels stay within the drawing.
            let isAtEnd = x + SVG.width(of: text) / 2 > plot.right + 8
            let anchor: SVG.Anchor = index == 0 ? .start : isAtEnd ? .end : .middle
            shapes.append(SVG.line(x, plot.bottom, x, plot.bottom + 4, "rule"))
            shapes.append(SVG.text(text, x, plot.bottom + 19, anchor, "soft"))
        }
        return shapes
    }

    /// The name of each line at its end, moved apart where they would touch.
    private func endLabels(_ plot: Plot, _ scale: Scale) -> Markup {
        var ends: [(y: Double, line: Series)] = []
        for line in series {
            guard let last = line.values.last(where: { $0 != nil }).flatMap({ $0 }) else { continue }
            ends.append((plot.y(scale.position(of: last)), line))
        }
        let heights = LabelSpacing.apart(ends.map(\.y), by: 16, within: plot.top...plot.bottom)
        var shapes = Markup.nothing
        for (end, y) in zip(ends, heights) {
            shapes.append(SVG.text(end.line.name, plot.right + 10, y + 4, .start, "name \(end.line.style)"))
        }
        return shapes
    }

    /// Where the entries of the legend begin, from the left and in which row.
    private func legendPlaces(_ width: Double) -> [(x: Double, row: Int)] {
        var places: [(x: Double, row: Int)] = []
        var (x, row) = (0.0, 0)
        for line in series {
            let needed = SVG.width(of: line.name) + 46
            if x > 0, x + needed > width { (x, row) = (0, row + 1) }
            places.append((x, row))
            x += needed
        }
        return places
    }

    private func legend(_ width: Double) -> Markup {
        var shapes = Markup.nothing
        for (line, place) in zip(series, legendPlaces(width)) {
            shapes.append(line.key(place.x, 10 + Double(place.row) * 18))
        }
        return shapes
    }
}

/// Which share is reached within which time. The steps of time have equal distances.
struct CumulativeCurve: Chart {
    let steps: [String]
    /// Shares from 0 to 1.
    let series: [Series]

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        assert(series.allSatisfy { $0.values.count == steps.count })
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
        // There is not always room for each label.
        let every = Int((36 * Double(steps.count) / (right - left)).rounded(.up))
        let isLabelled = { (index: Int) in index % every == 0 }
        for (index, step) in steps.enumerated() where isLabelled(index) {
            // There is no room for a space and a long unit.
            let name = isRoomy ? step : step.replacing("\u{A0}", with: "").replacing("min", with: "m")
            shapes.append(SVG.text(name, x(index), bottom + 19, .middle, "soft"))
        }
        for line in series.reversed() { shapes.append(line.line { (x($0), y($1)) }) }
        if let first = series.first {
            for (index, share) in first.values.enumerated() where isLabelled(index) {
                guard let share else { continue }
                let text = NumberText.wholePercent(share)
                shapes.append(
                    SVG.text(isRoomy ? text : String(text.dropLast(2)), x(index), y(share) - 10, .middle, "value blue"))
            }
        }
        var start = isRoomy ? left : 0
        for line in series {
            shapes.append(line.key(start, 10))
            start += SVG.width(of: line.name) + 52
        }
        return (shapes, height)
    }
}
