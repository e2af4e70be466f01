import Calendar
import Foundation

/// A time in a line of an unknown layout, and how a format writes it.
struct WrittenTime {
    let text: Substring
    /// The nginx variable without `$`; nil if there is none for such a time.
    let nginx: String?
    /// The directives of Apache, such as `%{%Y-%m-%d %H:%M:%S}t`; nil if there are none.
    let apache: String?
    /// Milliseconds since 1970. A time without an offset is taken as UTC.
    let instant: Int64

    /// The years 2001 to 2286.
    static let plausible: Range<Int64> = 1_000_000_000_000..<10_000_000_000_000

    // A `Regex` never changes, but is not Sendable.
    nonisolated(unsafe) private static let nginxTimes: [(variable: String, regex: Regex<Substring>)] = [
        ("time_local", #/[0-9]{2}\/[A-Z][a-z]{2}\/[0-9]{4}:[0-9:]{8}(?:\.[0-9]+)?(?: [+\-][0-9]{4})?/#),
        ("time_iso8601", #/[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{8}(?:[.:][0-9]+)?(?:Z|[+\-][0-9]{2}(?::?[0-9]{2})?)?/#),
        ("msec", #/[1-9][0-9]{9}(?:\.[0-9]+)?/#),
    ]
    nonisolated(unsafe) private static let epochs: [(directives: String, regex: Regex<Substring>)] = [
        ("%{sec}t.%{msec_frac}t", #/[1-9][0-9]{9}\.[0-9]{3}/#), ("%{usec}t", #/[1-9][0-9]{15}/#),
        ("%{msec}t", #/[1-9][0-9]{12}/#), ("%{sec}t", #/[1-9][0-9]{9}/#),
    ]
    /// Dates with a time of day, as arguments of a directive.
    nonisolated(unsafe) private static let dates: [(format: String, regex: Regex<Substring>)] = [
        "%d/%b/%Y:%H:%M:%S", "%d/%b/%Y %H:%M:%S", "%d-%b-%Y %H:%M:%S", "%d.%m.%Y %H:%M:%S", "%a %b %e %H:%M:%S %Y",
        "%a, %d %b %Y %H:%M:%S", "%Y%m%dT%H%M%S", "%Y%m%d%H%M%S", "%Y%m%d %H:%M:%S",
    ].compactMap { format in
        let shapes = ["Y": "[0-9]{4}", "b": "[A-Z][a-z]{2}", "a": "[A-Z][a-z]{2}", "e": "[ 0-9][0-9]"]
        let regex = format.replacing(#/%(.)|\./#) { match in match.1.map { shapes[String($0)] ?? "[0-9]{2}" } ?? "\\." }
        // The formats are fixed, and each is valid.
        return (try? Regex(regex, as: Substring.self)).map { (format, $0) }
    }
    /// A date and a time of day that may be in two columns: `2026-11-19","10:00:00`.
    nonisolated(unsafe) private static let columns =
        #/[0-9]{4}([\-\/])[0-9]{2}[\-\/][0-9]{2}([T",;|\t ]{1,4})[0-9:]{8}/#
    /// The same with the year at the end. Whether the day or the month comes first, only a number over 12 tells.
    nonisolated(unsafe) private static let yearLast =
        #/([0-9]{2})([\-\/])([0-9]{2})([\-\/])[0-9]{4}([T",;|\t :]{1,4})[0-9:]{8}/#
    /// After a time, that its hours are those of a clock with twelve.
    nonisolated(unsafe) private static let halfDay = #/ ?[AaPp]\.? ?[Mm]\.?(?![A-Za-z0-9.\-_])/#
    /// After a time, more of it. An offset after a fraction is no part of any format, so the time would be another one.
    nonisolated(unsafe) private static let more = #/[A-Za-z0-9]|[.:][0-9]| ?[+\-][0-9]{4}(?![0-9])/#
    nonisolated(unsafe) private static let fraction = #/([.,])((?:[0-9]{3}){1,2})(?![0-9])/#
    nonisolated(unsafe) private static let zone = #/( ?)[+\-][0-9]{4}| (?:UTC|GMT|Z)(?![A-Za-z])/#

    // Of texts that may be in a form that nothing reads.
    /// A date, or a date with a time of day: `11/19/2026 9:00:00 AM`, `Thu, 19 Nov 2026 …`, `/Date(1795046400000)/`.
    nonisolated(unsafe) static let shape =
        #/
        ^ (?: \/Date\( .*
          | (?: [A-Z][a-z]{2,8} \.? ,? \  )?
            (?: 20[0-9]{2} [\-\/.] [0-9]{1,2} [\-\/.] [0-9]{1,2} | [0-9]{1,2} [\-\/.] [0-9]{1,2} [\-\/.] 20[0-9]{2}
              | [0-9]{1,2} [\-\/] [0-9]{1,2} [\-\/] [0-9]{2} | [0-9]{1,2} [\-\ \/] [A-Z][A-Za-z]{2,8} [\-\ \/,]+ (?:20)?[0-9]{2}
              | [A-Z][a-z]{2,8} \.? \  [0-9]{1,2} ,? \  .* 20[0-9]{2}
              | 20[0-9]{2} (?:0[1-9]|1[0-2]) (?:0[1-9]|[12][0-9]|3[01]) (?: T? [0-2][0-9] [0-5][0-9] (?:[0-5][0-9])? )? )
            (?: [T\ ,:] .* | Z )? ) $
        /#
    nonisolated(unsafe) static let clock = #/^[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?/#

    /// Whether a text is a time zone: `CET`, `Europe/Madrid`, `+01:00`.
    static func isZone(_ text: String) -> Bool {
        abbreviations.contains(text) || text.contains(#/^(?:UTC|GMT)?[+\-](?:0[0-9]|1[0-4]):?(?:00|15|30|45)$/#)
            || text.contains(#/^[A-Z][a-z]+\/[A-Z]/#) && TimeZone(identifier: text) != nil
    }

    private static let abbreviations = Set(TimeZone.abbreviationDictionary.keys).union(["AEST", "AEDT", "SAST"])
        .subtracting(["UTC", "GMT"])

    /// The time that begins a text; nil if none does.
    /// - Parameter separator: the byte between the values of the line, which does not stand before a fraction.
    init?(startOf text: Substring, separator: Character = " ") {
        guard text.prefix(48).count(where: \.isNumber) >= 10 else { return nil }
        let variable = Self.nginxTimes.lazy.compactMap { name, regex in
            text.prefixMatch(of: regex).map { (text: name, end: $0.range.upperBound) }
        }.first
        let directives = Self.directives(for: text, separator: separator)
        let end = max(variable?.end ?? text.startIndex, directives?.end ?? text.startIndex)
        let goesOn = text[end...].prefixMatch(of: Self.more) != nil
        let isHalfDay = text[end...].prefixMatch(of: Self.halfDay) != nil
        guard end > text.startIndex, !goesOn, !isHalfDay else { return nil }
        self.text = text[..<end]
        nginx = variable?.end == end ? variable?.text : nil
        apache = directives?.end == end ? directives?.text : nil
        var clock = ReceiptClock(.utc)
        let bytes = Array(self.text.utf8)
        var instant = nginx == nil ? nil : clock.time(bytes.span, in: bytes.indices, as: .any)
        var fields = LogFields()
        // What does not fit has no instant.
        if instant == nil, let apache, let format = try? LineFormat(apache: apache),
            (try? LineFormatReader(format).read(bytes.span, into: &fields)) != nil
        {
            instant = fields.time(&clock)
        }
        guard let instant, Self.plausible.contains(instant) else { return nil }
        self.instant = instant
    }

    private static func directives(for text: Substring, separator: Character) -> (text: String, end: String.Index)? {
        for (directives, regex) in epochs {
            guard let match = text.prefixMatch(of: regex) else { continue }
            return (directives, match.range.upperBound)
        }
        var format: String
        var end: String.Index
        if let match = text.prefixMatch(of: columns) {
            format = "%Y\(match.1)%m\(match.1)%d" + match.2.replacing("\t", with: "%t") + "%H:%M:%S"
            end = match.range.upperBound
        } else if let match = text.prefixMatch(of: yearLast) {
            guard (match.1 > "12") != (match.3 > "12") else { return nil }
            let (first, second) = match.1 > "12" ? ("%d", "%m") : ("%m", "%d")
            format = first + match.2 + second + match.4 + "%Y" + match.5.replacing("\t", with: "%t") + "%H:%M:%S"
            end = match.range.upperBound
        } else {
            let found = dates.lazy.compactMap { date in
                text.prefixMatch(of: date.regex).map { (date.format, $0.range.upperBound) }
            }.first
            guard let found else { return nil }
            (format, end) = found
        }
        format = "%{\(format)}t"
        if let match = text[end...].prefixMatch(of: zone) {
            format = format.dropLast(2) + "\(match.1.map { "\($0)%z" } ?? " %Z")}t"
            end = match.range.upperBound
        }
        if let match = text[end...].prefixMatch(of: fraction), match.1 != String(separator) {
            format += "\(match.1)%{\(match.2.count == 3 ? "msec" : "usec")_frac}t"
            end = match.range.upperBound
        }
        return (format, end)
    }

    /// What a line lacks in which no time was found, in words.
    static func lack(in line: String) -> String {
        if let match = line.firstMatch(of: #/:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?/#),
            line[match.range.upperBound...].prefixMatch(of: halfDay) != nil
        {
            return "no time with hours from 0 to 23"
        }
        let isEither = line.firstMatch(of: yearLast).map { $0.1 <= "12" && $0.3 <= "12" } ?? false
        return isEither ? "no date after the 12th, which tells whether its day or its month comes first," : "no time"
    }

    /// The time that all of a text is, in milliseconds since 1970; nil if it is none of a log.
    static func instant(_ text: String) -> Int64? {
        guard (10...64).contains(text.utf8.count), text.utf8.count(where: \.isDigit) >= 10 else { return nil }
        let bytes = Array(text.utf8)
        var clock = ReceiptClock(.utc)
        if let time = clock.time(bytes.span, in: bytes.indices, as: .any) {
            return plausible.contains(time) ? time : nil
        }
        return WrittenTime(startOf: text[...]).flatMap { $0.text.endIndex == text.endIndex ? $0.instant : nil }
    }
}
