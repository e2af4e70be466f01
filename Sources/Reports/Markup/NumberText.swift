import Messages

/// Numbers for people. Spaces in them do not break.
enum NumberText {
    private static let space = "\u{A0}"
    /// Stands for a number that is unknown or meaningless.
    static let none = "–"

    /// `1,234,567`
    static func exact(_ value: Int) -> String { Text.number(value).replacing("-", with: "−") }

    /// At most three or four digits: `9,876`, `54.3 k`, `351 k`, `1.37 M`.
    static func rounded(_ value: Int) -> String {
        guard value.magnitude >= 10_000 else { return exact(value) }
        var scaled = Double(value)
        for unit in ["k", "M", "G", "T"] {
            scaled /= 1000
            let size = abs(scaled)
            let places = size < 9.995 ? 2 : size < 99.95 ? 1 : 0
            if size < 999.5 || unit == "T" { return decimal(scaled, places: places) + space + unit }
        }
        return exact(value)
    }

    /// A number on an axis: `0`, `2,525`, `20 k`, `0.5`, without zeros after the point.
    static func tick(_ value: Double) -> String {
        if abs(value) < 10_000, value == value.rounded() { return exact(Int(value)) }
        let (scaled, unit) =
            switch abs(value) {
            case 1e9...: (value / 1e9, space + "G")
            case 1e6...: (value / 1e6, space + "M")
            case 1e3...: (value / 1e3, space + "k")
            default: (value, "")
            }
        return short(scaled, places: 2) + unit
    }

    /// `25.7 %` of a ratio of 0.257. A small one must not read as 0: `0.024 %`.
    static func percent(_ ratio: Double?, places: Int = 1) -> String {
        ratio.map { decimal($0 * 100, places: max(places, self.places($0))) + space + "%" } ?? none
    }

    /// `70 %`. A rate below 1 is never shown as `100 %`.
    static func wholePercent(_ ratio: Double?) -> String {
        percent(ratio.map { $0 < 1 ? min($0, 0.99) : $0 }, places: 0)
    }

    private static func places(_ ratio: Double) -> Int { 0 < ratio && ratio < 0.0005 ? 3 : 0 }

    /// A ratio on an axis: `2.5 %`.
    static func percentTick(_ ratio: Double) -> String {
        short(ratio * 100, places: 4) + space + "%"
    }

    /// Without zeros at the end.
    private static func short(_ value: Double, places: Int) -> String {
        decimal(value, places: places).replacing(/\.?0+$/, with: "")
    }

    /// A relative change, `+4.2 %` or `−100 %`; nothing to compare with gives `–`.
    static func change(from before: Int, to now: Int) -> String {
        guard before > 0 else { return none }
        let percent = (Double(now) - Double(before)) / Double(before) * 100
        return signed(percent, places: abs(percent) < 99.95 ? 1 : 0) + space + "%"
    }

    /// A change of a rate in percentage points: `+0.3 pt`.
    static func points(from before: Double?, to now: Double?) -> String {
        guard let before, let now else { return none }
        return signed((now - before) * 100, places: 1) + space + "pt"
    }

    /// `1 delivery`, `1,234 deliveries`
    static func deliveries(_ count: Int) -> String {
        Text.plural(count, of: "delivery", irregular: "deliveries")
    }

    /// `+790`, `−5,000`
    static func signed(_ value: Int) -> String { value > 0 ? "+" + exact(value) : exact(value) }

    /// `11.9–12.7 %`
    static func interval(_ interval: ClosedRange<Double>?) -> String {
        guard let interval else { return none }
        return decimal(interval.lowerBound * 100, places: max(1, places(interval.lowerBound))) + "–"
            + percent(interval.upperBound)
    }

    private static func signed(_ value: Double, places: Int) -> String {
        let text = decimal(value, places: places)
        return text.hasPrefix("−") || text == none
            ? text : text.allSatisfy { "0.".contains($0) } ? "±" + text : "+" + text
    }

    /// A number with a fixed number of decimal places, and never `−0.0`. A number too large for an integer is shown as
    /// `–`.
    static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        guard let scaled = Int(exactly: (value * Double(scale)).rounded()) else { return none }
        let whole = exact(Int(scaled.magnitude) / scale)
        let sign = scaled < 0 ? "−" : ""
        guard places > 0 else { return sign + whole }
        let rest = String(Int(scaled.magnitude) % scale)
        return sign + whole + "." + String(repeating: "0", count: places - rest.count) + rest
    }
}
