import Calendar
import LogFiles

/// A pattern made from the path of one file. It has placeholders for the date, and globs where other files of the same
/// day differ: an hour, a number, a host or a UUID.
///
///     /logs/dt=2026-11-19/hr=00/node-07.log.gz   /logs/dt=%Y-%m-%d/hr=*/node-*.log.gz
///     /var/log/nginx/access.log-20261119.gz      /var/log/nginx/access.log-%Y%m%d*
///     /var/log/nginx/access.log.2.gz             /var/log/nginx/access.log.*
struct FileNamePattern: Hashable {
    /// The date in the path, if it has one.
    let date: LogDate?
    /// The parts of the path. Each glob star and each placeholder is one private-use character.
    private var names: [String]

    private static let star: Unicode.Scalar = "\u{E000}"
    /// The placeholder `%Y` is U+E059, since `Y` is U+0059.
    private static let placeholders: ClosedRange<Unicode.Scalar> = "\u{E041}"..."\u{E07A}"

    var text: String {
        var text = ""
        for name in names {
            text += "/"
            for scalar in name.unicodeScalars {
                switch scalar {
                case Self.star: text += "*"
                case Self.placeholders: text += "%\(Character(Unicode.Scalar(UInt8(scalar.value - 0xE000))))"
                case "%": text += "%%"
                case "*", "?", "[": text += "[\(scalar)]"
                case "\0"..."\u{1F}", "\u{7F}": text += "?"
                default: text.unicodeScalars.append(scalar)
                }
            }
        }
        return text
    }

    /// - Parameters:
    ///   - path: absolute.
    ///   - day: the day of most records. It decides between several dates in the path. Nil if it is not known.
    init(_ path: String, day: LogDate?) {
        let found = Self.dates(path, near: day)
        let date =
            day.flatMap { day in
                found.min { abs($0.date.days(since: day)) < abs($1.date.days(since: day)) }?.date
            } ?? found.last?.date
        var marked = path
        for hit in found.reversed() where hit.date == date { marked.replaceSubrange(hit.range, with: hit.marked) }
        self.date = date
        names = marked.unicodeScalars.split(separator: "/").map { String(Substring($0)) }
        guard let dated = names.firstIndex(where: Self.isDated) else {
            // access.log.1, access.log.2.gz: logrotate without dateext
            if let name = names.last, let match = name.wholeMatch(of: #/(.*[A-Za-z].*\.)[0-9]{1,3}(?:\.[a-z]+)?/#) {
                names[names.count - 1] = match.1 + String(Self.star)
            }
            return
        }
        for index in dated..<names.count {
            let isFile = index == names.count - 1
            names[index] = isFile ? Self.file(names[index], isFolderDated: dated < index) : Self.opened(names[index])
        }
    }

    /// The pattern that finds one file alone.
    /// - Parameter path: absolute.
    init(ofFileAlone path: String) {
        date = nil
        names = path.unicodeScalars.split(separator: "/").map { String(Substring($0)) }
    }

    private static func isDated(_ name: String) -> Bool { name.unicodeScalars.contains { placeholders.contains($0) } }

    /// The number of folders up to and including the last dated one; nil if no folder has a placeholder.
    var datedFolders: Int? { names.dropLast().lastIndex(where: Self.isDated).map { $0 + 1 } }

    /// The pattern for several hosts: numbers in the folder above the date become stars, as in
    /// `web1/2026-11-19/access.log`. Nil if there is no such number.
    var ofAllHosts: FileNamePattern? {
        guard let dated = names.firstIndex(where: Self.isDated), dated > 0 else { return nil }
        var pattern = self
        pattern.names[dated - 1] = Self.withoutNumbers(names[dated - 1])
        return pattern == self ? nil : pattern
    }

    /// A pattern that covers both patterns. Nil unless they differ in exactly one part of one name, and that part holds
    /// no date.
    func merged(with other: FileNamePattern) -> FileNamePattern? {
        guard names.count == other.names.count else { return nil }
        let different = names.indices.filter { names[$0] != other.names[$0] }
        guard different.count == 1 else { return nil }
        let a = Array(names[different[0]])
        let b = Array(other.names[different[0]])
        var prefix = zip(a, b).prefix { $0 == $1 }.count
        while prefix > 0, a[prefix - 1].isLetter { prefix -= 1 }
        var suffix = zip(a.dropFirst(prefix).reversed(), b.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
        while suffix > 0, a[a.count - suffix].isLetter { suffix -= 1 }
        guard ![a, b].contains(where: { Self.isDated(String($0.dropFirst(prefix).dropLast(suffix))) }) else {
            return nil
        }
        var merged = self
        merged.names[different[0]] = (String(a.prefix(prefix)) + String(Self.star) + String(a.suffix(suffix)))
            .replacing(#/\u{E000}+/#, with: String(Self.star))
        return merged
    }

    // MARK: What varies

    /// A file's name with stars where the files of other dates, hours or hosts differ.
    private static func file(_ name: String, isFolderDated: Bool) -> String {
        // The suffixes, such as `.log.gz`.
        let tail = name.dropFirst().firstMatch(of: #/(?:\.[a-z]{1,7})+$/#)?.output ?? ""
        let body = name.dropLast(tail.count)
        guard let first = body.unicodeScalars.firstIndex(where: placeholders.contains),
            let last = body.unicodeScalars.lastIndex(where: placeholders.contains)
        else { return opened(String(body)) + tail }
        let before = opened(String(body[..<first]))
        // 2026/11/19/lb_20261119T2355Z_x.log.gz: the last file of a day may have the next date in its name.
        if isFolderDated { return before + (before.unicodeScalars.last == star ? "" : String(star)) + tail }
        let date = before + body[first...last]
        let goesOn = body.index(after: last) < body.endIndex
        // access.log-20261119, which becomes access.log-20261119.gz
        if !goesOn, tail.isEmpty || tail == ".gz" { return date + String(star) }
        return date + (goesOn ? String(star) : "") + tail
    }

    /// A name with a star in place of what varies: numbers, hosts, UUIDs and random letters.
    private static func opened(_ name: String) -> String {
        var isAfterHash = false
        var end = name.startIndex
        var opened = ""
        let parts = #/[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}|[A-Za-z0-9]+/#
        for match in name.matches(of: parts) {
            opened += name[end..<match.range.lowerBound]
            let part = String(match.output)
            // A pod: web-7d9f8b6c5-x2x4q
            let isPod = isAfterHash && opened.last == "-" && part.count == 5 && part == part.lowercased()
            let varying = part.contains("-") || isPod ? String(star) : varying(part)
            isAfterHash = varying == String(star) && part.count >= 8 && !part.contains("-")
            opened += varying
            end = match.range.upperBound
        }
        return joined(opened + name[end...])
    }

    /// One run of letters and digits, with stars for its variable parts.
    private static func varying(_ part: String) -> String {
        // Twelve digits are an AWS account number, which all files share.
        if part.contains(#/^[0-9]+$/#) { return part.count == 12 ? part : String(star) }
        let isHex = part.contains(#/^[0-9A-Fa-f]{8,}$/#)
        // node07, T2355Z, PT1H
        let isWord = part.contains(#/^[A-Za-z]+[0-9]+$|^[A-Za-z]{1,2}[0-9]+[A-Za-z]?[0-9]*$/#)
        if !part.contains(#/[0-9]/#) || !isHex && (isWord || part.count < 5) { return withoutNumbers(part) }
        // E2EXAMPLE: an id of CloudFront, which all files share.
        return part == part.uppercased() && part.first?.isLetter == true ? part : String(star)
    }

    private static func withoutNumbers(_ name: String) -> String { name.replacing(#/[0-9]+/#, with: String(star)) }

    /// Replaces neighbouring stars by one star, also if one mark stands between them.
    private static func joined(_ name: String) -> String {
        name.replacing(#/\u{E000}(?:[^A-Za-z0-9\u{E001}-\u{E07F}]?\u{E000})+/#, with: String(star))
    }

    // MARK: Dates

    private struct FoundDate {
        let range: Range<String.Index>
        let date: LogDate
        /// With placeholders in place of the digits.
        let marked: String
    }

    /// How a date may be written, where digits begin. A time may follow the date at once: 20261119T10, 2026111910.
    ///
    /// `nonisolated(unsafe)`: `Regex` is not `Sendable`. These are made once, and matching does not change them.
    nonisolated(unsafe) private static let shapes =
        [regex("%Y%m%d(?=(?:[0-9]{2}|[0-9]{4}|[0-9]{6}|[0-9]{9})?(?![0-9]))"), regex("%Y%j(?![0-9])")]
        + ["-", "_", "\\.", "/"].flatMap { mark in
            [
                regex("%Y\(mark)%m\(mark)%d(?![0-9])"), regex("%Y\(mark)%j(?![0-9])"),
                regex("%d\(mark)%m\(mark)%Y(?![0-9])"),
            ]
        } + [regex("%Y/[a-z]*=%m/[a-z]*=%d")]
    /// The form 261119. Many numbers look like it, so the date must be near the day of the records.
    ///
    /// `nonisolated(unsafe)`: as `shapes`.
    nonisolated(unsafe) private static let short = regex("%y%m%d(?=(?:[0-9]{2}|[0-9]{4}|[0-9]{6})?(?![0-9]))")
    private static let nearDays = 3

    /// A regular expression with the placeholders of its groups.
    private typealias Shape = (placeholders: [FilePattern.Placeholder], regex: Regex<AnyRegexOutput>?)

    private static func regex(_ format: String) -> Shape {
        let placeholders = format.matches(of: #/%(.)/#).compactMap {
            $0.1.unicodeScalars.first.flatMap(FilePattern.Placeholder.init)
        }
        let pattern = placeholders.reduce(format) {
            $0.replacing("%\($1.rawValue)", with: "([0-9]{\($1.width)})")
        }
        // The formats are fixed, and each is valid.
        return (placeholders, try? Regex(pattern))
    }

    private static func dates(_ path: String, near day: LogDate?) -> [FoundDate] {
        var found: [FoundDate] = []
        var rest = path[...]
        while let start = rest.firstIndex(where: isDigit) {
            let end = rest[start...].firstIndex { !isDigit($0) } ?? rest.endIndex
            var first = shapes.lazy.compactMap { date(in: rest[start...], as: $0) }.first
            if first == nil, let day, let short = date(in: rest[start...], as: short),
                short.date.isWithin(nearDays, of: day)
            {
                first = short
            }
            if let first { found.append(first) }
            rest = rest[max(end, first?.range.upperBound ?? end)...]
        }
        return found
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    private static func date(in text: Substring, as shape: Shape) -> FoundDate? {
        guard let match = shape.regex.flatMap({ text.prefixMatch(of: $0) }) else { return nil }
        var parts = FilePattern.DateParts()
        var marked = String(text[match.range])
        for (placeholder, group) in zip(shape.placeholders, match.output.dropFirst()).reversed() {
            guard let range = group.range, let number = Int(text[range]),
                let next = parts.setting(placeholder, to: number),
                let mark = Unicode.Scalar(0xE000 + placeholder.rawValue.value)
            else { return nil }
            parts = next
            let offset = text.distance(from: text.startIndex, to: range.lowerBound)
            let start = marked.index(marked.startIndex, offsetBy: offset)
            marked.replaceSubrange(start..<marked.index(start, offsetBy: placeholder.width), with: String(mark))
        }
        guard let date = parts.dates.first, (2000...2099).contains(date.year) else { return nil }
        return FoundDate(range: match.range, date: date, marked: marked)
    }
}
