/// Horizontal bars from 0, each with its name and its value, and a mark for the value that it is compared with.
struct BarChart: Chart {
    struct Bar {
        let name: String
        let value: Double
        let text: String
        /// The value of the compared period.
        var compared: Double?
    }

    let bars: [Bar]
    /// What the mark on a bar stands for.
    var comparedName: String?

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let isBeside = width >= Self.roomyWidth
        let names = isBeside ? min(bars.map { SVG.width(of: $0.name) }.max() ?? 0, width * 0.4) : width
        let left = isBeside ? names + 12 : 0
        let room = (bars.map { SVG.width(of: $0.text) }.max() ?? 0) + 12
        let longest = max(bars.flatMap { [$0.value, $0.compared ?? 0] }.max() ?? 0, 1e-9)
        let full = width - left - room
        let pitch = isBeside ? 30.0 : 42.0
        let offset = isBeside ? 4.0 : 18.0
        var shapes = Markup.nothing
        for (index, bar) in bars.enumerated() {
            let y = Double(index) * pitch + offset
            let end = left + full * bar.value / longest
            let name = SVG.shortened(bar.name, to: names)
            shapes.append(isBeside ? SVG.text(name, left - 12, y + 15, .end) : SVG.text(name, 0, y - 5))
            shapes.append(SVG.rectangle(left, y, full, 20, "track", radius: 2))
            shapes.append(SVG.rectangle(left, y, max(end - left, bar.value > 0 ? 1 : 0), 20, "bar", radius: 2))
            if let compared = bar.compared {
                let x = left + full * compared / longest
                shapes.append(SVG.line(x, y - 3, x, y + 23, "compared"))
            }
            shapes.append(SVG.text(bar.text, left + full + 8, y + 15, .start, "value"))
        }
        var height = Double(bars.count) * pitch + 4
        if let comparedName, bars.contains(where: { $0.compared != nil }) {
            shapes.append(SVG.comparedKey(comparedName, left, height + 4))
            height += 26
        }
        return (shapes, height)
    }
}

/// The stages of a funnel: bars from 0, joined, each with its share of the first, and a mark for that share in the compared period.
struct FunnelChart: Chart {
    /// The first is more than 0.
    let stages: [BarChart.Bar]
    let comparedName: String?

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let first = stages[0].value
        assert(first > 0)
        let isBeside = width >= Self.roomyWidth
        let left = isBeside ? (stages.map { SVG.width(of: $0.name) }.max() ?? 0) + 14 : 0
        let countWidth = stages.map { SVG.width(of: $0.text) }.max() ?? 0
        let full = width - left - (isBeside ? countWidth + FunnelChart.shareWidth + 18 : 0)
        let (bar, pitch, offset) = isBeside ? (28.0, 46.0, 2.0) : (24.0, 58.0, 20.0)
        var shapes = Markup.nothing
        for (index, stage) in stages.enumerated() {
            let y = Double(index) * pitch + offset
            let end = left + full * stage.value / first
            if index + 1 < stages.count, isBeside {
                let next = left + full * stages[index + 1].value / first
                let below = y + pitch
                shapes.append(SVG.area([(left, y + bar), (end, y + bar), (next, below), (left, below)], "link"))
            }
            shapes.append(SVG.rectangle(left, y, max(end - left, stage.value > 0 ? 1 : 0), bar, "bar", radius: 2))
            if let share = stage.compared, index > 0 {
                let x = left + full * share
                shapes.append(SVG.line(x, y - 3, x, y + bar + 3, "compared"))
            }
            let line = isBeside ? y + 18 : y - 6
            shapes.append(isBeside ? SVG.text(stage.name, left - 12, line, .end) : SVG.text(stage.name, 0, line))
            shapes.append(SVG.text(stage.text, width - FunnelChart.shareWidth - 8, line, .end, "value"))
            let share = NumberText.percent(stage.value / first, places: stage.value == first ? 0 : 1)
            shapes.append(SVG.text(share, width, line, .end))
        }
        var height = Double(stages.count) * pitch - (isBeside ? pitch - bar - 6 : 8)
        if let comparedName, stages.contains(where: { $0.compared != nil }) {
            shapes.append(SVG.comparedKey(comparedName, left, height + 6))
            height += 28
        }
        return (shapes, height)
    }

    private static let shareWidth = 52.0
}
