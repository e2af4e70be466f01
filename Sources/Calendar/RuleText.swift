/// The text of a zone's rule, read from its beginning to its end.
struct RuleText {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips an ASCII character if it comes next.
    mutating func skip(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a zone's abbreviation: `CET`, `<+0330>`. Returns nil if there is none.
    mutating func abbreviation() -> String? {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(Substring(rest[..<end]))
        }
        let name = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 ? String(Substring(name)) : nil
    }

    /// Reads a decimal number; nil if there is none in this range.
    mutating func number(in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        rest = rest.dropFirst(digits.count)
        guard digits.count <= 3, let number = Int(Substring(digits)), range.contains(number) else { return nil }
        return number
    }

    /// Reads hours, and minutes and seconds if they are given, as seconds: `2`, `-1:30`, `+9:30:15`.
    mutating func offset() -> Int32? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(in: 0...167).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where skip(":") {
            guard let number = number(in: 0...59) else { return nil }
            seconds += number * unit
        }
        return Int32(isNegative ? -seconds : seconds)
    }
}
