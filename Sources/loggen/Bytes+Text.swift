import Calendar
import Reference

/// Lines are made at the end of an array of bytes.
extension Bytes {
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// With leading zeros up to `digits`.
    mutating func append(decimal value: Int, digits: Int = 1) {
        if value < 0 { append(0x2D) }
        append(value.magnitude, base: 10, digits)
    }

    /// In lower case, with leading zeros up to `digits`.
    mutating func append(hex value: UInt64, digits: Int = 1) {
        append(UInt(value), base: 16, digits)
    }

    @inline(__always)
    private mutating func append(_ value: UInt, base: UInt, _ width: Int) {
        var digits = InlineArray<20, UInt8>(repeating: 0x30)
        var (rest, place) = (value, 20)
        repeat {
            place -= 1
            digits[place] = UInt8(truncatingIfNeeded: rest % base) + (rest % base < 10 ? 0x30 : 0x57)
            rest /= base
        } while rest > 0
        for index in Swift.min(place, 20 - width)..<20 { append(digits[index]) }
    }

    /// What stands before a member of a JSON object: a comma, but after the opening brace.
    mutating func appendComma() {
        if last != 0x7B { append(0x2C) }
    }

    /// A member of a JSON object, if it has a text. `name` ends with a colon.
    mutating func append(_ name: String, json value: String?) {
        guard let value else { return }
        appendComma()
        append(name)
        append(value)
    }

    /// A time in milliseconds, where clocks are `offset` seconds ahead of UTC. In the pattern, `%Y`, `%m`, `%b`, `%d`,
    /// `%H`, `%M`, `%S`, `%s` and `%z` are those of `strftime`; `%Z` is `+01:00` or `Z`, `%L` the milliseconds of the
    /// second, `%Q` all milliseconds since 1970.
    mutating func append(time milliseconds: Int, as pattern: String, offset: Int = 0) {
        let second = floored(milliseconds, by: 1000)
        let day = floored(second + offset, by: 86_400)
        let ofDay = second + offset - day * 86_400
        let date = CivilCalendar.date(ofDayNumber: day)
        var isField = false
        for byte in pattern.utf8 {
            if !isField {
                if byte == UInt8(ascii: "%") { isField = true } else { append(byte) }
                continue
            }
            isField = false
            switch Unicode.Scalar(byte) {
            case "Y": append(decimal: date.year, digits: 4)
            case "m": append(decimal: date.month, digits: 2)
            case "b": append(Self.months[date.month - 1])
            case "d": append(decimal: date.day, digits: 2)
            case "H": append(decimal: ofDay / 3600, digits: 2)
            case "M": append(decimal: ofDay / 60 % 60, digits: 2)
            case "S": append(decimal: ofDay % 60, digits: 2)
            case "s": append(decimal: second)
            case "L": append(decimal: milliseconds - second * 1000, digits: 3)
            case "Q": append(decimal: milliseconds)
            case "Z" where offset == 0: append("Z")
            default:
                append(offset < 0 ? "-" : "+")
                append(decimal: abs(offset) / 3600, digits: 2)
                if byte == UInt8(ascii: "Z") { append(":") }
                append(decimal: abs(offset) / 60 % 60, digits: 2)
            }
        }
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// All chance here. Each draw takes one number.
extension SplitMix64 {
    /// A number from 0 to `limit` − 1.
    mutating func draw(_ limit: Int) -> Int { Int(Self.scale(next(), to: UInt64(limit))) }

    /// True `count` times in a thousand.
    mutating func perMille(_ count: Int) -> Bool { draw(1000) < count }

    mutating func one<T>(of values: [T]) -> T { values[draw(values.count)] }

    /// Maps 64 random bits to 0 ..< limit.
    static func scale(_ bits: UInt64, to limit: UInt64) -> UInt64 { bits.multipliedFullWidth(by: limit).high }
}

extension ZoneRules {
    /// Seconds east of Greenwich at an instant in seconds.
    func offset(at second: Int) -> Int { Int(offset(at: Int64(second))) }

    /// The first instant of a day, in seconds.
    func start(of day: LogDate) -> Int {
        let midnight = day.dayNumber * 86_400
        return midnight - Int(offset(atLocal: Int64(midnight)))
    }

    /// Whether the clocks are turned near an instant, so that a local time alone could mean two of them.
    func turns(near second: Int) -> Bool { offset(at: second - 10_800) != offset(at: second + 10_800) }
}
