/// The stages of a funnel: bars from 0, joined, each with its share of the first.
struct FunnelChart: Chart {
    struct Stage {
        let name: String
        let count: Int
        /// The share of the compared period's first stage.
        var comparedShare: Double?
    }

    let title: String
    let summary: String
    let stages: [Stage]
    let comparedName: String?

    func drawing(width: Double) -> Drawing {
        let first = Double(max(stages.first?.count ?? 0, 1))
        let isBeside = width >= Self.roomyWidth
        let left = isBeside ? (stages.map { SVG.width(of: $0.name) }.max() ?? 0) + 14 : 0
        let counts = stages.map { NumberText.rounded($0.count) }
        let countWidth = counts.map(SVG.width(of:)).max() ?? 0
        let full = width - left - (isBeside ? countWidth + FunnelChart.shareWidth + 18 : 0)
        let (bar, pitch, offset) = isBeside ? (28.0, 46.0, 2.0) : (24.0, 58.0, 20.0)
        var shapes = Markup.nothing
        for (index, stage) in stages.enumerated() {
            let y = Double(index) * pitch + offset
            let end = left + full * Double(stage.count) / first
            if index + 1 < stages.count, isBeside {
                let next = left + full * Double(stages[index + 1].count) / first
                let below = y + pitch
                shapes.append(SVG.area([(left, y + bar), (end, y + bar), (next, below), (left, below)], "link"))
            }
            shapes.append(SVG.rectangle(left, y, max(end - left, stage.count > 0 ? 1 : 0), bar, "bar", radius: 2))
            if let share = stage.comparedShare, index > 0 {
                let x = left + full * share
                shapes.append(SVG.line(x, y - 3, x, y + bar + 3, "compared"))
            }
            if isBeside {
                shapes.append(SVG.text(stage.name, left - 12, y + 18, .end))
                shapes.append(SVG.text(counts[index], width - FunnelChart.shareWidth - 8, y + 18, .end, "value"))
                shapes.append(SVG.text(share(stage), width, y + 18, .end))
            } else {
                shapes.append(SVG.text(stage.name, 0, y - 6))
                shapes.append(SVG.text(counts[index], width - FunnelChart.shareWidth - 8, y - 6, .end, "value"))
                shapes.append(SVG.text(share(stage), width, y - 6, .end))
            }
        }
        var height = Double(stages.count) * pitch - (isBeside ? pitch - bar - 6 : 8)
        if let comparedName, stages.contains(where: { $0.comparedShare != nil }) {
            shapes.append(SVG.comparedKey(comparedName, left, height + 6))
            height += 28
        }
        return Drawing(width: width, height: height, shapes: shapes)
    }

    private static let shareWidth = 52.0

    private func share(_ stage: Stage) -> String {
        guard let first = stages.first?.count, first > 0 else { return NumberText.none }
        return NumberText.percent(Double(stage.count) / Double(first), places: stage.count == first ? 0 : 1)
    }
}
