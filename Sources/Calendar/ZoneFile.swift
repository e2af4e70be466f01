import Hashing

/// Decodes a time zone's file in the format TZif (RFC 8536).
///
/// A file of version 2 or later is a header and a block of data with times of 32 bits, which is skipped, a second
/// header and a block with times of 64 bits, and a footer. All numbers are big-endian. Behind the times and before the
/// types of local time lies, for each time, the type that begins with it:
///
///     TZif2 … counts                      44 bytes
///     -2177453684  -1693706400 …          times of transitions
///     1 2 …                               their types
///     -884 0 0   0 0 4   3600 1 8 …       types: offset, whether daylight saving, abbreviation
///     LMT WET WEST …                      abbreviations, leap seconds, kinds of times
///     ⏎CET-1CEST,M3.5.0,M10.5.0/3⏎        the rule for all later times
struct ZoneFile {
    /// The first bytes of every such file.
    static let magic = Array("TZif".utf8)

    /// RFC 8536 forbids transitions before -2^59.
    private static let bound: Int64 = 1 << 59

    private let bytes: [UInt8]
    private var index = 0

    /// - Parameter name: for the zone; it is not in the file.
    /// - Returns: nil if these are not the bytes of such a file, or its clock counts leap seconds.
    static func zone(_ bytes: [UInt8], name: String) -> ZoneRules? {
        var file = ZoneFile(bytes: bytes)
        return file.zone(name)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func zone(_ name: String) -> ZoneRules? {
        guard var header = Header(&self) else { return nil }
        let hasFooter = header.version >= UInt8(ascii: "2")
        if hasFooter {
            index += header.length(timeSize: 4)
            guard let second = Header(&self) else { return nil }
            header = second
        }
        guard let (first, before) = data(header, timeSize: hasFooter ? 8 : 4) else { return nil }
        var changes = before
        var repeatsFrom: Int64?
        if hasFooter {
            guard let rule = footer() else { return nil }
            if !rule.isEmpty {
                guard let rule = RecurringRule(rule) else { return nil }
                let year = lastYear(of: before)
                changes += rule.changes(in: year...year + 402).filter { $0.instant > before.last?.instant ?? .min }
                repeatsFrom = CivilCalendar.dayNumber(year: year + 2, month: 1, day: 1).map { Int64($0) * 86_400 }
            }
        }
        let version = "\(name) \(WordHash.of(bytes.span, seed: 0).hexDigits)"
        return ZoneRules(name: name, version: version, first: first, changes: changes, repeatsFrom: repeatsFrom)
    }

    /// The year of the last transition; the year 0 if there is no transition.
    private func lastYear(of changes: [ZoneChange]) -> Int {
        let day =
            changes.last.map { Int($0.instant.flooredQuotient(by: 86_400)) } ?? LogDate.written.lowerBound.dayNumber
        return CivilCalendar.date(ofDayNumber: day).year
    }

    /// What clocks show before the first transition, and the transitions.
    private mutating func data(_ header: Header, timeSize: Int) -> (first: LocalTimeType, changes: [ZoneChange])? {
        guard header.leaps == 0, header.types > 0, bytes.count - index >= header.length(timeSize: timeSize) else {
            return nil
        }
        let times = (0..<header.times).map { _ in number(timeSize) }
        let typeIndices = (0..<header.times).map { _ in Int(number(1) & 0xFF) }
        let types = (0..<header.types).map { _ in
            let offset = number(4)
            index += 1
            return (offset: offset, abbreviation: Int(number(1) & 0xFF))
        }
        let abbreviations = bytes[index..<index + header.abbreviations]
        index += header.abbreviations + header.standardFlags + header.utcFlags
        guard zip(times, times.dropFirst()).allSatisfy({ $0 < $1 }), typeIndices.allSatisfy({ $0 < header.types }),
            times.allSatisfy({ $0.magnitude <= ZoneFile.bound }), types.allSatisfy({ abs($0.offset) <= 26 * 3600 })
        else { return nil }
        let named = types.map { type in
            // Each abbreviation ends with a zero byte.
            let name = abbreviations.dropFirst(type.abbreviation).prefix { $0 != 0 }
            return LocalTimeType(offset: Int32(type.offset), abbreviation: String(decoding: name, as: UTF8.self))
        }
        return (named[0], zip(times, typeIndices).map { ZoneChange(instant: $0, type: named[$1]) })
    }

    /// The text between the two line feeds at the end.
    private func footer() -> String? {
        let rest = bytes[index...]
        guard rest.count >= 2, rest.first == UInt8(ascii: "\n"),
            let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        return String(decoding: rest[(index + 1)..<end], as: UTF8.self)
    }

    /// The next signed number of so many bytes. The caller has checked that they are there.
    private mutating func number(_ size: Int) -> Int64 {
        assert((1...8).contains(size) && bytes.count - index >= size)
        var value: Int64 = bytes[index] < 0x80 ? 0 : -1
        for byte in bytes[index..<index + size] { value = value << 8 | Int64(byte) }
        index += size
        return value
    }
}

extension ZoneFile {
    /// The counts at the beginning of a block.
    private struct Header {
        static let size = 44

        let version: UInt8
        let utcFlags: Int
        let standardFlags: Int
        let leaps: Int
        let times: Int
        let types: Int
        let abbreviations: Int

        /// Reads a header. Nil if there is no complete one, or a count is absurd.
        init?(_ file: inout ZoneFile) {
            guard file.bytes.count - file.index >= Header.size,
                file.bytes[file.index..<file.index + 4].elementsEqual(ZoneFile.magic)
            else { return nil }
            version = file.bytes[file.index + 4]
            file.index += 20
            let counts = (0..<6).map { _ in Int(file.number(4)) }
            guard counts.allSatisfy({ (0...1 << 20).contains($0) }) else { return nil }
            utcFlags = counts[0]
            standardFlags = counts[1]
            leaps = counts[2]
            times = counts[3]
            types = counts[4]
            abbreviations = counts[5]
        }

        /// The bytes of the block's data.
        func length(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + abbreviations + leaps * (timeSize + 4) + standardFlags + utcFlags
        }
    }
}

/// The rule by which a zone goes on for ever, in the form of POSIX's variable `TZ` with the extensions of RFC 8536:
/// `CET-1CEST,M3.5.0,M10.5.0/3`, `<+0330>-3:30`, `EST5EDT,0/0,J365/25`. Its offsets are positive to the west.
struct RecurringRule {
    let standard: LocalTimeType
    private let saving: Saving?

    /// Daylight saving time, and when it begins and ends each year on the clocks that are shown until then.
    private struct Saving {
        let type: LocalTimeType
        let begin: YearlyTime
        let end: YearlyTime
    }

    /// Returns nil if the text is no such rule.
    init?(_ text: String) {
        var text = RuleText(text)
        guard let name = text.abbreviation(), let offset = text.offset() else { return nil }
        standard = LocalTimeType(offset: -offset, abbreviation: name)
        if text.isAtEnd {
            saving = nil
            return
        }
        guard let savingName = text.abbreviation() else { return nil }
        var savingOffset = standard.offset + 3600
        if !text.skip(",") {
            guard let offset = text.offset(), text.skip(",") else { return nil }
            savingOffset = -offset
        }
        guard let begin = YearlyTime(&text), text.skip(","), let end = YearlyTime(&text), text.isAtEnd else {
            return nil
        }
        saving = Saving(
            type: LocalTimeType(offset: savingOffset, abbreviation: savingName), begin: begin, end: end)
    }

    /// The changes in a range of years, in ascending order; empty without daylight saving.
    func changes(in years: ClosedRange<Int>) -> [ZoneChange] {
        guard let saving else { return [] }
        var changes: [ZoneChange] = []
        for year in years {
            let both = [
                ZoneChange(
                    instant: saving.begin.seconds(in: year) - Int64(standard.offset), type: saving.type),
                ZoneChange(
                    instant: saving.end.seconds(in: year) - Int64(saving.type.offset), type: standard),
            ]
            for change in both.sorted(by: { $0.instant < $1.instant }) {
                // Where daylight saving lasts all year, one ends at the instant at which the next begins.
                if let last = changes.last, last.instant >= change.instant { changes.removeLast() }
                changes.append(change)
            }
        }
        assert(zip(changes, changes.dropFirst()).allSatisfy { $0.instant < $1.instant })
        return changes
    }
}

/// A local time that comes once a year, as a zone's rule gives it: `M3.5.0` is the last Sunday in March at 02:00, `J60`
/// 1 March in every year, `59/-1:30` the 60th day's beginning less an hour and a half.
struct YearlyTime {
    private enum Day {
        /// The week counts from 1, and 5 is the last; a weekday counts from 0, a Sunday.
        case weekday(month: Int, week: Int, weekday: Int)
        /// 1 to 365; 29 February is not counted.
        case julian(Int)
        /// 0 to 365; 29 February is counted.
        case dayOfYear(Int)
    }

    private let day: Day
    /// Seconds after 00:00, from -167 to 167 hours.
    private let time: Int32

    /// Reads one; nil if there is no valid one.
    init?(_ text: inout RuleText) {
        if text.skip("M") {
            guard let month = text.number(in: 1...12), text.skip("."), let week = text.number(in: 1...5),
                text.skip("."), let weekday = text.number(in: 0...6)
            else { return nil }
            day = .weekday(month: month, week: week, weekday: weekday)
        } else if text.skip("J") {
            guard let number = text.number(in: 1...365) else { return nil }
            day = .julian(number)
        } else {
            guard let number = text.number(in: 0...365) else { return nil }
            day = .dayOfYear(number)
        }
        if text.skip("/") {
            guard let time = text.offset() else { return nil }
            self.time = time
        } else {
            time = 2 * 3600
        }
    }

    /// The local time in a year, in seconds since 1970-01-01T00:00:00 on the clocks that are shown until then.
    func seconds(in year: Int) -> Int64 {
        Int64(dayNumber(in: year)) * 86_400 + Int64(time)
    }

    private func dayNumber(in year: Int) -> Int {
        // The first day of every year and month exists.
        func first(_ month: Int) -> Int { CivilCalendar.dayNumber(year: year, month: month, day: 1) ?? 0 }
        switch day {
        case .weekday(let month, let week, let weekday):
            let firstWeekday = CivilCalendar.weekday(ofDayNumber: first(month)) % 7
            var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= CivilCalendar.days(inMonth: month, of: year) { day -= 7 }
            return first(month) + day
        case .julian(let number):
            return first(1) + number - 1 + (number >= 60 && CivilCalendar.isLeap(year) ? 1 : 0)
        case .dayOfYear(let number):
            return first(1) + number
        }
    }
}

/// The text of a zone's rule, read from its beginning to its end.
struct RuleText {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = text[...].utf8
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// Skips an ASCII character if it comes next.
    mutating func skip(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    /// Reads a zone's abbreviation, such as `CET` or `<+0330>`; nil if the text does not go on with one.
    mutating func abbreviation() -> String? {
        if skip("<") {
            guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(Substring(rest[..<end]))
        }
        let name = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 ? String(Substring(name)) : nil
    }

    /// Reads a decimal number; nil if the text does not go on with one, or if it is out of this range.
    mutating func number(in range: ClosedRange<Int>) -> Int? {
        let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        rest = rest.dropFirst(digits.count)
        guard digits.count <= 3, let number = Int(Substring(digits)), range.contains(number) else { return nil }
        return number
    }

    /// Reads hours, and minutes and seconds if they are given, as seconds: `2`, `-1:30`, `+9:30:15`.
    mutating func offset() -> Int32? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard var seconds = number(in: 0...167).map({ $0 * 3600 }) else { return nil }
        for unit in [60, 1] where skip(":") {
            guard let number = number(in: 0...59) else { return nil }
            seconds += number * unit
        }
        return Int32(isNegative ? -seconds : seconds)
    }
}
