/// Two values of each item, before and now, joined by a line. Lines that fall are dashed.
struct SlopeChart: Chart {
    struct Item {
        let name: String
        let before: Double
        let now: Double
    }

    let title: String
    let summary: String
    let beforeName: String
    let nowName: String
    let items: [Item]

    func drawing(width: Double) -> Drawing {
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
            shapes.append(SVG.line(left, y(item.before), right, y(item.now), "line \(style.name)"))
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
        return Drawing(width: width, height: bottom + 14, shapes: shapes)
    }
}
