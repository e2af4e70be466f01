/// Finds out how far a text has the shape of a time, for messages. It ignores the calendar: 99/Xyz/9999 has the shape
/// of a date.
struct TimeShape {
    private let text: [UInt8]
    private let end: Int
    /// The offset of the first byte that does not match.
    private(set) var index: Int

    init(_ line: Span<UInt8>, _ range: Range<Int>) {
        text = (0..<range.upperBound).map { line[$0] }
        end = range.upperBound
        index = range.lowerBound
    }

    /// `19/Nov/2026:10:00:00.584 +0100`; the fraction and the offset are optional.
    mutating func isTimeLocal() -> Bool {
        guard takes("00/Aaa/0000:00:00:00") else { return false }
        guard takesFraction(after: ".") else { return false }
        return index == end || (takes(" ") && takesOne(of: "+-") && takes("0000") && index == end)
    }

    /// `2026-11-19T10:00:00.584+01:00`; the fraction and the offset are optional.
    mutating func isISO8601() -> Bool {
        guard takes("0000-00-00"), takesOne(of: "T "), takes("00:00:00") else { return false }
        guard takesFraction(after: ".:") else { return false }
        if index == end { return true }
        if takesOne(of: "Z") { return index == end }
        guard takesOne(of: "+-"), takes("00") else { return false }
        if index == end { return true }
        _ = takesOne(of: ":")
        return takes("00") && index == end
    }

    /// `1795078800.123`; the fraction is optional.
    mutating func isSeconds() -> Bool {
        takesDigits() && takesFraction(after: ".") && index == end
    }

    /// Any of the three; if none matches, `index` is from the one that matches furthest.
    mutating func isAny() -> Bool {
        var shapes = [self, self, self]
        let fits = [shapes[0].isTimeLocal(), shapes[1].isISO8601(), shapes[2].isSeconds()]
        let best = fits.firstIndex(of: true) ?? shapes.indices.max { shapes[$0].index < shapes[$1].index } ?? 0
        index = shapes[best].index
        return fits[best]
    }

    /// Advances over a pattern: `0` is any digit, `a` and `A` are any letter, other bytes stand for themselves.
    private mutating func takes(_ pattern: String) -> Bool {
        for wanted in pattern.utf8 {
            guard index < end else { return false }
            let fits =
                wanted == 0x30 ? text[index].isDigit : wanted.isLetter ? text[index].isLetter : text[index] == wanted
            guard fits else { return false }
            index += 1
        }
        return true
    }

    private mutating func takesOne(of bytes: String) -> Bool {
        guard index < end, bytes.utf8.contains(text[index]) else { return false }
        index += 1
        return true
    }

    /// Advances over an optional fraction.
    private mutating func takesFraction(after points: String) -> Bool {
        takesOne(of: points) ? takesDigits() : true
    }

    /// Advances over one or more digits.
    private mutating func takesDigits() -> Bool {
        let start = index
        while index < end, text[index].isDigit { index += 1 }
        return index > start
    }
}
