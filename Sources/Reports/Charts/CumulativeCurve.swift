/// Which share is reached within which time. The steps of time have equal distances.
struct CumulativeCurve: Chart {
    let steps: [String]
    /// Shares from 0 to 1.
    let series: [Series]

    func draw(on drawing: inout Drawing) {
        assert(series.allSatisfy { $0.values.count == steps.count })
        drawing.height = 260
        let isRoomy = drawing.isRoomy
        let plot = Plot(left: 46, right: drawing.width - 22, top: isRoomy ? 40 : 44, bottom: drawing.height - 26)
        func x(_ step: Int) -> Double {
            plot.left + (plot.right - plot.left) * (Double(step) + 0.5) / Double(steps.count)
        }
        for share in [0, 0.25, 0.5, 0.75, 1] {
            drawing.rule(at: share, named: NumberText.percent(share, places: 0), isBase: share == 0, in: plot)
        }
        // There is not always room for each label.
        let every = Int((36 * Double(steps.count) / (plot.right - plot.left)).rounded(.up))
        let labelled = stride(from: 0, to: steps.count, by: every)
        for index in labelled {
            // Labels are shortened here to save room.
            let short = steps[index].replacing("\u{A0}", with: "").replacing("min", with: "m")
            drawing.text(
                isRoomy ? steps[index] : short, at: (x(index), plot.bottom + 19), from: .middle,
                style: "soft")
        }
        for line in series.reversed() { drawing.line(line) { (x($0), plot.y($1)) } }
        for index in labelled {
            guard let share = series.first?.values[index] else { continue }
            let text = NumberText.wholePercent(share)
            drawing.text(
                isRoomy ? text : String(text.dropLast(2)), at: (x(index), plot.y(share) - 10),
                from: .middle, style: "value blue")
        }
        var start = isRoomy ? plot.left : 0
        for line in series {
            drawing.key(of: line, at: (start, 10))
            start += line.keyWidth + 6
        }
    }
}
