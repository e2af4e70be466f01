import Calendar

/// Reads the parts of a time from left to right. It throws at the first byte that has not the shape of a time. That a
/// date or a time of day does not exist is noted meanwhile, and thrown by `finish`.
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

    /// The name of a zone: what stands before a literal, as in `W. Europe Standard Time]`. A line that was cut in the
    /// name, and goes on with another line, has a quote, a bracket or a colon before the literal, which no name has.
    /// Without a literal only letters, digits and `+-_/` are of the name.
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
