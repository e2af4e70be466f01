import Calendar
import LogFiles

/// A pattern after the path of one file: with placeholders for the date in it, and globs for what other files of the
/// same day have instead, such as an hour, a number, a host or a UUID.
///
///     /logs/dt=2026-11-19/hr=00/node-07.log.gz   /logs/dt=%Y-%m-%d/hr=*/node-*.log.gz
///     /var/log/nginx/access.log-20261119.gz      /var/log/nginx/access.log-%Y%m%d*
struct FileNamePattern: Hashable {
    /// The date in the path, if it has one.
    let date: LogDate?
    /// The names of the path. Each is a list of placeholders, globs and single characters.
    private var names: [[String]]

    var text: String { names.map { "/" + $0.joined() }.joined() }

    /// - Parameters:
    ///   - path: absolute.
    ///   - day: the day of most records, which tells which of several dates is meant; nil if it is not known.
    init(_ path: String, day: LogDate?) {
        let bytes = Array(path.utf8)
        let found = FileNamePattern.dates(bytes, near: day)
        let date =
            day.flatMap { day in
                found.min { abs($0.date.dayNumber - day.dayNumber) < abs($1.date.dayNumber - day.dayNumber) }?.date
            } ?? found.last?.date
        var atoms: [String] = []
        var index = 0
        while index < bytes.count {
            if let hit = found.first(where: { $0.range.lowerBound == index && $0.date == date }) {
                atoms += hit.atoms
                index = hit.range.upperBound
            } else {
                let end = bytes[(index + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
                atoms.append(FileNamePattern.literal(String(decoding: bytes[index..<end], as: UTF8.self)))
                index = end
            }
        }
        self.date = date
        names = atoms.split(separator: "/").map(Array.init)
        guard let dated = firstDated else { return }
        for index in names.indices where index >= dated {
            names[index] =
                index < names.count - 1
                ? NameParts.opened(names[index]) : FileNamePattern.file(names[index], isFolderDated: dated < index)
        }
    }

    /// The index of the first name with a placeholder.
    private var firstDated: Int? { names.firstIndex { $0.contains { $0.isPlaceholder } } }

    /// The number of folders up to the last one with a placeholder; nil if only the file's name has one, or none has.
    var datedFolders: Int? {
        names.dropLast().lastIndex { $0.contains { $0.isPlaceholder } }.map { $0 + 1 }
    }

    /// The pattern for several hosts, if the folder above the date is that of one: `web1/2026-11-19/access.log`.
    var ofAllHosts: FileNamePattern? {
        guard let dated = firstDated, dated > 0 else { return nil }
        var pattern = self
        pattern.names[dated - 1] = NameParts.withoutNumbers(names[dated - 1])
        return pattern == self ? nil : pattern
    }

    /// A pattern that holds this one and another, if the two differ in one part of one name, which holds no date.
    func merged(with other: FileNamePattern) -> FileNamePattern? {
        guard names.count == other.names.count else { return nil }
        let different = names.indices.filter { names[$0] != other.names[$0] }
        guard different.count == 1 else { return nil }
        let (a, b) = (names[different[0]], other.names[different[0]])
        var prefix = zip(a, b).prefix { $0 == $1 }.count
        while prefix > 0, FileNamePattern.isOfWord(a[prefix - 1]) { prefix -= 1 }
        var suffix = zip(a.dropFirst(prefix).reversed(), b.dropFirst(prefix).reversed()).prefix { $0 == $1 }.count
        while suffix > 0, FileNamePattern.isOfWord(a[a.count - suffix]) { suffix -= 1 }
        let middles = [a.dropFirst(prefix).dropLast(suffix), b.dropFirst(prefix).dropLast(suffix)]
        guard middles.allSatisfy({ !$0.contains { $0.isPlaceholder } }) else {
            return nil
        }
        var merged = self
        merged.names[different[0]] = NameParts.withoutRepeatedStars(a.prefix(prefix) + ["*"] + a.suffix(suffix))
        return merged
    }

    private static func isOfWord(_ atom: String) -> Bool {
        atom.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
    }

    /// A character that stands for itself.
    private static func literal(_ character: String) -> String {
        switch character {
        case "%": "%%"
        case "*", "?", "[": "[\(character)]"
        default: character.unicodeScalars.allSatisfy { $0.value < 0x20 || $0.value == 0x7F } ? "?" : character
        }
    }

    // MARK: What varies

    /// The name of a file with a star in place of what the files of other dates, hours or hosts have instead.
    private static func file(_ name: [String], isFolderDated: Bool) -> [String] {
        let end = name.count - lengthOfExtension(name[...])
        let tail = name[end...]
        guard let first = name.firstIndex(where: \.isPlaceholder), let last = name.lastIndex(where: \.isPlaceholder)
        else {
            return NameParts.opened(name[..<end]) + tail
        }
        let before = NameParts.opened(name[..<first])
        // 2026/11/19/lb_20261119T2355Z_x.log.gz: the last file of a day may have the next date in its name.
        if isFolderDated { return NameParts.withoutRepeatedStars(before + ["*"]) + tail }
        let date = before + name[first...last]
        // access.log-20261119, which becomes access.log-20261119.gz
        if last + 1 == end, tail.isEmpty || tail.joined() == ".gz" { return date + ["*"] }
        return date + (last + 1 < end ? ["*"] : []) + tail
    }

    /// The length of `.log.gz` and the like at the end of a name.
    private static func lengthOfExtension(_ name: ArraySlice<String>) -> Int {
        var end = name.endIndex
        while let dot = name[..<end].lastIndex(of: "."), dot > name.startIndex, end - dot > 1, end - dot <= 8,
            name[dot + 1..<end].allSatisfy({ $0.utf8.count == 1 && ($0.utf8.first?.isLowerCaseLetter ?? false) })
        {
            end = dot
        }
        return name.endIndex - end
    }

    // MARK: Dates

    private struct FoundDate {
        let range: Range<Int>
        let date: LogDate
        let atoms: [String]
    }

    /// How a date may be written: its placeholders, and `-` for a mark between them.
    private struct Shape {
        let text: String
        /// How many digits it may begin with.
        let digits: Set<Int>
        let marks: String
    }

    private static let shapes = [
        // 20261119, perhaps with hour, minute, second and milliseconds
        Shape(text: "Ymd", digits: [8, 10, 12, 14, 17], marks: ""), Shape(text: "Yj", digits: [7], marks: ""),
        Shape(text: "Y-m-d", digits: [4], marks: "-_./"), Shape(text: "Y-j", digits: [4], marks: "-_./"),
        Shape(text: "d-m-Y", digits: [2], marks: "-_."),
    ]

    /// 261119, perhaps with hour, minute and second. Other numbers look like it, so it must be near the records' day.
    private static let shortShape = Shape(text: "ymd", digits: [6, 8, 10, 12], marks: "")
    private static let nearDays = 3

    private static func dates(_ path: [UInt8], near day: LogDate?) -> [FoundDate] {
        var found: [FoundDate] = []
        var index = 0
        while let start = path[index...].firstIndex(where: \.isDigit) {
            index = path[start...].firstIndex { !$0.isDigit } ?? path.count
            let digits = index - start
            let fitting = shapes.lazy.filter { $0.digits.contains(digits) }
            var first = fitting.compactMap({ date(path, at: start, $0) }).first ?? keyedDate(path, at: start)
            if first == nil, let day, shortShape.digits.contains(digits),
                let short = date(path, at: start, shortShape), abs(short.date.dayNumber - day.dayNumber) <= nearDays
            {
                first = short
            }
            guard let first else { continue }
            found.append(first)
            index = max(index, first.range.upperBound)
        }
        return found
    }

    /// The date in folders with keys: `year=2026/month=11/day=19`.
    private static func keyedDate(_ path: [UInt8], at start: Int) -> FoundDate? {
        var parts = FilePattern.DateParts()
        var atoms: [String] = []
        var end = start
        for placeholder in [FilePattern.Placeholder.year, .month, .day] {
            if placeholder != .year {
                guard end < path.count, path[end] == UInt8(ascii: "/"),
                    let equals = path[end...].firstIndex(of: UInt8(ascii: "=")),
                    path[(end + 1)..<equals].allSatisfy(\.isLowerCaseLetter)
                else { return nil }
                atoms += path[end...equals].map { String(decoding: [$0], as: UTF8.self) }
                end = equals + 1
            }
            let digits = path[end...].prefix { $0.isDigit }
            guard digits.count == placeholder.width,
                let next = parts.setting(placeholder, to: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
            else { return nil }
            parts = next
            atoms.append("%\(placeholder.rawValue)")
            end += digits.count
        }
        return parts.dates.first.map { FoundDate(range: start..<end, date: $0, atoms: atoms) }
    }

    private static func date(_ path: [UInt8], at start: Int, _ shape: Shape) -> FoundDate? {
        var parts = FilePattern.DateParts()
        var atoms: [String] = []
        var end = start
        var mark: UInt8?
        for letter in shape.text.unicodeScalars {
            guard end < path.count else { return nil }
            guard let placeholder = FilePattern.Placeholder(rawValue: letter) else {
                guard shape.marks.utf8.contains(path[end]), path[end] == mark ?? path[end] else { return nil }
                mark = path[end]
                atoms.append(String(decoding: [path[end]], as: UTF8.self))
                end += 1
                continue
            }
            let digits = path[end...].prefix(placeholder.width)
            guard digits.count == placeholder.width, digits.allSatisfy(\.isDigit),
                let next = parts.setting(placeholder, to: digits.reduce(0) { $0 * 10 + Int($1 - 0x30) })
            else { return nil }
            parts = next
            atoms.append("%\(letter)")
            end += placeholder.width
        }
        let goesOn = mark != nil && end < path.count && path[end].isDigit
        guard !goesOn, let date = parts.dates.first, (2000...2099).contains(date.year) else { return nil }
        return FoundDate(range: start..<end, date: date, atoms: atoms)
    }
}

extension UInt8 {
    fileprivate var isLowerCaseLetter: Bool { (0x61...0x7A).contains(self) }
}
