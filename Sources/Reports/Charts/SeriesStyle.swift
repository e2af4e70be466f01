/// How a series looks. Each has a colour, a dash pattern and a marker of its own, so that no two differ by colour alone.
enum SeriesStyle: String, CaseIterable {
    case blue, grey, orange, green

    /// The name of the class that sets the colour and the dash pattern.
    var name: String { rawValue }

    /// The marker at a point.
    func marker(_ x: Double, _ y: Double, size: Double = 3.2, isHollow: Bool = false) -> Markup {
        let style = isHollow ? "marker hollow \(name)" : "marker \(name)"
        switch self {
        case .blue:
            return .element(
                "circle", ["class": style, "cx": SVG.number(x), "cy": SVG.number(y), "r": SVG.number(size)])
        case .grey:
            return polygon(
                style, [(x - size, y - size), (x + size, y - size), (x + size, y + size), (x - size, y + size)])
        case .orange:
            return polygon(style, [(x, y - size * 1.3), (x + size * 1.2, y + size), (x - size * 1.2, y + size)])
        case .green:
            let far = size * 1.4
            return polygon(style, [(x, y - far), (x + far, y), (x, y + far), (x - far, y)])
        }
    }

    private func polygon(_ style: String, _ points: [(Double, Double)]) -> Markup {
        let text = points.map { "\(SVG.number($0.0)),\(SVG.number($0.1))" }.joined(separator: " ")
        return .element("polygon", ["class": style, "points": text])
    }
}
