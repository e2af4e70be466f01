import Calendar

/// Hours by weekday, or by something else. Each field has its number, so that the map can be read without colours. On a narrow page the hours
/// stand below one another.
struct HeatMap: Chart {
    let names: [String]
    /// For each name the value of each hour; nil if there is none.
    let values: [[Double?]]

    private static let hours = (0..<24).map(name)

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let isAcross = width >= Self.roomyWidth
        let left = isAcross ? (names.map(SVG.width(of:)).max() ?? 0) + 14 : 26
        assert(values.count == names.count && values.allSatisfy { $0.count == HeatMap.hours.count })
        let (columns, rows) = isAcross ? (HeatMap.hours, names) : (names, HeatMap.hours)
        let (wide, high) = ((width - left) / Double(columns.count), isAcross ? 30.0 : 22)
        var shapes = Markup.nothing
        for (index, name) in columns.enumerated() {
            let name = isAcross ? name : SVG.shortened(name, to: wide)
            shapes.append(SVG.text(name, left + (Double(index) + 0.5) * wide, 12, .middle, "soft"))
        }
        for (row, name) in rows.enumerated() {
            let y = 20 + Double(row) * high
            shapes.append(SVG.text(name, left - (isAcross ? 10 : 8), y + (isAcross ? 19 : 15), .end, "soft"))
            for column in columns.indices {
                let value = isAcross ? values[row][column] : values[column][row]
                shapes.append(cell(value, left + Double(column) * wide, y, wide, high))
            }
        }
        return (shapes, 20 + Double(rows.count) * high + 2)
    }

    private var highest: Double { values.flatMap { $0.compactMap { $0 } }.max() ?? 0 }

    static func name(ofHour hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }

    private func cell(_ value: Double?, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Markup {
        // Five steps of equal width.
        let level = value.map { highest > 0 ? min(4, Int($0 / highest * 5)) : 0 } ?? 0
        var shapes = SVG.rectangle(x + 1, y + 1, width - 2, height - 2, "heat h\(level)", radius: 2)
        let text = value.map(HeatMap.text) ?? NumberText.none
        shapes.append(SVG.text(text, x + width / 2, y + height / 2 + 4, .middle, "cell t\(level)"))
        return shapes
    }

    /// Four characters at most: `950`, `1.2k`, `35k`.
    private static func text(_ value: Double) -> String {
        for (size, unit) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where value >= size * 0.9995 {
            let scaled = value / size
            return NumberText.decimal(scaled, places: scaled < 9.95 ? 1 : 0) + unit
        }
        return NumberText.decimal(value, places: value < 9.95 && value != value.rounded() ? 1 : 0)
    }
}

/// A field for each log date, with a letter where something is wrong and a lighter one where little is in yet.
struct DateStrip: Chart {
    /// The letter is empty for a complete date.
    typealias Field = (letter: String, style: String)

    let days: [LogDate]
    let field: (LogDate) -> Field

    func drawing(width: Double) -> (shapes: Markup, height: Double) {
        let pitch = min(width / Double(days.count), 40)
        let gap = pitch > 8 ? 2.0 : 0.5
        var shapes = Markup.nothing
        for (index, field) in days.map(field).enumerated() {
            let x = Double(index) * pitch
            shapes.append(SVG.rectangle(x, 0, pitch - gap, 18, "date \(field.style)", radius: gap))
            if pitch >= 10, !field.letter.isEmpty {
                shapes.append(SVG.text(field.letter, x + (pitch - gap) / 2, 13, .middle, "letter \(field.style)"))
            }
        }
        let end = Double(days.count) * pitch - gap
        shapes.append(SVG.text(DateText.short(days[0]), 0, 34, .start, "soft"))
        if days.count > 1, end > 120 {
            shapes.append(SVG.text(DateText.short(days[days.count - 1]), end, 34, .end, "soft"))
        }
        return (shapes, 38)
    }
}
