import Calendar
import Messages

/// The argument of Apache's `%{…}t`: a format of strftime that gives date and time, or one of Apache's own words
/// (`sec`, `msec`, `usec`), perhaps after `begin:` or `end:`. Its text tells where it ends. A fraction of a second may
/// follow, which another directive gives:
///
///     %{%d/%b/%Y:%H:%M:%S}t.%{msec_frac}t
struct TimeFormat: Equatable, Sendable {
    private enum Part: Int {
        case year, month, dayOfMonth, dayOfYear, hour, minute, second, fraction, epoch
    }

    private enum Item: Equatable {
        case literal(UInt8)
        case number(Part, digits: Int)
        /// Two digits, or a space and a digit.
        case paddedNumber(Part)
        /// Two digits: 69 to 99 are 1969 to 1999.
        case shortYear
        /// `Jan` to `Dec`
        case monthName
        /// `+0100`
        case offset
        /// The name of a zone. It is read, as `GMT`, `UTC`, `Z` or an offset, unless the offset is known.
        case zone(isRead: Bool)
        /// The name of a weekday, which is not read.
        case weekday
        /// The time since 1970, in units of which a second has this many.
        case epoch(perSecond: Int)
        /// The digits of a fraction of a second.
        case fraction(digits: Int)
    }

    private var items: [Item] = []
    /// As in the configuration, for messages.
    private(set) var text: String

    /// - Throws: also if the format gives neither date and time to the second nor a fraction.
    init(parsing text: String) throws(LayoutError) {
        self.text = text
        var format = text[...]
        for word in ["begin:", "end:"] where format.hasPrefix(word) { format = format.dropFirst(word.count) }
        switch format {
        case "msec_frac": items = [.fraction(digits: 3)]
        case "usec_frac": items = [.fraction(digits: 6)]
        case "sec": items = [.epoch(perSecond: 1)]
        case "msec": items = [.epoch(perSecond: 1000)]
        case "usec": items = [.epoch(perSecond: 1_000_000)]
        default: try append(format.utf8)
        }
        guard isComplete || isFraction else {
            throw LayoutError(
                .incompleteTime,
                text: "a '%{…}t' of the layout does not give the date and the time to the second, such as "
                    + "'%{%Y-%m-%d %H:%M:%S%z}t'; only msec_frac or usec_frac may follow it")
        }
        if items.contains(.offset) || hasEpoch {
            items = items.map { $0 == .zone(isRead: true) ? .zone(isRead: false) : $0 }
        }
    }

    private mutating func append(_ format: some Sequence<UInt8>) throws(LayoutError) {
        var isConversion = false
        for byte in format {
            if isConversion {
                isConversion = false
                guard let conversion = TimeFormat.items(of: byte) else { throw badConversion }
                items += conversion
            } else if byte == UInt8(ascii: "%") {
                isConversion = true
            } else {
                items.append(.literal(byte))
            }
        }
        if isConversion { throw badConversion }
    }

    private var badConversion: LayoutError {
        LayoutError(
            .badTimeFormat,
            text: "'%{\(text)}t' has a conversion that pushetl does not know; write date and time as "
                + "'%{%Y-%m-%dT%H:%M:%S%z}t'")
    }

    private static func items(of conversion: UInt8) -> [Item]? {
        func mark(_ mark: Unicode.Scalar) -> Item { .literal(UInt8(ascii: mark)) }
        let day = Item.number(.dayOfMonth, digits: 2)
        let month = Item.number(.month, digits: 2)
        let hour = Item.number(.hour, digits: 2)
        let minute = Item.number(.minute, digits: 2)
        let second = Item.number(.second, digits: 2)
        let year = Item.number(.year, digits: 4)
        return switch Character(Unicode.Scalar(conversion)) {
        case "Y": [year]
        case "y": [.shortYear]
        case "m": [month]
        case "b", "h": [.monthName]
        case "d": [day]
        case "e": [.paddedNumber(.dayOfMonth)]
        case "j": [.number(.dayOfYear, digits: 3)]
        case "H": [hour]
        case "k": [.paddedNumber(.hour)]
        case "M": [minute]
        case "S": [second]
        case "T": [hour, mark(":"), minute, mark(":"), second]
        case "R": [hour, mark(":"), minute]
        case "F": [year, mark("-"), month, mark("-"), day]
        case "D": [month, mark("/"), day, mark("/"), .shortYear]
        case "z": [.offset]
        case "Z": [.zone(isRead: true)]
        case "s": [.epoch(perSecond: 1)]
        case "a", "A": [.weekday]
        case "t": [.literal(0x09)]
        case "%": [mark("%")]
        default: nil
        }
    }

    /// Whether this is only the fraction of a time that another directive gives.
    var isFraction: Bool {
        if case .fraction = items.first { true } else { false }
    }

    /// Whether it gives a fraction of a second.
    var hasFraction: Bool {
        items.contains { item in
            switch item {
            case .fraction: true
            case .epoch(let perSecond): perSecond > 1
            default: false
            }
        }
    }

    /// Adds a fraction that follows in the line, after a literal. Seconds since 1970 and a fraction that touch are one
    /// number.
    mutating func append(_ literal: [UInt8], then fraction: TimeFormat) {
        assert(fraction.isFraction)
        if literal.isEmpty, items.last == .epoch(perSecond: 1), case .fraction(let digits) = fraction.items[0] {
            items[items.count - 1] = .epoch(perSecond: digits == 6 ? 1_000_000 : 1000)
        } else {
            items += literal.map { .literal($0) } + fraction.items
        }
        text += String(decoding: literal, as: UTF8.self) + fraction.text
    }

    /// 10:00 UTC on Thursday, 19 November 2026, as the format writes it.
    var example: String {
        let parts: [Part: String] = [
            .year: "2026", .month: "11", .dayOfMonth: "19", .dayOfYear: "323", .hour: "10", .minute: "00",
            .second: "00",
        ]
        return items.map { item in
            switch item {
            case .literal(let byte): String(decoding: [byte], as: UTF8.self)
            case .number(let part, _), .paddedNumber(let part): parts[part] ?? ""
            case .shortYear: "26"
            case .monthName: "Nov"
            case .offset: "+0000"
            case .zone: "UTC"
            case .weekday: "Thu"
            case .epoch(let perSecond): String(1_795_082_400 * perSecond)
            case .fraction(let digits): String(repeating: "0", count: digits)
            }
        }.joined()
    }

    private var hasEpoch: Bool { items.contains { if case .epoch = $0 { true } else { false } } }

    /// Whether the format gives a date and a time to the second.
    private var isComplete: Bool {
        var parts: Set<Part> = []
        for item in items {
            switch item {
            case .number(let part, _), .paddedNumber(let part): parts.insert(part)
            case .shortYear: parts.insert(.year)
            case .monthName: parts.insert(.month)
            case .literal, .offset, .zone, .weekday, .epoch, .fraction: break
            }
        }
        return hasEpoch
            || parts.isSuperset(of: [.year, .hour, .minute, .second])
                && (parts.contains(.dayOfYear) || parts.isSuperset(of: [.month, .dayOfMonth]))
    }

    /// A time as it is read. If a part occurs twice, the first one counts.
    private struct Parts {
        private var numbers = InlineArray<9, Int?>(repeating: nil)
        /// Seconds east of UTC.
        var offset: Int64?

        subscript(part: Part) -> Int? {
            get { numbers[part.rawValue] }
            set { if numbers[part.rawValue] == nil { numbers[part.rawValue] = newValue } }
        }
    }

    /// Reads the time at `start`; of a fraction alone, the milliseconds. The end is nil if the text has another shape.
    /// - Parameter literal: what follows the time in the layout.
    func read(
        _ line: Span<UInt8>, from start: Int, before literal: [UInt8]
    ) -> (time: Result<CivilTime, TimeFault>, end: Int?) {
        var reader = TimeReader(line, in: start..<line.count)
        var parts = Parts()
        do throws(TimeFault) {
            for (index, item) in items.enumerated() {
                try TimeFormat.read(
                    item, before: literalAfter(index, orAtEnd: literal), in: line, with: &reader, into: &parts)
            }
        } catch {
            return (.failure(error), nil)
        }
        do throws(TimeFault) {
            let time = isFraction ? TimeFormat.fraction(parts) : try TimeFormat.time(parts, in: line)
            // What is wrong with the offset.
            try reader.finish()
            return (.success(time), reader.index)
        } catch {
            return (.failure(error), reader.index)
        }
    }

    /// The literal after an item. `literal` follows the last one.
    private func literalAfter(_ index: Int, orAtEnd literal: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        for item in items[(index + 1)...] {
            guard case .literal(let byte) = item else { return bytes }
            bytes.append(byte)
        }
        return bytes + literal
    }

    private static func read(
        _ item: Item, before literal: @autoclosure () -> [UInt8], in line: Span<UInt8>, with reader: inout TimeReader,
        into parts: inout Parts
    ) throws(TimeFault) {
        switch item {
        case .literal(let byte): try reader.take(byte)
        case .number(let part, let digits): parts[part] = try reader.number(digits: digits)
        case .paddedNumber(let part): parts[part] = try reader.paddedNumber()
        case .shortYear:
            let year = try reader.number(digits: 2)
            parts[.year] = year + (year < 69 ? 2000 : 1900)
        case .monthName:
            let month = try reader.month()
            guard month > 0 else { throw .shape(at: reader.index - 3) }
            parts[.month] = month
        case .fraction(let digits): parts[.fraction] = try reader.number(digits: digits) / (digits == 6 ? 1000 : 1)
        case .offset:
            let offset = try reader.offset(mayVary: false)
            parts.offset = parts.offset ?? offset
        case .weekday: _ = try reader.word(\.isLetter)
        case .zone(let isRead):
            let name = try reader.zoneName(before: literal())
            guard isRead else { return }
            if ["GMT", "UTC", "Z"].contains(where: { line.extracting(name).equals(ascii($0)) }) {
                parts.offset = 0
            } else {
                var zone = TimeReader(line, in: name)
                parts.offset = try? zone.offset(mayVary: true)
                if parts.offset == nil || !zone.isAtEnd || (try? zone.finish()) == nil { reader.note(.noSuchOffset) }
            }
        case .epoch(let perSecond):
            let digits = try reader.digits()
            // A longer number is no valid time in any unit.
            let number = digits.count > 18 ? nil : line.number(at: digits.lowerBound, digits: digits.count)
            let seconds = (number ?? .max) / perSecond
            if number == nil || seconds >= EpochTime.firstSecondOfYear10000 { reader.note(.beyondYear9999) }
            parts[.epoch] = seconds
            if perSecond > 1 { parts[.fraction] = (number ?? 0) % perSecond * 1000 / perSecond }
        }
    }

    private static func fraction(_ parts: Parts) -> CivilTime {
        CivilTime(seconds: 0, milliseconds: Int64(parts[.fraction] ?? 0))
    }

    /// The time that the parts make. Throws if there is no such date or time of day.
    private static func time(_ parts: Parts, in line: Span<UInt8>) throws(TimeFault) -> CivilTime {
        let milliseconds = Int64(parts[.fraction] ?? 0)
        if let epoch = parts[.epoch] { return CivilTime(seconds: Int64(epoch), milliseconds: milliseconds, offset: 0) }
        let year = parts[.year] ?? 0
        var month = parts[.month] ?? 1
        var day = parts[.dayOfMonth] ?? 0
        if parts[.month] == nil || parts[.dayOfMonth] == nil, let dayOfYear = parts[.dayOfYear],
            let newYear = CivilCalendar.dayNumber(year: year, month: 1, day: 1)
        {
            let date = CivilCalendar.date(ofDayNumber: newYear + dayOfYear - 1)
            (month, day) = date.year == year ? (date.month, date.day) : (1, 0)
        }
        var reader = TimeReader(line, in: 0..<0)
        let date = reader.date(year: year, month: month, day: day)
        let timeOfDay = reader.timeOfDay(
            hour: parts[.hour] ?? 0, minute: parts[.minute] ?? 0, second: parts[.second] ?? 0)
        try reader.finish()
        return CivilTime(seconds: date + timeOfDay, milliseconds: milliseconds, offset: parts.offset)
    }
}
