/// Rates in groups. Each rate is a point with its confidence interval.
struct IntervalChart: Chart {
    let groups: [(name: String, items: [(name: String, share: Proportion)])]

    func draw(on drawing: inout Drawing) {
        let items = groups.flatMap(\.items)
        let rates = items.flatMap { [$0.share.rate, $0.share.interval?.lowerBound, $0.share.interval?.upperBound] }
        let scale = Scale(rates.compactMap { $0 })
        let width = drawing.width
        let names = min(LabelWidth.most(of: items.map(\.name)), width * (drawing.isRoomy ? 0.3 : 0.35))
        let left = names + 12
        let right = width - 60
        func x(_ value: Double) -> Double { left + (right - left) * scale.position(of: value) }
        let row = 24.0
        let head = 28.0
        let bottom = Double(items.count) * row + Double(groups.count) * head
        for tick in scale.ticks {
            let style = tick == 0 ? "base" : "rule"
            drawing.line(from: (x(tick), 0), to: (x(tick), bottom + 4), style: style)
            drawing.text(NumberText.percentTick(tick), at: (x(tick), bottom + 19), from: .middle, style: "soft")
        }
        var y = 0.0
        for group in groups {
            drawing.text(LabelWidth.shortened(group.name, to: width), at: (0, y + 18), style: "value")
            y += head
            for item in group.items {
                let middle = y + row / 2
                drawing.text(LabelWidth.shortened(item.name, to: names), at: (0, middle + 4))
                if let interval = item.share.interval {
                    let ends = [interval.lowerBound, interval.upperBound].map { (x($0), middle) }
                    drawing.line(from: ends[0], to: ends[1], style: "line blue")
                }
                drawing.marker(.blue, at: (x(item.share.rate ?? 0), middle))
                let rate = NumberText.percent(item.share.rate ?? 0)
                drawing.text(rate, at: (width, middle + 4), from: .end, style: "value")
                y += row
            }
        }
        drawing.height = bottom + 24
    }
}
