/// Two values of each item, before and now, joined by a line. Lines that fall are dashed.
struct SlopeChart: Chart {
    let beforeName: String
    let nowName: String
    let items: [(name: String, before: Double, now: Double)]

    func draw(on drawing: inout Drawing) {
        let width = drawing.width
        let isRoomy = drawing.isRoomy
        let scale = Scale(items.flatMap { [$0.before, $0.now] })
        let top = 34.0
        let bottom = top + max(160, Double(items.count) * 24)
        let names = min(LabelWidth.most(of: items.map(\.name)), width * (isRoomy ? 0.5 : 0.36))
        let left = 58.0
        let right = width - names - 76
        func y(_ value: Double) -> Double { bottom - (bottom - top) * scale.position(of: value) }
        let before = LabelSpacing.apart(items.map { y($0.before) }, by: 16, within: top...bottom)
        let now = LabelSpacing.apart(items.map { y($0.now) }, by: 16, within: top...bottom)
        drawing.text(beforeName, at: (0, 12), style: "soft")
        drawing.text(nowName, at: (isRoomy ? right : width, 12), from: isRoomy ? .middle : .end, style: "soft")
        for x in [left, right] {
            drawing.line(from: (x, top - 10), to: (x, bottom + 8), style: "rule")
        }
        for (index, item) in items.enumerated() {
            let style: Series.Style = item.now >= item.before ? .blue : .orange
            let start = (left, y(item.before))
            let end = (right, y(item.now))
            drawing.line(from: start, to: end, style: "line \(style)")
            for point in [start, end] { drawing.marker(style, at: point) }
            // Joins each dot to its label, which may have been moved.
            drawing.line(from: start, to: (left - 8, before[index]), style: "rule")
            drawing.line(from: end, to: (right + 8, now[index]), style: "rule")
            func text(_ text: String, x: Double, y: Double, from anchor: Drawing.Anchor = .start, style: String = "") {
                drawing.text(text, at: (x, y + 4), from: anchor, style: style)
            }
            text(NumberText.percent(item.before), x: left - 10, y: before[index], from: .end, style: "soft")
            text(NumberText.percent(item.now), x: right + 10, y: now[index], style: "value")
            text(LabelWidth.shortened(item.name, to: names), x: right + 72, y: now[index])
        }
        drawing.height = bottom + 14
    }
}
