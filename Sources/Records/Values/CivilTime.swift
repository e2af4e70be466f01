import Calendar

/// A date and a time of day in a text, such as `19/Nov/2026:10:00:00 +0100` or `2026-11-19T10:00:00.123Z`.
package struct CivilTime: Equatable {
    /// Seconds since 1970-01-01T00:00:00 local time.
    package var seconds: Int64
    /// The milliseconds within the second.
    package var milliseconds: Int64 = 0
    /// The offset in seconds east of UTC; nil if the text has none.
    package var offset: Int64?

    /// The instant in milliseconds since 1970-01-01T00:00:00Z. `offset` is in seconds east of UTC.
    package func instant(offset: Int64) -> Int64 {
        (seconds - offset) * 1000 + milliseconds
    }

    /// Parses `dd/Mon/yyyy:HH:MM:SS`, an optional fraction after a point, and an optional offset ` ±hhmm`.
    init?(timeLocal text: Span<UInt8>, _ range: Range<Int>) {
        let start = range.lowerBound
        guard range.count >= 20, text[start + 2] == UInt8(ascii: "/"),
            text[start + 6] == UInt8(ascii: "/"), text[start + 11] == UInt8(ascii: ":"),
            let day = text.number(at: start, digits: 2), let month = Self.month(text, at: start + 3),
            let year = text.number(at: start + 7, digits: 4),
            let date = CivilCalendar.dayNumber(year: year, month: month, day: day),
            let time = Self.timeOfDay(text, at: start + 12)
        else { return nil }
        seconds = Int64(date) * 86_400 + time
        var next = start + 20
        if next < range.upperBound, text[next] == UInt8(ascii: ".") {
            guard readFraction(text, &next, range.upperBound) else { return nil }
        }
        guard next < range.upperBound else { return }
        guard range.upperBound - next == 6, text[next] == 0x20,
            let offset = Self.offset(text, next + 1..<range.upperBound)
        else { return nil }
        self.offset = offset
    }

    /// Parses `YYYY-MM-DD`, `T` or a space, `HH:MM:SS`, an optional fraction and an optional offset.
    /// - Parameter dateAlone: whether a date without a time is valid; it means 00:00.
    package init?(iso text: Span<UInt8>, _ range: Range<Int>, dateAlone: Bool) {
        let start = range.lowerBound
        let end = range.upperBound
        guard range.count >= 10, text[start + 4] == UInt8(ascii: "-"), text[start + 7] == UInt8(ascii: "-"),
            let year = text.number(at: start, digits: 4), let month = text.number(at: start + 5, digits: 2),
            let day = text.number(at: start + 8, digits: 2),
            let date = CivilCalendar.dayNumber(year: year, month: month, day: day)
        else { return nil }
        seconds = Int64(date) * 86_400
        if range.count == 10, dateAlone { return }
        guard range.count >= 19, text[start + 10] == UInt8(ascii: "T") || text[start + 10] == 0x20,
            let time = Self.timeOfDay(text, at: start + 11)
        else { return nil }
        seconds += time
        var next = start + 19
        if next < end, text[next] == UInt8(ascii: ".") || text[next] == UInt8(ascii: ":") {
            guard readFraction(text, &next, end) else { return nil }
        }
        guard next < end else { return }
        if text[next] == UInt8(ascii: "Z"), next + 1 == end {
            offset = 0
        } else {
            guard let offset = Self.offset(text, next..<end) else { return nil }
            self.offset = offset
        }
    }

    /// Reads the digits after the byte at `next`, truncated to milliseconds. Returns false if there are no digits.
    private mutating func readFraction(_ text: Span<UInt8>, _ next: inout Int, _ end: Int) -> Bool {
        var digits = 0
        next += 1
        while next < end, text[next].isDigit {
            if digits < 3 { milliseconds = milliseconds * 10 + Int64(text[next] - 0x30) }
            digits += 1
            next += 1
        }
        for _ in digits..<max(digits, 3) { milliseconds *= 10 }
        return digits > 0
    }

    /// Parses `HH:MM:SS` and returns seconds. Second 60, a leap second, equals second 0 of the next minute.
    private static func timeOfDay(_ text: Span<UInt8>, at start: Int) -> Int64? {
        guard text[start + 2] == UInt8(ascii: ":"), text[start + 5] == UInt8(ascii: ":"),
            let hour = text.number(at: start, digits: 2), hour < 24,
            let minute = text.number(at: start + 3, digits: 2), minute < 60,
            let second = text.number(at: start + 6, digits: 2), second <= 60
        else { return nil }
        return Int64(hour * 3600 + minute * 60 + second)
    }

    /// Parses `±hh`, `±hhmm` or `±hh:mm` and returns seconds. In `time_local` the range has five bytes, so only `±hhmm`
    /// fits.
    static func offset(_ text: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        let start = range.lowerBound
        guard range.count >= 3, let hours = text.number(at: start + 1, digits: 2), hours < 24 else { return nil }
        let minutes: Int?
        switch range.count {
        case 3: minutes = 0
        case 5: minutes = text.number(at: start + 3, digits: 2)
        case 6: minutes = text[start + 3] == UInt8(ascii: ":") ? text.number(at: start + 4, digits: 2) : nil
        default: minutes = nil
        }
        guard let minutes, minutes < 60 else { return nil }
        switch text[start] {
        case UInt8(ascii: "+"): return Int64(hours * 3600 + minutes * 60)
        case UInt8(ascii: "-"): return -Int64(hours * 3600 + minutes * 60)
        default: return nil
        }
    }

    /// The month of `Jan/` to `Dec/`, from 1 to 12.
    private static func month(_ text: Span<UInt8>, at start: Int) -> Int? {
        let word = text.halfWord(at: start)
        return months.indices.first { months[$0] == word }.map { $0 + 1 }
    }

    private static let months = InlineArray<12, UInt32> { index in
        ascii("Jan/Feb/Mar/Apr/May/Jun/Jul/Aug/Sep/Oct/Nov/Dec/").span.halfWord(at: 4 * index)
    }
}

extension Span<UInt8> {
    /// The number of exactly this many decimal digits; nil if there is another byte.
    @inline(__always)
    func number(at start: Int, digits: Int) -> Int? {
        var number = 0
        for index in start..<start + digits {
            let digit = self[index] &- 0x30
            guard digit < 10 else { return nil }
            number = number &* 10 &+ Int(digit)
        }
        return number
    }
}
