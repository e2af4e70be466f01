/// A time as it is written: what a clock shows, and the offset if there is one.
struct WrittenTime {
    /// Seconds since 1970-01-01 00:00 as if in UTC.
    var local: Int
    var milliseconds = 0
    var offset: Int?

    func milliseconds(zone: Zone) -> Int? {
        let seconds = offset.map { local - $0 } ?? zone.seconds(local: local)
        // Years have four digits.
        let day = zone.day(of: seconds * 1000)
        guard (0...9999).contains(day.parts.year) else { return nil }
        return seconds * 1000 + milliseconds
    }
}

/// Reads a text from left to right.
private struct TextCursor {
    var rest: ArraySlice<UInt8>

    mutating func take(_ characters: String) -> UInt8? {
        guard let first = rest.first, characters.utf8.contains(first) else { return nil }
        rest.removeFirst()
        return first
    }

    mutating func number(digits: Int) -> Int? {
        let text = Bytes(rest.prefix(digits))
        guard text.count == digits, text.isDigits else { return nil }
        rest.removeFirst(digits)
        return Int(text.text)
    }

    mutating func digits() -> Bytes {
        var digits: Bytes = []
        while let digit = take("0123456789") { digits.append(digit) }
        return digits
    }

    /// The first three digits of a fraction of a second. Nil if there is no digit.
    mutating func milliseconds() -> Int? {
        let fraction = digits()
        return fraction.isEmpty ? nil : Int(Bytes((fraction + Bytes("00")).prefix(3)).text)
    }

    /// `HH:MM:SS`, in seconds. Second 60 is the first of the next minute.
    mutating func clock() -> Int? {
        guard let hour = number(digits: 2), take(":") != nil, let minute = number(digits: 2), take(":") != nil,
            let second = number(digits: 2), hour <= 23, minute <= 59, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// The offset after its sign: `hhmm`, and if `loose` also `hh` or `hh:mm`.
    mutating func offset(sign: UInt8, loose: Bool) -> Int? {
        guard let hours = number(digits: 2), hours <= 23 else { return nil }
        var minutes = 0
        if !(loose && rest.isEmpty) {
            if loose { _ = take(":") }
            guard let number = number(digits: 2), number <= 59 else { return nil }
            minutes = number
        }
        return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}

/// `28/Sep/1970:12:00:00.584 +0600`. The fraction and the offset are optional.
private func localTime(_ text: Bytes) -> WrittenTime? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var cursor = TextCursor(rest: text[...])
    guard let day = cursor.number(digits: 2), cursor.take("/") != nil else { return nil }
    let name = Bytes(cursor.rest.prefix(3))
    guard let month = months.firstIndex(where: { Bytes($0) == name }) else { return nil }
    cursor.rest.removeFirst(3)
    guard cursor.take("/") != nil, let year = cursor.number(digits: 4), cursor.take(":") != nil,
        let clock = cursor.clock(), let date = Day(year: year, month: month + 1, day: day)
    else { return nil }
    var time = WrittenTime(local: date.number * 86_400 + clock)
    if cursor.take(".") != nil {
        guard let milliseconds = cursor.milliseconds() else { return nil }
        time.milliseconds = milliseconds
    }
    if cursor.rest.isEmpty { return time }
    guard cursor.take(" ") != nil, let sign = cursor.take("+-"),
        let offset = cursor.offset(sign: sign, loose: false), cursor.rest.isEmpty
    else { return nil }
    time.offset = offset
    return time
}

/// `2026-11-19T12:00:00.123+01:00`. There may be a space for the `T`, a colon for the point, and any form of offset.
func isoTime(_ text: Bytes, mayBeDate: Bool) -> WrittenTime? {
    var cursor = TextCursor(rest: text[...])
    guard let year = cursor.number(digits: 4), cursor.take("-") != nil, let month = cursor.number(digits: 2),
        cursor.take("-") != nil, let day = cursor.number(digits: 2), let date = Day(year: year, month: month, day: day)
    else { return nil }
    if cursor.rest.isEmpty { return mayBeDate ? WrittenTime(local: date.number * 86_400) : nil }
    guard cursor.take("T ") != nil, let clock = cursor.clock() else { return nil }
    var time = WrittenTime(local: date.number * 86_400 + clock)
    if cursor.take(".:") != nil {
        guard let milliseconds = cursor.milliseconds() else { return nil }
        time.milliseconds = milliseconds
    }
    let hasSpace = cursor.take(" ") != nil
    if let name = ["Z", "UTC", "GMT"].first(where: { Bytes(cursor.rest).hasPrefix($0) }) {
        cursor.rest.removeFirst(name.utf8.count)
        time.offset = 0
    } else if let sign = cursor.take("+-") {
        guard let offset = cursor.offset(sign: sign, loose: true) else { return nil }
        time.offset = offset
    } else if hasSpace {
        return nil
    }
    return cursor.rest.isEmpty ? time : nil
}

/// `20261119120000` in the years 1970 to 2099.
func digitTime(_ text: Bytes) -> WrittenTime? {
    guard text.count == 14, text.isDigits else { return nil }
    var cursor = TextCursor(rest: text[...])
    let numbers = [4, 2, 2, 2, 2, 2].compactMap { cursor.number(digits: $0) }
    guard (1970...2099).contains(numbers[0]), let date = Day(year: numbers[0], month: numbers[1], day: numbers[2]),
        numbers[3] <= 23, numbers[4] <= 59, numbers[5] <= 60
    else { return nil }
    return WrittenTime(local: date.number * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
}

/// `1763596800.123`, always seconds.
private func msecTime(_ text: Bytes) -> Int? {
    let parts = text.pieces(".")
    guard parts.count <= 2, parts.allSatisfy(\.isDigits) else { return nil }
    let seconds = decimalInteger(parts[0])
    let fraction = parts.count == 2 ? parts[1] : []
    let thousandths = decimalInteger(Bytes((fraction + Bytes("000")).prefix(3)))
    guard seconds < firstOfYear10000 else { return nil }
    return seconds * 1000 + thousandths
}

/// In seconds since 1970.
let firstOfYear10000 = 253_402_300_800

/// Digits as a number, at most `Int.max`.
func decimalInteger(_ digits: Bytes) -> Int {
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    return significant.isEmpty ? 0 : Int(Bytes(significant).text) ?? Int.max
}

package enum ReceiptTime: String, CaseIterable {
    case timeLocal = "time_local"
    case timeISO8601 = "time_iso8601"
    case msec
    /// Either of the first two, or a number whose size tells its unit.
    case time

    /// A layout's time, in milliseconds since 1970.
    package func milliseconds(_ text: Bytes, zone: Zone) -> Int? {
        switch self {
        case .timeLocal: localTime(text)?.milliseconds(zone: zone)
        case .timeISO8601: isoTime(text, mayBeDate: false)?.milliseconds(zone: zone)
        case .msec: msecTime(text)
        case .time:
            ReceiptTime.timeLocal.milliseconds(text, zone: zone)
                ?? ReceiptTime.timeISO8601.milliseconds(text, zone: zone)
                ?? digitTime(text)?.milliseconds(zone: zone)
                ?? unixTime(text)
        }
    }
}

/// A number whose size tells its unit. It may have an exponent.
private func unixTime(_ text: Bytes) -> Int? {
    guard text.text.wholeMatch(of: #/[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?/#) != nil else { return nil }
    let milliseconds = epochTime(text)
    return milliseconds < firstOfYear10000 * 1000 ? milliseconds : nil
}

/// The time of a delivery, in milliseconds: ISO 8601, or a date alone.
func deliveryTime(_ text: Bytes, zone: Zone) -> Int? {
    isoTime(text, mayBeDate: true)?.milliseconds(zone: zone)
}

/// The time in a payload, in milliseconds. Nil if it is missing or cannot be read.
package func payloadTime(_ value: JSONTree?, zone: Zone) -> Int? {
    func instant(_ time: WrittenTime) -> Int {
        let seconds = time.offset.map { time.local - $0 } ?? zone.seconds(local: time.local)
        return seconds * 1000 + time.milliseconds
    }
    switch value?.kind {
    case .number(let literal): return digitTime(literal).map(instant) ?? epochTime(literal)
    case .string(let text):
        if let time = digitTime(text) { return instant(time) }
        let digits = text.first == UInt8(ascii: "-") ? Bytes(text.dropFirst()) : text
        let parts = digits.pieces(".")
        if parts.count <= 2, parts.allSatisfy(\.isDigits) { return epochTime(text) }
        return isoTime(text, mayBeDate: true).map(instant)
    default: return nil
    }
}

/// The digits of a number of milliseconds (below 10^14), microseconds (below 10^17) or nanoseconds, in milliseconds.
private func wholeMilliseconds(_ digits: Bytes) -> Int {
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    let dropped = significant.count <= 14 ? 0 : significant.count <= 17 ? 3 : 6
    return decimalInteger(Bytes(significant.dropLast(dropped)))
}

/// A number below 10^11 is in seconds. The point is moved in the written digits.
private func epochTime(_ literal: Bytes) -> Int {
    let isNegative = literal.first == UInt8(ascii: "-")
    let parts = (isNegative ? Bytes(literal.dropFirst()) : literal).lowercased.pieces("e")
    let mantissa = parts[0].pieces(".")
    var whole = mantissa[0]
    var fraction = mantissa.count == 2 ? mantissa[1] : []
    let exponentText = parts.count == 2 ? parts[1] : Bytes("0")
    let isSmall = exponentText.first == UInt8(ascii: "-")
    let exponent = decimalInteger(exponentText.filter { [$0].isDigits })
    // Moving the point further than all digits makes no difference.
    for _ in 0..<min(exponent, whole.count + fraction.count + 30) {
        if isSmall {
            fraction.insert(whole.popLast() ?? UInt8(ascii: "0"), at: 0)
        } else {
            whole.append(fraction.isEmpty ? UInt8(ascii: "0") : fraction.removeFirst())
        }
    }
    let units = decimalInteger(whole)
    let milliseconds: Int
    if !isNegative && units >= 100_000_000_000 {
        milliseconds = wholeMilliseconds(whole)
    } else if units >= 100_000_000_000_000 {
        milliseconds = Int.max
    } else {
        milliseconds = units * 1000 + decimalInteger(Bytes((fraction + Bytes("000")).prefix(3)))
    }
    return isNegative ? -milliseconds : milliseconds
}
