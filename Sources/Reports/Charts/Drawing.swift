/// The shapes of a chart. Later shapes cover earlier ones. Lengths are CSS pixels at the chart's own size.
struct Drawing {
    enum Anchor: String { case start, middle, end }

    let width: Double
    /// Set by the chart.
    var height = 0.0
    private(set) var shapes = Markup.nothing

    /// Whether there is room for labels beside the shapes.
    var isRoomy: Bool { width >= 480 }

    init(width: Double) { self.width = width }

    /// A coordinate with at most one place after the point.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let rest = Int(tenths.magnitude % 10)
        return sign + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
    }

    private mutating func add(
        _ name: String, at places: KeyValuePairs<String, Double>, style: String, text: String = ""
    ) {
        let attributes = places.map { ($0, Self.number($1)) } + [("class", style)]
        shapes.append(.element(name, holding: Markup(text), with: attributes))
    }

    mutating func text(_ text: String, at point: Point, from anchor: Anchor = .start, style: String = "") {
        let names = style.isEmpty ? anchor.rawValue : "\(anchor.rawValue) \(style)"
        add("text", at: ["x": point.x, "y": point.y], style: names, text: text)
    }

    mutating func line(from start: Point, to end: Point, style: String) {
        add("line", at: ["x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y], style: style)
    }

    /// - Parameter corner: the upper left one.
    mutating func rectangle(at corner: Point, width: Double, height: Double, style: String, radius: Double = 0) {
        let width = max(0, width)
        let height = max(0, height)
        add("rect", at: ["x": corner.x, "y": corner.y, "width": width, "height": height, "rx": radius], style: style)
    }

    /// A line through points. A missing point interrupts it.
    mutating func path(through points: [Point?], style: String) {
        var path = ""
        var isDrawing = false
        for point in points {
            if let point { path += "\(isDrawing ? "L" : "M")\(Self.number(point.x)) \(Self.number(point.y))" }
            isDrawing = point != nil
        }
        if !path.isEmpty { shapes.append(.element("path", with: ["d": path, "class": style])) }
    }

    mutating func polygon(_ corners: [Point], style: String) {
        let points = corners.map { "\(Self.number($0.x)),\(Self.number($0.y))" }.joined(separator: " ")
        shapes.append(.element("polygon", with: ["points": points, "class": style]))
    }

    mutating func circle(around centre: Point, radius: Double, style: String) {
        add("circle", at: ["cx": centre.x, "cy": centre.y, "r": radius], style: style)
    }

    /// The legend of the marks of style `compared`: a mark, and its meaning.
    mutating func comparedKey(named name: String, at point: Point) {
        line(from: (point.x + 4, point.y), to: (point.x + 4, point.y + 14), style: "compared")
        text(name, at: (point.x + 12, point.y + 12), style: "soft")
    }
}
