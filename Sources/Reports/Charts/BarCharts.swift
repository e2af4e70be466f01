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

    func draw(on drawing: inout Drawing) {
        let isBeside = drawing.isRoomy
        let names =
            isBeside ? min(LabelWidth.most(of: bars.map(\.name)), drawing.width * 0.4) : drawing.width
        let left = isBeside ? names + 12 : 0
        let longest = max(bars.flatMap { [$0.value, $0.compared ?? 0] }.max() ?? 0, 1e-9)
        let full = drawing.width - left - (LabelWidth.most(of: bars.map(\.text)) + 12)
        let (pitch, offset) = isBeside ? (30.0, 4.0) : (42.0, 18.0)
        for (index, bar) in bars.enumerated() {
            let y = Double(index) * pitch + offset
            drawing.name(LabelWidth.shortened(bar.name, to: names), beside: left, y: y + (isBeside ? 15 : -5))
            drawing.rectangle(at: (left, y), width: full, height: 20, style: "track", radius: 2)
            drawing.bar(bar, from: (left, y), to: left + full * bar.value / longest, height: 20)
            drawing.comparedMark(bar.compared.map { left + full * $0 / longest }, y: y, height: 20)
            drawing.text(bar.text, at: (left + full + 8, y + 15), style: "value")
        }
        drawing.height = Double(bars.count) * pitch + 4
        drawing.endKey(comparedName, of: bars, left: left, above: 4)
    }
}

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
            drawing.bar(stage, from: (left, y), to: left + full * stage.value / first, height: height)
            if index > 0 { drawing.comparedMark(stage.compared.map { left + full * $0 }, y: y, height: height) }
            let line = isBeside ? y + 18 : y - 6
            drawing.name(stage.name, beside: left, y: line)
            drawing.text(stage.text, at: (width - FunnelChart.shareWidth - 8, line), from: .end, style: "value")
            let share = NumberText.percent(stage.value / first, places: stage.value == first ? 0 : 1)
            drawing.text(share, at: (width, line), from: .end)
        }
        drawing.height = Double(stages.count) * pitch - (isBeside ? pitch - height - 6 : 8)
        drawing.endKey(comparedName, of: stages, left: left, above: 6)
    }
}

extension Drawing {
    /// Writes a name to the left of a bar that begins at `left`, or above the bar where there is no room.
    fileprivate mutating func name(_ name: String, beside left: Double, y: Double) {
        text(name, at: (isRoomy ? left - 12 : 0, y), from: isRoomy ? .end : .start)
    }

    /// A bar for a value above 0 is at least one pixel wide, so that it can be seen.
    fileprivate mutating func bar(_ bar: BarChart.Bar, from corner: Point, to end: Double, height: Double) {
        let width = max(end - corner.x, bar.value > 0 ? 1 : 0)
        rectangle(at: corner, width: width, height: height, style: "bar", radius: 2)
    }

    fileprivate mutating func comparedMark(_ x: Double?, y: Double, height: Double) {
        guard let x else { return }
        line(from: (x, y - 3), to: (x, y + height + 3), style: "compared")
    }

    /// Explains the marks, below the bars. Does nothing if no bar has a mark.
    fileprivate mutating func endKey(_ name: String?, of bars: [BarChart.Bar], left: Double, above: Double) {
        guard let name, bars.contains(where: { $0.compared != nil }) else { return }
        comparedKey(named: name, at: (left, height + above))
        height += above + 22
    }
}
