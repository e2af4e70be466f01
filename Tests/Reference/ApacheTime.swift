/// What a `%{…}t` says, with a fraction of a second that another one says after it.
struct ApacheTime {
    /// What a conversion such as `%Y` says.
    enum Part: Hashable {
        case year
        case month
        case day
        case dayOfYear
        case hour
        case minute
        case second
        case epochSeconds
        case epochMilliseconds
        case fraction
        case offset
    }

    private var parts: [Part: Int] = [:]
    private var zoneName: String?

    /// The first of each kind counts.
    private mutating func add(_ part: Part, _ number: Int?) -> Bool {
        guard let number else { return false }
        parts[part] = parts[part] ?? number
        return true
    }

    func milliseconds(zone: Zone) -> Int? {
        if let milliseconds = parts[.epochMilliseconds] {
            return milliseconds < firstOfYear10000 * 1000 ? milliseconds : nil
        }
        let fraction = parts[.fraction] ?? 0
        if let seconds = parts[.epochSeconds] {
            return seconds < firstOfYear10000 ? seconds * 1000 + fraction : nil
        }
        guard let date, let hour = parts[.hour], let minute = parts[.minute], let second = parts[.second], hour <= 23,
            minute <= 59, second <= 60
        else { return nil }
        var time = WrittenTime(local: date.number * 86_400 + hour * 3600 + minute * 60 + second)
        time.milliseconds = fraction
        if let offset = parts[.offset] {
            let (hours, minutes) = (abs(offset) / 100, abs(offset) % 100)
            guard hours <= 23, minutes <= 59 else { return nil }
            time.offset = (offset < 0 ? -1 : 1) * (hours * 3600 + minutes * 60)
        } else if let zoneName {
            guard let offset = offset(named: zoneName) else { return nil }
            time.offset = offset
        }
        return time.milliseconds(zone: zone)
    }

    private func offset(named name: String) -> Int? {
        if ["GMT", "UTC", "Z"].contains(name) { return 0 }
        guard name.first == "-" || name.first == "+" else { return nil }
        return isoTime(Bytes("2000-01-01T00:00:00" + name), mayBeDate: false)?.offset
    }

    private var date: Day? {
        guard let year = parts[.year] else { return nil }
        if let month = parts[.month], let day = parts[.day] { return Day(year: year, month: month, day: day) }
        guard let dayOfYear = parts[.dayOfYear], dayOfYear >= 1, let first = Day(year: year, month: 1, day: 1) else {
            return nil
        }
        let date = Day(number: first.number + dayOfYear - 1)
        return date.parts.year == year ? date : nil
    }
}

extension ApacheTime {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Conversions that stand for several.
    private static let combined: [Character: String] = [
        "T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y", "n": "\n", "t": "\t",
    ]

    /// What a text that begins with a time of this format says, and how many bytes the time has. Nil if the text has not
    /// the shape of the format. Whether such a time exists is not asked here.
    /// - Parameter following: the literal after the time in the layout.
    static func shape(
        _ format: ApacheFormat.Time, of text: Bytes, before following: Bytes
    ) -> (found: ApacheTime, length: Int)? {
        var rest = text
        var found = ApacheTime()
        func take(_ count: Int) -> Bytes {
            let taken = Bytes(rest.prefix(count))
            rest = Bytes(rest.dropFirst(count))
            return taken
        }
        /// So many digits.
        func number(_ digits: Int) -> Int? {
            let taken = take(digits)
            return taken.count == digits && taken.isDigits ? Int(taken.text) : nil
        }
        /// All digits that follow.
        func longNumber() -> Int? {
            let digits = take(rest.prefix { [$0].isDigits }.count)
            return digits.isEmpty ? nil : decimalInteger(digits)
        }
        /// A digit with a space or a digit before it.
        func paddedNumber() -> Int? {
            var taken = take(2)
            if taken.first == 0x20 { taken[0] = UInt8(ascii: "0") }
            return taken.count == 2 && taken.isDigits ? Int(taken.text) : nil
        }
        func month() -> Int? {
            let name = take(3)
            return months.firstIndex { Bytes($0) == name }.map { $0 + 1 }
        }
        func letters(_ isAllowed: (UInt8) -> Bool) -> Bytes { take(rest.prefix(while: isAllowed).count) }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

        /// The bytes of a zone's name, which ends where the literal begins. Without a literal it ends with its last letter, digit
        /// or mark.
        func zoneName(before literal: Bytes) -> Bytes {
            if literal.isEmpty { return letters { isLetter($0) || [$0].isDigits || "+-_/".utf8.contains($0) } }
            var length = 0
            while length < rest.count, !rest.dropFirst(length).starts(with: literal), rest[length] >= 0x20,
                !Bytes("\"[]:").contains(rest[length])
            {
                length += 1
            }
            return take(length)
        }

        func read(_ conversion: Character, before literal: Bytes) -> Bool {
            switch conversion {
            case "Y": return found.add(.year, number(4))
            case "y": return found.add(.year, number(2).map { $0 >= 69 ? 1900 + $0 : 2000 + $0 })
            case "m": return found.add(.month, number(2))
            case "b", "h": return found.add(.month, month())
            case "d": return found.add(.day, number(2))
            case "e": return found.add(.day, paddedNumber())
            case "j": return found.add(.dayOfYear, number(3))
            case "H": return found.add(.hour, number(2))
            case "k": return found.add(.hour, paddedNumber())
            case "M": return found.add(.minute, number(2))
            case "S": return found.add(.second, number(2))
            case "s": return found.add(.epochSeconds, longNumber())
            case "z":
                let sign = take(1)
                guard sign == Bytes("+") || sign == Bytes("-"), let offset = number(4) else { return false }
                return found.add(.offset, sign == Bytes("-") ? -offset : offset)
            case "a", "A": return !letters(isLetter).isEmpty
            case "Z":
                let name = zoneName(before: literal)
                found.zoneName = found.zoneName ?? name.text
                return !name.isEmpty
            default: return false
            }
        }

        /// The literal before the next conversion. After the last one, it goes on with the layout's text.
        func literal(_ pattern: [Character]) -> Bytes {
            var pattern = pattern[...]
            var literal: Bytes = []
            while let character = pattern.popFirst() {
                guard character == "%", let conversion = pattern.popFirst() else {
                    literal += Bytes(String(character))
                    continue
                }
                guard let byte: Character = ["%": "%", "t": "\t", "n": "\n"][conversion] else { return literal }
                literal += Bytes(String(byte))
            }
            return literal + (format.fraction?.literal ?? following)
        }

        // Seconds and a fraction that touch are one number.
        if let (literal, fraction) = format.fraction, literal.isEmpty, ["sec", "%s"].contains(format.text) {
            let isRead = found.add(.epochMilliseconds, longNumber().map { fraction == "msec_frac" ? $0 : $0 / 1000 })
            return isRead ? (found, text.count - rest.count) : nil
        }
        switch format.text {
        case "sec": guard found.add(.epochSeconds, longNumber()) else { return nil }
        case "msec": guard found.add(.epochMilliseconds, longNumber()) else { return nil }
        case "usec": guard found.add(.epochMilliseconds, longNumber().map { $0 / 1000 }) else { return nil }
        default:
            var pattern = [Character](format.text)
            while !pattern.isEmpty {
                let character = pattern.removeFirst()
                if character == "%", let conversion = pattern.first {
                    pattern.removeFirst()
                    if let several = combined[conversion] {
                        pattern = [Character](several) + pattern
                        continue
                    }
                    let isRead = conversion == "%" ? take(1) == Bytes("%") : read(conversion, before: literal(pattern))
                    guard isRead else { return nil }
                } else {
                    let literal = Bytes(String(character))
                    guard take(literal.count) == literal else { return nil }
                }
            }
        }
        if let (literal, fraction) = format.fraction {
            guard take(literal.count) == literal else { return nil }
            let isRead =
                fraction == "msec_frac"
                ? found.add(.fraction, number(3)) : found.add(.fraction, number(6).map { $0 / 1000 })
            guard isRead else { return nil }
        }
        return (found, text.count - rest.count)
    }
}
