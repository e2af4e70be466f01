/// The spellings of a time in JSON.
enum TimeText: CaseIterable {
    case zulu, offset, fraction, brazePattern, shortOffset, seconds, milliseconds
    // Rarer ones.
    case zoneless, decimalText, dateAlone, nanoseconds, decimal, west, exponent, millisecondText

    static let all = allCases
    static let common: [TimeText] = [.zulu, .offset, .fraction, .brazePattern, .shortOffset, .seconds, .milliseconds]

    /// The JSON text of a time, and the time that it says, in milliseconds.
    func spell(_ milliseconds: Int) -> (json: String, time: Int) {
        var json = ByteBuffer(capacity: 64)
        write(milliseconds, into: &json)
        return (String(decoding: json.contents, as: UTF8.self), said(of: milliseconds))
    }

    /// What is left of a time that is spelled so; its text is the same.
    func said(of milliseconds: Int) -> Int {
        switch self {
        case .zulu, .offset, .shortOffset, .seconds, .zoneless: floorDivide(milliseconds, 1000) * 1000
        case .dateAlone: floorDivide(milliseconds, 86_400_000) * 86_400_000
        default: milliseconds
        }
    }

    func write(_ milliseconds: Int, into json: inout ByteBuffer) {
        let second = floorDivide(milliseconds, 1000)
        let rest = UInt64(milliseconds - second * 1000)
        switch self {
        case .zulu: json.append(clock: second, end: "Z\"")
        case .offset: json.append(clock: second + 3600, end: "+01:00\"")
        case .fraction: json.append(clock: second, ".", rest, end: "Z\"")
        case .brazePattern: json.append(clock: second + 3600, ":", rest, end: "+0100\"")
        case .shortOffset: json.append(clock: second + 7200, end: "+02\"")
        case .seconds: json.append(decimal: second)
        case .milliseconds: json.append(decimal: milliseconds)
        case .zoneless: json.append(clock: second, separator: " ", end: "\"")
        case .decimalText:
            json.append(0x22)
            json.append(decimal: second, rest, end: "\"")
        case .dateAlone:
            json.append(0x22)
            json.append(Day(number: floorDivide(second, 86_400)))
            json.append(0x22)
        case .nanoseconds: json.append(clock: second, ".", rest, end: "987654Z\"")
        case .decimal: json.append(decimal: second, rest, end: "9")
        case .west: json.append(clock: second - 18_000, ".", rest, end: "-05:00\"")
        case .exponent: json.append(decimal: second, rest, end: "e0")
        case .millisecondText:
            json.append(0x22)
            json.append(decimal: milliseconds)
            json.append(0x22)
        }
    }
}

extension ByteBuffer {
    /// `2026-11-19`
    mutating func append(_ day: Day) {
        let (year, month, dayOfMonth) = day.civil
        append(UInt64(year), digits: 4)
        append("-")
        append(UInt64(month), digits: 2)
        append("-")
        append(UInt64(dayOfMonth), digits: 2)
    }

    /// `10:22:33`
    mutating func append(secondOfDay second: Int) {
        append(UInt64(second / 3600), digits: 2)
        append(":")
        append(UInt64(second / 60 % 60), digits: 2)
        append(":")
        append(UInt64(second % 60), digits: 2)
    }

    /// A quote, a date and a time of the day; the caller's `end` has the other quote.
    fileprivate mutating func append(clock second: Int, separator: StaticString = "T", end: StaticString) {
        let day = floorDivide(second, 86_400)
        append(0x22)
        append(Day(number: day))
        append(separator)
        append(secondOfDay: second - day * 86_400)
        append(end)
    }

    /// The same with milliseconds.
    fileprivate mutating func append(clock second: Int, _ point: StaticString, _ rest: UInt64, end: StaticString) {
        append(clock: second, end: point)
        append(rest, digits: 3)
        append(end)
    }

    fileprivate mutating func append(decimal second: Int, _ rest: UInt64, end: StaticString) {
        append(decimal: second)
        append(".")
        append(rest, digits: 3)
        append(end)
    }
}
