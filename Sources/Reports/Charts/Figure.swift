/// A chart in its page: with a title, a sentence, and the table of what it shows.
struct Figure {
    /// Unique in the page.
    let id: String
    /// What the chart shows. Screen readers read it together with `summary`.
    let title: String
    /// What can be seen in it, in a sentence or two.
    let summary: String
    var note: String?
    var width = 1040.0
    let chart: any Chart
    let table: DataTable
    var tableNote: String?

    /// The chart in both widths, and its table. The style sheet shows one of the two.
    var markup: Markup {
        .element("figure", with: ["class": width > 600 ? "full" : "half"]) {
            image("wide", width: width)
            image("narrow", width: 328)
            if let note { Markup.element("figcaption") { note } }
            table.folded(note: tableNote)
        }
    }

    private func image(_ size: String, width: Double) -> Markup {
        let drawing = chart.drawing(width: width)
        let id = "\(id)-\(size)"
        let wide = Drawing.number(width)
        let high = Drawing.number(drawing.height)
        return .element(
            "svg",
            with: [
                "class": size, "viewBox": "0 0 \(wide) \(high)", "width": wide, "height": high, "role": "img",
                "aria-labelledby": "\(id)-title \(id)-desc",
            ]
        ) {
            Markup.element("title", with: ["id": id + "-title"]) { title }
            Markup.element("desc", with: ["id": id + "-desc"]) { summary }
            drawing.shapes
        }
    }
}

extension Markup.Builder {
    static func buildExpression(_ figure: Figure) -> Markup { figure.markup }
}
