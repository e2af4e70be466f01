/// Looks how far a text has the shape of a time. It knows nothing of calendars: 99/Xyz/9999 looks like a date.
struct TimeShape {
    private let text: [UInt8]
    private let end: Int
    /// Of the first byte that does not fit.
    private(set) var index: Int

    init(_ line: Span<UInt8>, _ range: Range<Int>) {
        text = (0..<range.upperBound).map { line[$0] }
        end = range.upperBound
        index = range.lowerBound
    }

    /// `19/Nov/2026:10:00:00.584 +0100`, the fraction and the offset optional.
    mutating func isTimeLocal() -> Bool {
        guard takes("00/Aaa/0000:00:00:00") else { return false }
        guard takesFraction(behind: ".") else { return false }
        return index == end || (takes(" ") && takesOne(of: "+-") && takes("0000") && index == end)
    }

    /// `2026-11-19T10:00:00.584+01:00`, the fraction and the offset optional.
    mutating func isISO8601() -> Bool {
        guard takes("0000-00-00"), takesOne(of: "T "), takes("00:00:00") else { return false }
        guard takesFraction(behind: ".:") else { return false }
        if index == end { return true }
        if takesOne(of: "Z") { return index == end }
        guard takesOne(of: "+-"), takes("00") else { return false }
        if index == end { return true }
        _ = takesOne(of: ":")
        return takes("00") && index == end
    }

    /// `1795078800.123`, the fraction optional.
    mutating func isSeconds() -> Bool {
        takesDigits() && takesFraction(behind: ".") && index == end
    }

    /// The one of the three that the text looks most like.
    mutating func isAny() -> Bool {
        var shapes = [self, self, self]
        let fits = [shapes[0].isTimeLocal(), shapes[1].isISO8601(), shapes[2].isSeconds()]
        let best = fits.firstIndex(of: true) ?? shapes.indices.max { shapes[$0].index < shapes[$1].index } ?? 0
        index = shapes[best].index
        return fits[best]
    }

    /// Steps over bytes of these kinds: `0` is any digit, `a` and `A` any letter, all else is itself.
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

    /// Steps over a fraction, if there is one.
    private mutating func takesFraction(behind points: String) -> Bool {
        takesOne(of: points) ? takesDigits() : true
    }

    /// Steps over at least one digit.
    private mutating func takesDigits() -> Bool {
        let start = index
        while index < end, text[index].isDigit { index += 1 }
        return index > start
    }
}
