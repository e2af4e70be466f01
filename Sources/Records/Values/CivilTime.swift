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
}

extension CivilTime {
    /// Parses `2026-11-19T10:00:00.123Z` and the like; nil if it is no time.
    /// - Parameter dateAlone: whether a date without a time is valid; it means 00:00.
    package init?(iso text: Span<UInt8>, in range: Range<Int>, dateAlone: Bool) {
        guard let time = try? CivilTime.iso(text, in: range, dateAlone: dateAlone) else { return nil }
        self = time
    }

    /// Parses `dd/Mon/yyyy:HH:MM:SS`, an optional fraction after a point, and an optional offset ` ±hhmm`.
    static func timeLocal(_ text: Span<UInt8>, in range: Range<Int>) throws(TimeFault) -> CivilTime {
        var reader = TimeReader(text, in: range)
        let day = try reader.number(digits: 2)
        try reader.take(UInt8(ascii: "/"))
        let month = try reader.month()
        try reader.take(UInt8(ascii: "/"))
        let year = try reader.number(digits: 4)
        try reader.take(UInt8(ascii: ":"))
        var time = CivilTime(seconds: reader.date(year: year, month: month, day: day))
        time.seconds += try reader.timeOfDay()
        if reader.takes(UInt8(ascii: ".")) { time.milliseconds = try reader.fraction() }
        if !reader.isAtEnd {
            try reader.take(0x20)
            time.offset = try reader.offset(mayVary: false)
        }
        try reader.takeEnd()
        try reader.finish()
        return time
    }

    /// Parses `YYYY-MM-DD`, `T` or a space, `HH:MM:SS`, an optional fraction after `.` or `:`, and an optional zone,
    /// perhaps after a space: `Z`, `UTC`, `GMT`, `±hh`, `±hhmm` or `±hh:mm`.
    /// - Parameter dateAlone: whether a date without a time is valid; it means 00:00.
    static func iso(_ text: Span<UInt8>, in range: Range<Int>, dateAlone: Bool) throws(TimeFault) -> CivilTime {
        var reader = TimeReader(text, in: range)
        let year = try reader.number(digits: 4)
        try reader.take(UInt8(ascii: "-"))
        let month = try reader.number(digits: 2)
        try reader.take(UInt8(ascii: "-"))
        let day = try reader.number(digits: 2)
        var time = CivilTime(seconds: reader.date(year: year, month: month, day: day))
        if !dateAlone || !reader.isAtEnd {
            if !reader.takes(UInt8(ascii: "T")) { try reader.take(0x20) }
            time.seconds += try reader.timeOfDay()
            if reader.takes(UInt8(ascii: ".")) || reader.takes(UInt8(ascii: ":")) {
                time.milliseconds = try reader.fraction()
            }
            if !reader.isAtEnd {
                _ = reader.takes(0x20)
                time.offset = try reader.takesUTC() ? 0 : reader.offset(mayVary: true)
            }
        }
        try reader.takeEnd()
        try reader.finish()
        return time
    }

    /// Parses `YYYYMMDDhhmmss` in the years 1970 to 2099; nil if it is something else, perhaps a number of
    /// milliseconds.
    package init?(digits text: Span<UInt8>, in range: Range<Int>) {
        guard range.count == 14, range.allSatisfy({ text[$0].isDigit }) else { return nil }
        var reader = TimeReader(text, in: range)
        func number(_ reader: inout TimeReader, digits: Int) -> Int { (try? reader.number(digits: digits)) ?? 0 }
        let year = number(&reader, digits: 4)
        let month = number(&reader, digits: 2)
        let day = number(&reader, digits: 2)
        var time = CivilTime(seconds: reader.date(year: year, month: month, day: day))
        let hour = number(&reader, digits: 2)
        let minute = number(&reader, digits: 2)
        time.seconds += reader.timeOfDay(hour: hour, minute: minute, second: number(&reader, digits: 2))
        guard (1970...2099).contains(year), (try? reader.finish()) != nil else { return nil }
        self = time
    }
}
