/// The format of a time in a line of an unknown layout.
enum TimeGuess: Equatable {
    case timeLocal
    case iso8601
    /// Seconds since 1970, perhaps with a fraction.
    case msec
    /// Directives of Apache, such as `%{%Y-%m-%d %H:%M:%S}t`.
    case apache(String)

    /// The format of the time in `range`; nil if it is something else.
    /// - Parameter isEnclosed: whether quotes or brackets surround it.
    init?(_ line: Span<UInt8>, _ range: Range<Int>, isEnclosed: Bool) {
        guard range.count <= 64, range.count(where: { line[$0].isDigit }) >= TimeGuess.leastDigits else { return nil }
        let hasSpace = range.contains { line[$0] == 0x20 }
        if CivilTime(timeLocal: line, range) != nil {
            self = .timeLocal
        } else if isEnclosed || !hasSpace, CivilTime(iso: line, range, dateAlone: false) != nil {
            self = .iso8601
        } else if let epoch = TimeGuess.epoch(line, range) {
            self = epoch
        } else if let format = TimeGuess.formats.first(where: { $0.isShape(of: line, range) }) {
            self = .apache(format.text)
        } else if TimeGuess.endOfDateAndTime(line, from: range.lowerBound) == range.upperBound {
            let marks = (range.lowerBound + 10..<range.upperBound - 8).map { line[$0] }
            let mark = String(decoding: marks, as: UTF8.self).replacing("\t", with: "%t")
            let slash = line[range.lowerBound + 4] == UInt8(ascii: "/")
            self = .apache(slash ? "%{%Y/%m/%d\(mark)%H:%M:%S}t" : "%{%Y-%m-%d\(mark)%H:%M:%S}t")
        } else {
            return nil
        }
    }

    /// The end of a date and a time of day in two columns: `2026-11-19","10:00:00`, `2026-11-19,10:00:00`.
    static func endOfDateAndTime(_ line: Span<UInt8>, from start: Int) -> Int? {
        func isShape(_ shape: String, at index: Int) -> Bool {
            index + shape.utf8.count <= line.count
                && shape.utf8.enumerated().allSatisfy { offset, byte in
                    byte == 0x30 ? line[index + offset].isDigit : line[index + offset] == byte
                }
        }
        guard isShape("0000-00-00", at: start) || isShape("0000/00/00", at: start) else { return nil }
        let marks = Array("\",;|\t ".utf8)
        var index = start + 10
        while index < line.count, index < start + 14, marks.contains(line[index]) { index += 1 }
        let isPlain = index == start + 11 && (line[index - 1] == 0x20 || line[index - 1] == 0x09)
        guard index > start + 10, !isPlain, isShape("00:00:00", at: index) else { return nil }
        let end = index + 8
        return end == line.count || !line[end].isDigit && line[end] != UInt8(ascii: ".") ? end : nil
    }

    /// The digits of `Thu Nov 5 10:00:00 2026`, or of seconds since 1970.
    private static let leastDigits = 10

    /// The time in `range`, in milliseconds since 1970. One without an offset is taken as UTC.
    static func instant(_ line: Span<UInt8>, _ range: Range<Int>) -> Int64? {
        guard let guess = TimeGuess(line, range, isEnclosed: true) else { return nil }
        var clock = ReceiptClock(.utc)
        switch guess {
        case .timeLocal, .iso8601, .msec: return clock.time(line, range, .any)
        case .apache(let text):
            var fields = LogFields()
            guard let format = try? LineFormat(apache: text),
                (try? LineFormatReader(format).read(line.extracting(range), into: &fields)) != nil
            else { return nil }
            return fields.time(&clock)
        }
    }

    /// The time since 1970 in a plausible unit: from 2001 on, to 2286.
    private static func epoch(_ line: Span<UInt8>, _ range: Range<Int>) -> TimeGuess? {
        let digits = range.prefix { line[$0].isDigit }.count
        guard digits > 0, line[range.lowerBound] != UInt8(ascii: "0") else { return nil }
        switch digits {
        case 10: return (try? EpochTime.time(line, range)) == nil ? nil : .msec
        case 13 where digits == range.count: return .apache("%{msec}t")
        case 16 where digits == range.count: return .apache("%{usec}t")
        default: return nil
        }
    }

    /// The directives of Apache for a `timeLocal` that no bracket encloses.
    static let apacheTimeLocal = "%{%d/%b/%Y:%H:%M:%S %z}t"

    /// A time of one directive, and perhaps one of its fraction.
    private struct Format {
        let text: String
        private let reader: LineFormatReader

        /// Nil if it is no format.
        init?(_ date: String, fraction: (mark: String, directive: String)?, zone: String) {
            text = "%{\(date)\(zone)}t" + (fraction.map { "\($0.mark)%{\($0.directive)}t" } ?? "")
            guard fraction == nil || zone.isEmpty, let format = try? LineFormat(apache: text) else { return nil }
            reader = LineFormatReader(format)
        }

        func isShape(of line: Span<UInt8>, _ range: Range<Int>) -> Bool {
            let text = line.extracting(range)
            var fields = LogFields()
            var clock = ReceiptClock(.utc)
            return reader.values(of: text)?.last?.upperBound == text.count
                && (try? reader.read(text, into: &fields)) != nil && fields.time(&clock) != nil
        }
    }

    private static let formats: [Format] = {
        let dates = [
            "%Y-%m-%d %H:%M:%S", "%Y-%m-%d%t%H:%M:%S", "%Y/%m/%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y%m%dT%H%M%S",
            "%Y%m%d%H%M%S", "%Y%m%d %H:%M:%S", "%d/%b/%Y:%H:%M:%S", "%d/%b/%Y %H:%M:%S", "%d-%b-%Y %H:%M:%S",
            "%d.%m.%Y %H:%M:%S", "%a %b %e %H:%M:%S %Y", "%a, %d %b %Y %H:%M:%S", "%d/%b/%Y:%I:%M:%S %p",
        ]
        let fractions: [(mark: String, directive: String)?] = [
            nil, (".", "msec_frac"), (",", "msec_frac"), (".", "usec_frac"), (",", "usec_frac"),
        ]
        return dates.flatMap { date in
            fractions.flatMap { fraction in
                ["", " %z", "%z", " %Z"].compactMap { Format(date, fraction: fraction, zone: $0) }
            }
        }
    }()
}
