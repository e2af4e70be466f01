import Calendar

/// Lines over days.
struct LineChart: Chart {
    struct Series {
        let name: String
        let style: SeriesStyle
        /// A value for each day; nil breaks the line.
        let values: [Double?]
        /// The days that will still grow, drawn as hollow points.
        var growing: Set<Int> = []
        var hasMarkers = false
    }

    let title: String
    let summary: String
    let days: [LogDate]
    let series: [Series]
    let label: (Double) -> String
    var height = 260.0
    /// Else the axis begins where the change can be seen.
    var beginsAtZero = false

    func drawing(width: Double) -> Drawing {
        let isRoomy = width >= Self.roomyWidth
        let values = series.flatMap { $0.values.compactMap { $0 } }
        let scale = Scale(values + (beginsAtZero ? [0] : []))
        let plot = plot(width, scale, isRoomy)
        var shapes = grid(plot, scale)
        for line in series.reversed() { shapes.append(draw(line, plot, scale)) }
        shapes.append(isRoomy ? endLabels(plot, scale) : legend(width))
        return Drawing(width: width, height: height, shapes: shapes)
    }

    /// Whether the axis begins above 0.
    var isCut: Bool {
        Scale(series.flatMap { $0.values.compactMap { $0 } }).lower > 0
    }

    private struct Plot {
        let left, right, top, bottom: Double
        let count: Int

        func x(_ index: Int) -> Double {
            count < 2 ? (left + right) / 2 : left + (right - left) * Double(index) / Double(count - 1)
        }

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
        let step = plot.count > 1 ? plot.x(1) - plot.x(0) : 0
        var shapes = Markup.nothing
        for weekend in axis.weekends where step > 0 {
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
            let anchor: SVG.Anchor = index == 0 && plot.count > 1 ? .start : isAtEnd ? .end : .middle
            shapes.append(SVG.line(x, plot.bottom, x, plot.bottom + 4, "rule"))
            shapes.append(SVG.text(text, x, plot.bottom + 19, anchor, "soft"))
        }
        return shapes
    }

    private func draw(_ line: Series, _ plot: Plot, _ scale: Scale) -> Markup {
        let points = line.values.enumerated().map { index, value in
            value.map { (x: plot.x(index), y: plot.y(scale.position(of: $0))) }
        }
        var shapes = SVG.path(points, "line \(line.style.name)")
        for (index, point) in points.enumerated() {
            guard let point else { continue }
            let isAlone =
                (index == 0 || points[index - 1] == nil) && (index == points.count - 1 || points[index + 1] == nil)
            let isMarked = isAlone || line.growing.contains(index) || line.hasMarkers && points.count <= 62
            if isMarked {
                shapes.append(line.style.marker(point.x, point.y, isHollow: line.growing.contains(index)))
            }
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
            shapes.append(SVG.text(end.line.name, plot.right + 10, y + 4, .start, "name \(end.line.style.name)"))
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
            let y = 10 + Double(place.row) * 18
            shapes.append(SVG.path([(place.x, y), (place.x + 24, y)], "line \(line.style.name)"))
            if line.hasMarkers { shapes.append(line.style.marker(place.x + 12, y)) }
            shapes.append(SVG.text(line.name, place.x + 30, y + 4, .start, "name \(line.style.name)"))
        }
        return shapes
    }
}
