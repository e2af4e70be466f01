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
            drawing.bar(for: bar.value, from: (left, y), to: left + full * bar.value / longest, height: 20)
            drawing.comparedMark(bar.compared.map { left + full * $0 / longest }, y: y, height: 20)
            drawing.text(bar.text, at: (left + full + 8, y + 15), style: "value")
        }
        drawing.height = Double(bars.count) * pitch + 4
        drawing.endKey(comparedName, of: bars.map(\.compared), left: left, above: 4)
    }
}
