/// A chart that draws itself in two widths, for a page and for a telephone, in CSS pixels.
protocol Chart {
    /// Draws the chart, and sets the drawing's height.
    func draw(on drawing: inout Drawing)
}

extension Chart {
    func drawing(width: Double) -> Drawing {
        var drawing = Drawing(width: width)
        draw(on: &drawing)
        return drawing
    }
}
