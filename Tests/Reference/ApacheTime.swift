/// What all `%{…}t` of a line say together.
struct ApacheTime {
    /// What a conversion such as `%Y` says.
    enum Part: Hashable {
        case year
        case month
        case day
        case dayOfYear
        case hour
        /// From 1 to 12. `%H` and `%I` are the same kind; the first one counts.
        case hourOf12
        case isAfternoon
        case minute
        case second
        case epochSeconds
        case epochMilliseconds
        case fraction
        case offset
    }

    /// What a text says.
    struct Found {
        var parts: [(Part, Int)] = []
        var zoneName: String?
    }

    private var parts: [Part: Int] = [:]
    private var zoneName: String?
    private var isReadable = true
    /// Whether all texts are empty.
    private(set) var isEmpty = true

    /// The first of each kind counts.
    mutating func add(_ more: Found, isEmpty: Bool) {
        if !isEmpty { self.isEmpty = false }
        zoneName = zoneName ?? more.zoneName
        for (part, number) in more.parts where parts[part] == nil {
            if part == .hour, parts[.hourOf12] != nil { continue }
            if part == .hourOf12, parts[.hour] != nil { continue }
            if part == .epochSeconds, parts[.epochMilliseconds] != nil { continue }
            if part == .epochMilliseconds, parts[.epochSeconds] != nil { continue }
            parts[part] = number
        }
    }

    /// A text that has not the shape of its format.
    mutating func addUnreadable(isEmpty: Bool) {
        if !isEmpty { self.isEmpty = false }
        isReadable = false
    }

    func milliseconds(zone: Zone) -> Int? {
        guard isReadable else { return nil }
        if let milliseconds = parts[.epochMilliseconds] {
            return milliseconds < firstOfYear10000 * 1000 ? milliseconds : nil
        }
        let fraction = parts[.fraction] ?? 0
        if let seconds = parts[.epochSeconds] {
            return seconds < firstOfYear10000 ? seconds * 1000 + fraction : nil
        }
        guard let date, let hour, let minute = parts[.minute], let second = parts[.second], minute <= 59, second <= 60
        else { return nil }
        var time = WrittenTime(local: date.number * 86_400 + hour * 3600 + minute * 60 + second)
        time.milliseconds = fraction
        if let offset = parts[.offset] {
            let (hours, minutes) = (abs(offset) / 100, abs(offset) % 100)
            guard hours <= 23, minutes <= 59 else { return nil }
            time.offset = (offset < 0 ? -1 : 1) * (hours * 3600 + minutes * 60)
        } else if let zoneName {
            guard let offset = offset(named: zoneName, local: time.local, zone) else { return nil }
            time.offset = offset
        }
        return time.milliseconds(zone: zone)
    }

    private func offset(named name: String, local: Int, _ zone: Zone) -> Int? {
        if ["GMT", "UTC", "Z"].contains(name) { return 0 }
        let text = "2000-01-01T00:00:00" + name
        let sign = name.first == "-" || name.first == "+"
        if sign, let time = isoTime(Bytes(text), mayBeDate: false) { return time.offset }
        return zone.offset(named: name, local: local)
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

    private var hour: Int? {
        if let hour = parts[.hour] { return hour <= 23 ? hour : nil }
        guard let hour = parts[.hourOf12], let isAfternoon = parts[.isAfternoon], (1...12).contains(hour) else {
            return nil
        }
        return hour % 12 + isAfternoon * 12
    }
}

extension ApacheTime {
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    /// Conversions that stand for several.
    private static let combined: [Character: String] = [
        "T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y", "n": "\n", "t": "\t",
    ]

    /// What a text that begins with a time of this format says, and how many bytes the time has. Nil if the text has not
    /// the shape of the format. Whether such a time exists is not asked here.
    static func shape(_ format: String, of text: Bytes) -> (found: Found, length: Int)? {
        var rest = text
        var found = Found()
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
        func add(_ part: Part, _ number: Int?) -> Bool {
            guard let number else { return false }
            found.parts.append((part, number))
            return true
        }
        /// A digit with a space or a digit before it.
        func paddedNumber() -> Int? {
            var taken = take(2)
            if taken.first == 0x20 { taken[0] = UInt8(ascii: "0") }
            return taken.count == 2 && taken.isDigits ? Int(taken.text) : nil
        }
        func month(_ names: [String]) -> Int? {
            guard let index = names.firstIndex(where: { rest.hasPrefix($0) }) else { return nil }
            _ = take(names[index].utf8.count)
            return index + 1
        }
        func letters(_ isAllowed: (UInt8) -> Bool) -> Bytes { take(rest.prefix(while: isAllowed).count) }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

        func read(_ conversion: Character) -> Bool {
            switch conversion {
            case "Y": return add(.year, number(4))
            case "y": return add(.year, number(2).map { $0 >= 69 ? 1900 + $0 : 2000 + $0 })
            case "m": return add(.month, number(2))
            case "b", "h": return add(.month, month(months.map { String($0.prefix(3)) }))
            case "B": return add(.month, month(months))
            case "d": return add(.day, number(2))
            case "e": return add(.day, paddedNumber())
            case "j": return add(.dayOfYear, number(3))
            case "H": return add(.hour, number(2))
            case "k": return add(.hour, paddedNumber())
            case "I": return add(.hourOf12, number(2))
            case "l": return add(.hourOf12, paddedNumber())
            case "p":
                let half = take(2)
                return [Bytes("AM"), Bytes("PM")].contains(half) && add(.isAfternoon, half == Bytes("PM") ? 1 : 0)
            case "M": return add(.minute, number(2))
            case "S": return add(.second, number(2))
            case "s": return add(.epochSeconds, longNumber())
            case "z":
                let sign = take(1)
                guard sign == Bytes("+") || sign == Bytes("-"), let offset = number(4) else { return false }
                return add(.offset, sign == Bytes("-") ? -offset : offset)
            case "a", "A": return !letters(isLetter).isEmpty
            case "Z":
                let name = letters { isLetter($0) || [$0].isDigits || "+-_/".utf8.contains($0) }
                found.zoneName = found.zoneName ?? name.text
                return !name.isEmpty
            default: return false
            }
        }

        switch format {
        case "sec": guard add(.epochSeconds, longNumber()) else { return nil }
        case "msec": guard add(.epochMilliseconds, longNumber()) else { return nil }
        case "usec": guard add(.epochMilliseconds, longNumber().map { $0 / 1000 }) else { return nil }
        case "msec_frac": guard add(.fraction, number(3)) else { return nil }
        case "usec_frac": guard add(.fraction, number(6).map { $0 / 1000 }) else { return nil }
        default:
            var pattern = [Character](format)
            while !pattern.isEmpty {
                let character = pattern.removeFirst()
                if character == "%", let conversion = pattern.first {
                    pattern.removeFirst()
                    if let several = combined[conversion] {
                        pattern = [Character](several) + pattern
                        continue
                    }
                    let isRead = conversion == "%" ? take(1) == Bytes("%") : read(conversion)
                    guard isRead else { return nil }
                } else {
                    let literal = Bytes(String(character))
                    guard take(literal.count) == literal else { return nil }
                }
            }
        }
        return (found, text.count - rest.count)
    }
}
