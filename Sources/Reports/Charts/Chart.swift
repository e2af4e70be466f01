/// A chart: a value that draws itself at the width of the page and of a telephone.
protocol Chart {
    /// What the chart shows; for those who cannot see it, with `summary`.
    var title: String { get }
    /// What can be seen in it, in a sentence or two.
    var summary: String { get }

    /// - Parameter width: in CSS pixels.
    func drawing(width: Double) -> Drawing
}

extension Chart {
    /// The narrowest width with room for labels beside the shapes.
    static var roomyWidth: Double { 480 }

    /// The chart in both sizes, of which the style sheet shows one, and its table.
    /// - Parameter id: unique in the page.
    func figure(_ id: String, width: Double, note: String? = nil, table: DataTable, tableNote: String? = nil) -> Markup
    {
        .element("figure", ["class": width > 600 ? "full" : "half"]) {
            image(id + "-wide", "wide", width)
            image(id + "-narrow", "narrow", 328)
            if let note { Markup.element("figcaption") { note } }
            table.folded(note: tableNote)
        }
    }

    private func image(_ id: String, _ size: String, _ width: Double) -> Markup {
        let drawing = drawing(width: width)
        let (wide, high) = (SVG.number(drawing.width), SVG.number(drawing.height))
        return .element(
            "svg",
            [
                "class": size, "viewBox": "0 0 \(wide) \(high)", "width": wide, "height": high, "role": "img",
                "aria-labelledby": "\(id)-title \(id)-desc",
            ]
        ) {
            Markup.element("title", ["id": id + "-title"]) { title }
            Markup.element("desc", ["id": id + "-desc"]) { summary }
            drawing.shapes
        }
    }
}
