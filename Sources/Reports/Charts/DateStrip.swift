import Calendar

/// A field for each log date. A letter marks a log date with a problem, and a lighter field one whose opens are not
/// complete yet.
struct DateStrip: Chart {
    /// The letter is empty for a complete date.
    typealias Field = (letter: String, style: String)

    let days: [LogDate]
    let field: (LogDate) -> Field

    func draw(on drawing: inout Drawing) {
        let pitch = min(drawing.width / Double(days.count), 40)
        let gap = pitch > 8 ? 2.0 : 0.5
        for (index, field) in days.map(field).enumerated() {
            let x = Double(index) * pitch
            drawing.rectangle(at: (x, 0), width: pitch - gap, height: 18, style: "date \(field.style)", radius: gap)
            if pitch >= 10, !field.letter.isEmpty {
                let middle = (x + (pitch - gap) / 2, 13.0)
                drawing.text(field.letter, at: middle, from: .middle, style: "letter \(field.style)")
            }
        }
        let end = Double(days.count) * pitch - gap
        drawing.text(DateText.short(days[0]), at: (0, 34), style: "soft")
        if days.count > 1, end > 120 {
            drawing.text(DateText.short(days[days.count - 1]), at: (end, 34), from: .end, style: "soft")
        }
        drawing.height = 38
    }
}
