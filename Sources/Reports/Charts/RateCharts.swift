/// Rates in groups, each a point with the interval that it may lie in.
struct IntervalChart: Chart {
    let groups: [(name: String, items: [(name: String, share: Proportion)])]

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let items = groups.flatMap(\.items)
        let rates = items.flatMap { [$0.share.rate, $0.share.interval?.lowerBound, $0.share.interval?.upperBound] }
        let scale = Scale(rates.compactMap { $0 })
        let isRoomy = width >= Self.roomyWidth
        let names = min(items.map { SVG.width(of: $0.name) }.max() ?? 0, width * (isRoomy ? 0.3 : 0.35))
        let left = names + 12
        let right = width - 60
        func x(_ value: Double) -> Double { left + (right - left) * scale.position(of: value) }
        let (row, head) = (24.0, 28.0)
        let bottom = Double(items.count) * row + Double(groups.count) * head
        var shapes = Markup.nothing
        for tick in scale.ticks {
            shapes.append(SVG.line(x(tick), 0, x(tick), bottom + 4, tick == 0 ? "base" : "rule"))
            shapes.append(SVG.text(NumberText.percentTick(tick), x(tick), bottom + 19, .middle, "soft"))
        }
        var y = 0.0
        for group in groups {
            shapes.append(SVG.text(SVG.shortened(group.name, to: width), 0, y + 18, .start, "value"))
            y += head
            for item in group.items {
                let middle = y + row / 2
                shapes.append(SVG.text(SVG.shortened(item.name, to: names), 0, middle + 4))
                if let interval = item.share.interval {
                    shapes.append(SVG.line(x(interval.lowerBound), middle, x(interval.upperBound), middle, "line blue"))
                }
                let rate = item.share.rate ?? 0
                shapes.append(SeriesStyle.blue.marker(x(rate), middle))
                shapes.append(SVG.text(NumberText.percent(rate), width, middle + 4, .end, "value"))
                y += row
            }
        }
        return (shapes, bottom + 24)
    }
}

/// Two values of each item, before and now, joined by a line. Lines that fall are dashed.
struct SlopeChart: Chart {
    let beforeName: String
    let nowName: String
    let items: [(name: String, before: Double, now: Double)]

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let isRoomy = width >= Self.roomyWidth
        let values = items.flatMap { [$0.before, $0.now] }
        let scale = Scale(values)
        let top = 34.0
        let bottom = top + max(160, Double(items.count) * 24)
        let left = 58.0
        let names = min(items.map { SVG.width(of: $0.name) }.max() ?? 0, width * (isRoomy ? 0.5 : 0.36))
        let right = width - names - 76
        func y(_ value: Double) -> Double { bottom - (bottom - top) * scale.position(of: value) }
        let before = LabelSpacing.apart(items.map { y($0.before) }, by: 16, within: top...bottom)
        let now = LabelSpacing.apart(items.map { y($0.now) }, by: 16, within: top...bottom)
        var shapes = SVG.text(beforeName, 0, 12, .start, "soft")
        shapes.append(
            isRoomy ? SVG.text(nowName, right, 12, .middle, "soft") : SVG.text(nowName, width, 12, .end, "soft"))
        shapes.append(SVG.line(left, top - 10, left, bottom + 8, "rule"))
        shapes.append(SVG.line(right, top - 10, right, bottom + 8, "rule"))
        for (index, item) in items.enumerated() {
            let style: SeriesStyle = item.now >= item.before ? .blue : .orange
            shapes.append(SVG.line(left, y(item.before), right, y(item.now), "line \(style)"))
            shapes.append(style.marker(left, y(item.before)))
            shapes.append(style.marker(right, y(item.now)))
            // From each dot to its label, where that had to move.
            shapes.append(SVG.line(left, y(item.before), left - 8, before[index], "rule"))
            shapes.append(SVG.line(right, y(item.now), right + 8, now[index], "rule"))
            shapes.append(SVG.text(NumberText.percent(item.before), left - 10, before[index] + 4, .end, "soft"))
            shapes.append(SVG.text(NumberText.percent(item.now), right + 10, now[index] + 4, .start, "value"))
            let name = SVG.shortened(item.name, to: names)
            shapes.append(SVG.text(name, right + 72, now[index] + 4))
        }
        return (shapes, bottom + 14)
    }
}
