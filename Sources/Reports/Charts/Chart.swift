/// A chart: a value that draws itself at the width of the page and of a telephone, in CSS pixels.
protocol Chart {
    func drawing(width: Double) -> (shapes: Markup, height: Double)
}

extension Chart {
    /// The narrowest width with room for labels beside the shapes.
    static var roomyWidth: Double { 480 }

    /// The chart in both sizes, of which the style sheet shows one, and its table.
    /// - Parameters:
    ///   - id: unique in the page.
    ///   - title: what the chart shows; for those who cannot see it, with `summary`.
    ///   - summary: what can be seen in it, in a sentence or two.
    func figure(
        _ id: String, _ title: String, summary: String, width: Double, note: String? = nil, table: DataTable,
        tableNote: String? = nil
    ) -> Markup {
        func image(_ size: String, _ width: Double) -> Markup {
            let (shapes, height) = drawing(width: width)
            let (id, wide, high) = ("\(id)-\(size)", SVG.number(width), SVG.number(height))
            return .element(
                "svg",
                [
                    "class": size, "viewBox": "0 0 \(wide) \(high)", "width": wide, "height": high, "role": "img",
                    "aria-labelledby": "\(id)-title \(id)-desc",
                ]
            ) {
                Markup.element("title", ["id": id + "-title"]) { title }
                Markup.element("desc", ["id": id + "-desc"]) { summary }
                shapes
            }
        }
        return .element("figure", ["class": width > 600 ? "full" : "half"]) {
            image("wide", width)
            image("narrow", 328)
            if let note { Markup.element("figcaption") { note } }
            table.folded(note: tableNote)
        }
    }
}

/// The shapes that charts are made of. Lengths are CSS pixels at the chart's own size.
enum SVG {
    enum Anchor: String { case start, middle, end }

    /// A coordinate with at most one place after the point.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        let sign = tenths < 0 ? "-" : ""
        let rest = Int(tenths.magnitude % 10)
        return sign + "\(tenths.magnitude / 10)" + (rest == 0 ? "" : ".\(rest)")
    }

    static func text(_ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, _ style: String = "")
        -> Markup
    {
        let names = style.isEmpty ? anchor.rawValue : "\(anchor.rawValue) \(style)"
        return .element("text", ["x": number(x), "y": number(y), "class": names]) { text }
    }

    static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ style: String) -> Markup {
        .element(
            "line", ["x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2), "class": style])
    }

    static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ style: String, radius: Double = 0
    ) -> Markup {
        .element(
            "rect",
            [
                "x": number(x), "y": number(y), "width": number(max(0, width)), "height": number(max(0, height)),
                "rx": number(radius), "class": style,
            ])
    }

    /// A line through points, which is broken where a point is missing.
    static func path(_ points: [(x: Double, y: Double)?], _ style: String) -> Markup {
        var path = ""
        var isDrawing = false
        for point in points {
            if let point {
                path += "\(isDrawing ? "L" : "M")\(number(point.x)) \(number(point.y))"
            }
            isDrawing = point != nil
        }
        guard !path.isEmpty else { return .nothing }
        return .element("path", ["d": path, "class": style])
    }

    static func area(_ points: [(x: Double, y: Double)], _ style: String) -> Markup {
        let text = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
        return .element("polygon", ["points": text, "class": style])
    }

    /// Explains the marks of style `compared`: one of them, and what they stand for.
    static func comparedKey(_ name: String, _ x: Double, _ y: Double) -> Markup {
        var shapes = line(x + 4, y, x + 4, y + 14, "compared")
        shapes.append(text(name, x + 12, y + 12, .start, "soft"))
        return shapes
    }

    /// The mean width of a character. Fonts differ, so this is a wide one's.
    private static let characterWidth = 7.4
    private static let wideLetters: Set<Character> = ["W", "M", "w", "m", "@", "%"]

    private static func width(of character: Character) -> Double {
        // Han, kana, Hangul and emoji begin there.
        let isWide = character.unicodeScalars.contains { $0.value >= 0x2E80 } || wideLetters.contains(character)
        return isWide ? 13.5 : characterWidth
    }

    /// About how wide a label is in the chart's font.
    static func width(of text: String) -> Double { text.reduce(0) { $0 + width(of: $1) } }

    /// The text, cut to a width, with `…` for what is left out.
    static func shortened(_ text: String, to width: Double) -> String {
        guard self.width(of: text) > width else { return text }
        var rest = width - characterWidth
        let kept = text.prefix { character in
            rest -= self.width(of: character)
            return rest >= 0
        }
        return kept + "…"
    }
}

/// How a series looks. Each has a colour, a dash pattern and a marker of its own, so that no two differ by colour alone. Its name
/// is that of the class that sets the colour and the dash pattern.
enum SeriesStyle: CaseIterable {
    case blue, grey, orange, green

    /// The marker at a point.
    func marker(_ x: Double, _ y: Double, size: Double = 3.2, isHollow: Bool = false) -> Markup {
        let style = isHollow ? "marker hollow \(self)" : "marker \(self)"
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
