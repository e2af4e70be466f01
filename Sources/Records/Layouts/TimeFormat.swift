/// The argument of Apache's `%{…}t`: a format of strftime, or one of Apache's own words (`sec`, `msec`, `usec`,
/// `msec_frac`, `usec_frac`), perhaps after `begin:` or `end:`. Its text tells where it ends.
///
///     %d/%b/%Y:%H:%M:%S
struct TimeFormat: Equatable, Sendable {
    typealias Part = TimeParts.Part

    private enum Item: Equatable {
        case literal(UInt8)
        /// This many digits. With `padded`, spaces may stand for the first ones.
        case number(Part, digits: Int, padded: Bool = false)
        /// Two digits: 69 to 99 are 1969 to 1999.
        case shortYear
        case monthName(isLong: Bool)
        /// `AM` or `PM`.
        case halfDay
        /// `+0100`
        case offset
        /// The time since 1970, in units of which a second has this many.
        case epoch(perSecond: Int)
        /// `CET`, `UTC` or `+03`
        case zoneName
        /// The name of a weekday, or of a zone whose offset is known, which is not read.
        case skippedName
    }

    private var items: [Item] = []
    /// As in the configuration, for messages.
    let text: String

    init(parsing text: String) throws(LayoutError) {
        self.text = text
        var format = text[...]
        for word in ["begin:", "end:"] where format.hasPrefix(word) { format = format.dropFirst(word.count) }
        switch format {
        case "sec": items = [.epoch(perSecond: 1)]
        case "msec": items = [.epoch(perSecond: 1000)]
        case "usec": items = [.epoch(perSecond: 1_000_000)]
        case "msec_frac": items = [.number(.fraction, digits: 3)]
        case "usec_frac": items = [.number(.fraction, digits: 6)]
        default: try append(format.utf8)
        }
    }

    private mutating func append(_ format: some Sequence<UInt8>) throws(LayoutError) {
        var isConversion = false
        for byte in format {
            if isConversion {
                isConversion = false
                guard let conversion = TimeFormat.items(of: byte) else { throw .badTimeFormat(text) }
                items += conversion
            } else if byte == UInt8(ascii: "%") {
                isConversion = true
            } else {
                items.append(.literal(byte))
            }
        }
        if isConversion { throw .badTimeFormat(text) }
    }

    private static func items(of conversion: UInt8) -> [Item]? {
        let colon = Item.literal(UInt8(ascii: ":"))
        let slash = Item.literal(UInt8(ascii: "/"))
        let hyphen = Item.literal(UInt8(ascii: "-"))
        let (day, month) = (Item.number(.dayOfMonth, digits: 2), Item.number(.month, digits: 2))
        let (hour, minute) = (Item.number(.hour, digits: 2), Item.number(.minute, digits: 2))
        let second = Item.number(.second, digits: 2)
        let year = Item.number(.year, digits: 4)
        return switch Character(Unicode.Scalar(conversion)) {
        case "Y": [year]
        case "y": [.shortYear]
        case "m": [month]
        case "b", "h": [.monthName(isLong: false)]
        case "B": [.monthName(isLong: true)]
        case "d": [day]
        case "e": [.number(.dayOfMonth, digits: 2, padded: true)]
        case "j": [.number(.dayOfYear, digits: 3)]
        case "H": [hour]
        case "k": [.number(.hour, digits: 2, padded: true)]
        case "I": [.number(.halfDayHour, digits: 2)]
        case "l": [.number(.halfDayHour, digits: 2, padded: true)]
        case "p": [.halfDay]
        case "M": [minute]
        case "S": [second]
        case "T": [hour, colon, minute, colon, second]
        case "R": [hour, colon, minute]
        case "F": [year, hyphen, month, hyphen, day]
        case "D": [month, slash, day, slash, .shortYear]
        case "z": [.offset]
        case "s": [.epoch(perSecond: 1)]
        case "a", "A": [.skippedName]
        case "Z": [.zoneName]
        case "n": nil
        case "t": [.literal(0x09)]
        case "%": [.literal(UInt8(ascii: "%"))]
        default: nil
        }
    }

    /// The parts that the format gives.
    var parts: Set<Part> {
        var parts: Set<Part> = []
        for item in items {
            switch item {
            case .number(let part, _, _): parts.insert(part)
            case .shortYear: parts.insert(.year)
            case .monthName: parts.insert(.month)
            case .halfDay: parts.insert(.halfDay)
            case .offset: parts.insert(.offset)
            case .epoch: parts.insert(.epoch)
            case .literal, .zoneName, .skippedName: break
            }
        }
        return parts
    }

    /// Whether the time needs the name of its zone.
    var readsZoneName: Bool { items.contains(.zoneName) }

    /// The same format, whose names of zones are not read.
    func skippingZoneNames() -> TimeFormat {
        var format = self
        format.items = items.map { $0 == .zoneName ? .skippedName : $0 }
        return format
    }

    /// Whether parts give a date and a time to the second.
    static func areComplete(_ parts: Set<Part>) -> Bool {
        if parts.contains(.epoch) { return true }
        return parts.isSuperset(of: [.year, .minute, .second])
            && (parts.contains(.dayOfYear) || parts.isSuperset(of: [.month, .dayOfMonth]))
            && (parts.contains(.hour) || parts.isSuperset(of: [.halfDayHour, .halfDay]))
    }

    /// Reads the text at `start` into `parts`. If a part is there already, the first one counts. Returns the end, or the
    /// offset at which the text has another shape. Then `parts` is unchanged.
    func read(_ line: Span<UInt8>, from start: Int, into parts: inout TimeParts) -> (end: Int, fits: Bool) {
        var read = parts
        var index = start
        for item in items {
            guard let end = TimeFormat.read(item, line, from: index, into: &read) else { return (index, false) }
            index = end
        }
        parts = read
        return (index, true)
    }

    private static func read(
        _ item: Item, _ line: Span<UInt8>, from start: Int, into parts: inout TimeParts
    ) -> Int? {
        switch item {
        case .literal(let byte): return start < line.count && line[start] == byte ? start + 1 : nil
        case .number(let part, let digits, let isPadded):
            var first = start
            while isPadded, first < start + digits - 1, first < line.count, line[first] == 0x20 { first += 1 }
            let end = start + digits
            guard end <= line.count, let number = line.number(at: first, digits: end - first) else { return nil }
            parts.set(part, digits == 3 && part == .fraction ? number * 1000 : number)
            return end
        case .shortYear:
            guard start + 2 <= line.count, let year = line.number(at: start, digits: 2) else { return nil }
            parts.set(.year, year + (year < 69 ? 2000 : 1900))
            return start + 2
        case .monthName(let isLong):
            let names = isLong ? months : shortMonths
            guard let index = names.firstIndex(where: { line.holds($0, at: start) }) else { return nil }
            let end = start + names[index].count
            guard !isLong || end == endOfLetters(line, from: start) else { return nil }
            parts.set(.month, index + 1)
            return end
        case .halfDay:
            guard start + 2 <= line.count, line[start + 1] == UInt8(ascii: "M"),
                line[start] == UInt8(ascii: "A") || line[start] == UInt8(ascii: "P")
            else { return nil }
            parts.set(.halfDay, line[start] == UInt8(ascii: "P") ? 12 : 0)
            return start + 2
        case .offset:
            guard start + 5 <= line.count, line[start] == UInt8(ascii: "+") || line[start] == UInt8(ascii: "-"),
                let number = line.number(at: start + 1, digits: 4)
            else { return nil }
            parts.set(.offset, line[start] == UInt8(ascii: "-") ? -number - 1 : number)
            return start + 5
        case .epoch(let perSecond):
            var end = start
            while end < line.count, line[end].isDigit { end += 1 }
            guard end > start else { return nil }
            // A longer number is no valid time in any unit.
            guard end - start <= 18, let number = line.number(at: start, digits: end - start) else {
                parts.isValid = false
                return end
            }
            parts.set(.epoch, number / perSecond)
            if perSecond > 1 { parts.set(.fraction, number % perSecond * (1_000_000 / perSecond)) }
            return end
        case .zoneName, .skippedName:
            var end = start
            while end < line.count, line[end].isLetter || line[end].isDigit || "+-_/".utf8.contains(line[end]) {
                end += 1
            }
            if item == .zoneName, parts.zoneName == nil { parts.zoneName = start..<end }
            return end > start ? end : nil
        }
    }

    private static func endOfLetters(_ line: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < line.count, line[end].isLetter { end += 1 }
        return end
    }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ].map { ascii($0) }
    private static let shortMonths = months.map { Array($0.prefix(3)) }
}
