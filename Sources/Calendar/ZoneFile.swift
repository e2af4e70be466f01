import Hashing

/// Decodes a time zone's file in the format TZif (RFC 8536).
///
/// A file of version 2 or later is a header and a block of data with times of 32 bits, which is skipped, a second header
/// and a block with times of 64 bits, and a footer. All numbers are big-endian. Behind the times and before the types of
/// local time lies, for each time, the type that begins with it:
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
        let day = changes.last.map { Int($0.instant.flooredQuotient(by: 86_400)) } ?? Int(CalendarText.days.lowerBound)
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
            (utcFlags, standardFlags, leaps) = (counts[0], counts[1], counts[2])
            (times, types, abbreviations) = (counts[3], counts[4], counts[5])
        }

        /// The bytes of the block's data.
        func length(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + abbreviations + leaps * (timeSize + 4) + standardFlags + utcFlags
        }
    }
}
