/// A map of values by hour and weekday, or by hour and another name. Each field contains its number, so that the map
/// can be read without colours. On a narrow page, the hours are stacked.
struct HeatMap: Chart {
    let names: [String]
    /// For each name the value of each hour; nil if there is none.
    let values: [[Double?]]

    private static let hours = (0..<24).map(name)

    func draw(on drawing: inout Drawing) {
        let isAcross = drawing.isRoomy
        let left = isAcross ? LabelWidth.most(of: names) + 14 : 26
        assert(values.count == names.count && values.allSatisfy { $0.count == HeatMap.hours.count })
        let highest = highest?.value ?? 0
        let (columns, rows) = isAcross ? (HeatMap.hours, names) : (names, HeatMap.hours)
        let wide = (drawing.width - left) / Double(columns.count)
        let high = isAcross ? 30.0 : 22
        for (index, name) in columns.enumerated() {
            let name = isAcross ? name : LabelWidth.shortened(name, to: wide)
            drawing.text(name, at: (left + (Double(index) + 0.5) * wide, 12), from: .middle, style: "soft")
        }
        for (row, name) in rows.enumerated() {
            let y = 20 + Double(row) * high
            let place = (left - (isAcross ? 10 : 8), y + (isAcross ? 19 : 15))
            drawing.text(name, at: place, from: .end, style: "soft")
            for column in columns.indices {
                let value = isAcross ? values[row][column] : values[column][row]
                let x = left + Double(column) * wide
                // Five steps of equal width.
                let level = value.map { highest > 0 ? min(4, Int($0 / highest * 5)) : 0 } ?? 0
                drawing.rectangle(
                    at: (x + 1, y + 1), width: wide - 2, height: high - 2, style: "heat h\(level)", radius: 2)
                let middle = (x + wide / 2, y + high / 2 + 4)
                let text = value.map(HeatMap.text) ?? NumberText.none
                drawing.text(text, at: middle, from: .middle, style: "cell t\(level)")
            }
        }
        drawing.height = 20 + Double(rows.count) * high + 2
    }

    /// The highest value, the first one of several; nil if there is none.
    var highest: (name: String, hour: Int, value: Double)? {
        let all = zip(names, values).flatMap { name, values in
            values.enumerated().compactMap { hour, value in value.map { (name: name, hour: hour, value: $0) } }
        }
        return all.reduce(all.first) { highest, field in field.value > highest?.value ?? 0 ? field : highest }
    }

    var isEmpty: Bool { (highest?.value ?? 0) == 0 }

    static func name(ofHour hour: Int) -> String { hour < 10 ? "0\(hour)" : "\(hour)" }

    /// Four characters at most: `950`, `1.2k`, `35k`.
    private static func text(_ value: Double) -> String {
        for (size, unit) in [(1e9, "G"), (1e6, "M"), (1e3, "k")] where value >= size * 0.9995 {
            let scaled = value / size
            return NumberText.decimal(scaled, places: scaled < 9.95 ? 1 : 0) + unit
        }
        return NumberText.decimal(value, places: value < 9.95 && value != value.rounded() ? 1 : 0)
    }
}
