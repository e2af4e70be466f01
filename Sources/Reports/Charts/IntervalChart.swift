/// Rates in groups, each a point with the interval that it may lie in.
struct IntervalChart: Chart {
    struct Item {
        let name: String
        let value: Double
        let interval: ClosedRange<Double>?
    }

    struct Group {
        let name: String
        let items: [Item]
    }

    let title: String
    let summary: String
    let groups: [Group]

    func drawing(width: Double) -> Drawing {
        let items = groups.flatMap(\.items)
        let scale = Scale(
            items.flatMap { [$0.value, $0.interval?.lowerBound ?? $0.value, $0.interval?.upperBound ?? $0.value] })
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
                if let interval = item.interval {
                    shapes.append(SVG.line(x(interval.lowerBound), middle, x(interval.upperBound), middle, "line blue"))
                }
                shapes.append(SeriesStyle.blue.marker(x(item.value), middle))
                shapes.append(SVG.text(NumberText.percent(item.value), width, middle + 4, .end, "value"))
                y += row
            }
        }
        return Drawing(width: width, height: bottom + 24, shapes: shapes)
    }
}
