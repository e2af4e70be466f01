/// A field for each log date, with a letter where something is wrong and a lighter one where little is in yet.
struct DateStrip: Chart {
    struct Field {
        /// Nothing for a complete date.
        let letter: String
        let style: String
    }

    let title: String
    let summary: String
    let fields: [Field]
    let firstName: String
    let lastName: String

    func drawing(width: Double) -> Drawing {
        let pitch = min(width / Double(max(fields.count, 1)), 40)
        let gap = pitch > 8 ? 2.0 : 0.5
        var shapes = Markup.nothing
        for (index, field) in fields.enumerated() {
            let x = Double(index) * pitch
            shapes.append(SVG.rectangle(x, 0, pitch - gap, 18, "date \(field.style)", radius: gap))
            if pitch >= 10, !field.letter.isEmpty {
                shapes.append(SVG.text(field.letter, x + (pitch - gap) / 2, 13, .middle, "letter \(field.style)"))
            }
        }
        let end = Double(fields.count) * pitch - gap
        shapes.append(SVG.text(firstName, 0, 34, .start, "soft"))
        if fields.count > 1, end > 120 { shapes.append(SVG.text(lastName, end, 34, .end, "soft")) }
        return Drawing(width: width, height: 38, shapes: shapes)
    }
}
