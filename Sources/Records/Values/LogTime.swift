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

    /// Parses `YYYY-MM-DD`, `T` or a space, `HH:MM:SS`, an optional fraction after `.` or `:`, and an optional zone, perhaps
    /// after a space: `Z`, `UTC`, `GMT`, `±hh`, `±hhmm` or `±hh:mm`.
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

    /// Parses `YYYYMMDDhhmmss` in the years 1970 to 2099; nil if it is something else, perhaps a number of milliseconds.
    init?(digits text: Span<UInt8>, in range: Range<Int>) {
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

/// Why a text is no time, for messages.
enum TimeFault: Error {
    /// The byte at this offset, or the end of the text there, is not what a time has there.
    case shape(at: Int)
    // Faults of texts that have the shape of a time.
    case noSuchDate, noSuchTimeOfDay, noSuchOffset, beyondYear9999
}

extension TimeFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .shape: "something else"
        case .noSuchDate: "a date that does not exist"
        case .noSuchTimeOfDay: "a time of day that does not exist"
        case .noSuchOffset: "an offset that does not exist"
        case .beyondYear9999: "a time beyond the year 9999"
        }
    }

    /// Of the faults of one text by two formats, that of the format that fits further.
    func orFurther(_ other: TimeFault) -> TimeFault {
        guard case .shape(let offset) = self else { return self }
        guard case .shape(let otherOffset) = other else { return other }
        return otherOffset > offset ? other : self
    }
}

/// Reads the parts of a time from left to right. It throws at the first byte that has not the shape of a time. That a date
/// or a time of day does not exist is noted meanwhile, and thrown by `finish`.
struct TimeReader: ~Escapable {
    private let text: Span<UInt8>
    private let end: Int
    private(set) var index: Int
    private var fault: TimeFault?

    @_lifetime(copy text)
    init(_ text: Span<UInt8>, in range: Range<Int>) {
        self.text = text
        index = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { index == end }

    mutating func note(_ fault: TimeFault) {
        if self.fault == nil { self.fault = fault }
    }

    func finish() throws(TimeFault) {
        if let fault { throw fault }
    }

    /// Whether this byte comes next.
    @inline(__always)
    func isNext(_ byte: UInt8) -> Bool { index < end && text[index] == byte }

    /// Takes this byte if it comes next.
    @inline(__always)
    mutating func takes(_ byte: UInt8) -> Bool {
        guard isNext(byte) else { return false }
        index &+= 1
        return true
    }

    @inline(__always)
    mutating func take(_ byte: UInt8) throws(TimeFault) {
        guard takes(byte) else { throw .shape(at: index) }
    }

    func takeEnd() throws(TimeFault) {
        guard isAtEnd else { throw .shape(at: index) }
    }

    /// Reads a number of exactly this many digits.
    @inline(__always)
    mutating func number(digits: Int) throws(TimeFault) -> Int {
        guard index &+ digits <= end, let number = text.number(at: index, digits: digits) else {
            throw .shape(at: index + leadingDigits)
        }
        index &+= digits
        return number
    }

    /// Reads a number of two digits, of which the first may be a space.
    mutating func paddedNumber() throws(TimeFault) -> Int {
        takes(0x20) ? try number(digits: 1) : try number(digits: 2)
    }

    /// The digits that come next. There is at least one.
    mutating func digits() throws(TimeFault) -> Range<Int> {
        let start = index
        index += leadingDigits
        guard index > start else { throw .shape(at: index) }
        return start..<index
    }

    private var leadingDigits: Int { (index..<end).prefix { text[$0].isDigit }.count }

    /// The bytes that come next and fulfil a condition. There is at least one.
    mutating func word(_ isOfWord: (UInt8) -> Bool) throws(TimeFault) -> Range<Int> {
        let start = index
        while index < end, isOfWord(text[index]) { index += 1 }
        guard index > start else { throw .shape(at: index) }
        return start..<index
    }

    /// The name of a zone: what stands before a literal, as in `W. Europe Standard Time]`. A line that was cut in the name,
    /// and goes on with another line, has a quote, a bracket or a colon before the literal, which no name has. Without a
    /// literal only letters, digits and `+-_/` are of the name.
    mutating func zoneName(before literal: [UInt8]) throws(TimeFault) -> Range<Int> {
        guard !literal.isEmpty else { return try word { $0.isLetter || $0.isDigit || "+-_/".utf8.contains($0) } }
        let start = index
        while index < end, !text.holds(literal, at: index), text[index] >= 0x20, !"\"[]:".utf8.contains(text[index]) {
            index += 1
        }
        guard index > start else { throw .shape(at: index) }
        return start..<index
    }

    /// Reads `Jan` to `Dec`. Another word of three letters is no month: 0.
    mutating func month() throws(TimeFault) -> Int {
        for _ in 0..<3 {
            guard index < end, text[index].isLetter else { throw .shape(at: index) }
            index += 1
        }
        return 1 + (Self.months.firstIndex { text.holds($0, at: index - 3) } ?? -1)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map { ascii($0) }

    /// Reads `HH:MM:SS` and returns seconds.
    @inline(__always)
    mutating func timeOfDay() throws(TimeFault) -> Int64 {
        let hour = try number(digits: 2)
        try take(UInt8(ascii: ":"))
        let minute = try number(digits: 2)
        try take(UInt8(ascii: ":"))
        return timeOfDay(hour: hour, minute: minute, second: try number(digits: 2))
    }

    /// Second 60, a leap second, equals second 0 of the next minute.
    mutating func timeOfDay(hour: Int, minute: Int, second: Int) -> Int64 {
        if hour > 23 || minute > 59 || second > 60 { note(.noSuchTimeOfDay) }
        return Int64(hour * 3600 + minute * 60 + second)
    }

    /// The seconds from 1970 to the beginning of a date.
    mutating func date(year: Int, month: Int, day: Int) -> Int64 {
        guard let number = CivilCalendar.dayNumber(year: year, month: month, day: day) else {
            note(.noSuchDate)
            return 0
        }
        return Int64(number) * 86_400
    }

    /// Reads one or more digits of a fraction. Returns milliseconds, and drops what is finer.
    mutating func fraction() throws(TimeFault) -> Int64 {
        let digits = try digits()
        var milliseconds = 0 as Int64
        for index in digits.lowerBound..<digits.lowerBound + 3 {
            milliseconds = milliseconds * 10 + (index < digits.upperBound ? Int64(text[index] - 0x30) : 0)
        }
        return milliseconds
    }

    /// Takes the name of UTC: `Z`, `UTC` or `GMT`.
    mutating func takesUTC() -> Bool {
        if takes(UInt8(ascii: "Z")) { return true }
        guard isNext(UInt8(ascii: "U")) || isNext(UInt8(ascii: "G")), index &+ 3 <= end,
            text.holds(Self.utc, at: index) || text.holds(Self.gmt, at: index)
        else { return false }
        index &+= 3
        return true
    }

    private static let utc = ascii("UTC")
    private static let gmt = ascii("GMT")

    /// Reads `±hhmm` and returns seconds. If it `mayVary`, also `±hh` and `±hh:mm`.
    mutating func offset(mayVary: Bool) throws(TimeFault) -> Int64 {
        let isNegative = isNext(UInt8(ascii: "-"))
        try take(isNegative ? UInt8(ascii: "-") : UInt8(ascii: "+"))
        let hours = try number(digits: 2)
        var minutes = 0
        if !mayVary || !isAtEnd {
            if mayVary { _ = takes(UInt8(ascii: ":")) }
            minutes = try number(digits: 2)
        }
        if hours > 23 || minutes > 59 { note(.noSuchOffset) }
        return Int64(hours * 3600 + minutes * 60) * (isNegative ? -1 : 1)
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
