import Calendar

/// The parts of a time that are spread over a line. The first one of each kind counts.
struct TimeParts {
    /// A part of the time.
    enum Part: Int, Sendable {
        case year, month, dayOfMonth, dayOfYear, hour, halfDayHour, halfDay, minute, second, fraction, offset, epoch
    }

    private var numbers = InlineArray<12, Int>(repeating: 0)
    /// A bit for each part that is there.
    private var present = 0
    /// Whether all parts had the shape that the format gives them.
    var isValid = true
    /// The name of the zone in the line.
    var zoneName: Range<Int>?

    var isEmpty: Bool { present == 0 && zoneName == nil && isValid }

    /// Sets a part, unless it is there already. The time since 1970 is in seconds, a fraction in microseconds. An offset
    /// `+hhmm` is the number hhmm, and `-hhmm` is -hhmm - 1.
    mutating func set(_ part: Part, _ number: Int) {
        guard present & 1 << part.rawValue == 0 else { return }
        present |= 1 << part.rawValue
        numbers[part.rawValue] = number
    }

    private subscript(part: Part) -> Int? {
        present & 1 << part.rawValue == 0 ? nil : numbers[part.rawValue]
    }

    /// Appends the time as `1795078800.123`, `2026-11-19T10:00:00.123+0100` or `2026-11-19T10:00:00.123 CET` and returns
    /// its form; nil if there is no such time. Whether the date and the zone exist is not checked.
    /// - Parameter line: the line that the parts are from.
    func append(to bytes: inout [UInt8], _ line: Span<UInt8>) -> ReceiptClock.Form? {
        guard isValid else { return nil }
        var text = TimeText()
        let milliseconds = (self[.fraction] ?? 0) / 1000
        if let epoch = self[.epoch] {
            bytes += Array("\(epoch)".utf8)
            text.append(".", milliseconds, digits: 3)
            text.append(to: &bytes)
            return .msec
        }
        guard let year = self[.year], let (month, day) = monthAndDay(year), let hour, let minute = self[.minute],
            let second = self[.second]
        else { return nil }
        text.append(nil, year, digits: 4)
        text.append("-", month, digits: 2)
        text.append("-", day, digits: 2)
        text.append("T", hour, digits: 2)
        text.append(":", minute, digits: 2)
        text.append(":", second, digits: 2)
        text.append(".", milliseconds, digits: 3)
        if let offset = self[.offset] {
            text.append(offset < 0 ? "-" : "+", offset < 0 ? -offset - 1 : offset, digits: 4)
        }
        text.append(to: &bytes)
        guard let zoneName else { return .iso8601 }
        bytes.append(0x20)
        bytes.append(line, zoneName)
        return .named
    }

    private func monthAndDay(_ year: Int) -> (month: Int, day: Int)? {
        if let month = self[.month], let day = self[.dayOfMonth] { return (month, day) }
        guard let dayOfYear = self[.dayOfYear], dayOfYear > 0,
            let newYear = CivilCalendar.dayNumber(year: year, month: 1, day: 1)
        else { return nil }
        let date = CivilCalendar.date(ofDayNumber: newYear + dayOfYear - 1)
        return date.year == year ? (date.month, date.day) : nil
    }

    /// Why there is no time, although all parts are there.
    var fault: TimeFault {
        guard isValid, self[.epoch] == nil, let year = self[.year] else { return .beyondYear9999 }
        return monthAndDay(year) == nil ? .noSuchDate : .noSuchTimeOfDay
    }

    private var hour: Int? {
        if let hour = self[.hour] { return hour }
        guard let hour = self[.halfDayHour], (1...12).contains(hour), let halfDay = self[.halfDay] else { return nil }
        return hour % 12 + halfDay
    }
}

/// The text of a time, of at most 32 bytes.
private struct TimeText {
    private var content = InlineArray<32, UInt8>(repeating: 0)
    private var count = 0

    mutating func append(_ separator: Unicode.Scalar?, _ number: Int, digits: Int) {
        if let separator {
            content[count] = UInt8(truncatingIfNeeded: separator.value)
            count += 1
        }
        // No number is negative.
        var rest = UInt(truncatingIfNeeded: number)
        count += digits
        for index in 1...digits {
            content[count - index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }

    func append(to bytes: inout [UInt8]) { bytes.append(content.span, 0..<count) }
}
