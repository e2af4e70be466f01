/// Horizontal bars from 0, each with its name and its value, and a mark for the value that it is compared with.
struct BarChart: Chart {
    struct Bar {
        let name: String
        let value: Double
        let text: String
        /// The value of the compared period.
        var compared: Double?
    }

    let title: String
    let summary: String
    let bars: [Bar]
    /// What the mark on a bar stands for.
    var comparedName: String?

    func drawing(width: Double) -> Drawing {
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
        return Drawing(width: width, height: height, shapes: shapes)
    }
}
