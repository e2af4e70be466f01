/// The stages of a funnel: bars from 0, joined, each with its share of the first, and a mark for that share in the
/// compared period.
struct FunnelChart: Chart {
    /// The first is more than 0.
    let stages: [BarChart.Bar]
    let comparedName: String?

    private static let shareWidth = 52.0

    func draw(on drawing: inout Drawing) {
        let width = drawing.width
        let first = stages[0].value
        assert(first > 0)
        let isBeside = drawing.isRoomy
        let left = isBeside ? LabelWidth.most(of: stages.map(\.name)) + 14 : 0
        let counts = LabelWidth.most(of: stages.map(\.text))
        let full = width - left - (isBeside ? counts + FunnelChart.shareWidth + 18 : 0)
        let (height, pitch, offset) = isBeside ? (28.0, 46.0, 2.0) : (24.0, 58.0, 20.0)
        for (index, stage) in stages.enumerated() {
            let y = Double(index) * pitch + offset
            if index + 1 < stages.count, isBeside {
                let ends = [stage, stages[index + 1]].map { left + full * $0.value / first }
                drawing.polygon(
                    [
                        (left, y + height), (ends[0], y + height),
                        (ends[1], y + pitch), (left, y + pitch),
                    ], style: "link")
            }
            drawing.bar(for: stage.value, from: (left, y), to: left + full * stage.value / first, height: height)
            if index > 0 { drawing.comparedMark(stage.compared.map { left + full * $0 }, y: y, height: height) }
            let line = isBeside ? y + 18 : y - 6
            drawing.name(stage.name, beside: left, y: line)
            drawing.text(stage.text, at: (width - FunnelChart.shareWidth - 8, line), from: .end, style: "value")
            let share = NumberText.percent(stage.value / first, places: stage.value == first ? 0 : 1)
            drawing.text(share, at: (width, line), from: .end)
        }
        drawing.height = Double(stages.count) * pitch - (isBeside ? pitch - height - 6 : 8)
        drawing.endKey(comparedName, of: stages.map(\.compared), left: left, above: 6)
    }
}
