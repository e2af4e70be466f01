import Calendar

/// A pattern after the path of one file: with placeholders for the date in it, and globs for what other files of the
/// same kind have instead.
///
///     /logs/2026/11/19/node-07.log.gz            /logs/%Y/%m/%d/node-*.log.gz
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
        let found = FileNamePattern.dates(bytes)
        let date =
            day.flatMap { day in
                found.min { abs($0.date.dayNumber - day.dayNumber) < abs($1.date.dayNumber - day.dayNumber) }?.date
            } ?? found.last?.date
        var atoms: [String] = []
        /// The number of atoms up to the end of the last date.
        var dateEnd: Int?
        var index = 0
        while index < bytes.count {
            if let hit = found.first(where: { $0.range.lowerBound == index && $0.date == date }) {
                atoms += hit.atoms
                dateEnd = atoms.count
                index = hit.range.upperBound
            } else {
                let end = bytes[(index + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
                atoms.append(FileNamePattern.literal(String(decoding: bytes[index..<end], as: UTF8.self)))
                index = end
            }
        }
        let nameStart = (atoms.lastIndex(of: "/") ?? -1) + 1
        if let dateEnd { FileNamePattern.open(&atoms, nameStart: nameStart, dateEnd: dateEnd) }
        self.date = date
        names = atoms.split(separator: "/").map { FileNamePattern.withoutRepeatedStars(Array($0)) }
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
        merged.names[different[0]] = FileNamePattern.withoutRepeatedStars(a.prefix(prefix) + ["*"] + a.suffix(suffix))
        return merged
    }

    private static func isOfWord(_ atom: String) -> Bool {
        atom.unicodeScalars.allSatisfy { $0.properties.isAlphabetic }
    }

    private static func withoutRepeatedStars(_ atoms: [String]) -> [String] {
        atoms.enumerated().filter { $0.offset == 0 || $0.element != "*" || atoms[$0.offset - 1] != "*" }.map(\.element)
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

    /// Puts a star in place of what the files of other dates, hours or hosts have instead.
    /// - Parameters:
    ///   - nameStart: the index at which the file's own name begins.
    ///   - dateEnd: the index after the last date.
    private static func open(_ atoms: inout [String], nameStart: Int, dateEnd: Int) {
        let end = atoms.count - lengthOfExtension(atoms[nameStart...])
        let hasFolderDate = atoms[..<nameStart].contains { $0.isPlaceholder }
        let nameDate = atoms[nameStart...].firstIndex { $0.isPlaceholder }
        let first: Int
        if let nameDate, hasFolderDate {
            // 2026/11/19/lb_20261119T2355Z_x.log.gz: the last file of a day may have the next date in its name.
            first = nameDate
        } else if nameDate != nil {
            // access-2026-11-19-08.log.gz; access.log-20261119, which becomes access.log-20261119.gz
            let isWhole = dateEnd == end && (end == atoms.count || atoms[end...].joined() == ".gz")
            if isWhole {
                atoms.replaceSubrange(dateEnd..., with: ["*"])
                return
            }
            guard end > dateEnd else { return }
            first = dateEnd
        } else {
            // 2026/11/19/node-07.log.gz
            guard let digit = atoms[nameStart..<end].firstIndex(where: { $0.utf8.first?.isDigit ?? false }) else {
                return
            }
            first = digit
        }
        atoms.replaceSubrange(first..<max(first, end), with: ["*"])
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

    private static func dates(_ path: [UInt8]) -> [FoundDate] {
        var found: [FoundDate] = []
        var index = 0
        while index < path.count {
            guard path[index].isDigit else {
                index += 1
                continue
            }
            let end = path[index...].firstIndex { !$0.isDigit } ?? path.count
            if let date = date(path, at: index, runEnd: end) {
                found.append(date)
                index = max(end, date.range.upperBound)
            } else {
                index = end
            }
        }
        return found
    }

    /// The date that begins with the digits from `start` to `runEnd`.
    private static func date(_ path: [UInt8], at start: Int, runEnd: Int) -> FoundDate? {
        func number(_ from: Int, _ digits: Int) -> Int? {
            guard from + digits <= path.count, path[from..<from + digits].allSatisfy(\.isDigit) else { return nil }
            return path[from..<from + digits].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        func isDigit(_ index: Int) -> Bool { index < path.count && path[index].isDigit }
        func make(_ end: Int, _ date: LogDate?, _ atoms: [String]) -> FoundDate? {
            guard let date, (2000...2099).contains(date.year) else { return nil }
            return FoundDate(range: start..<end, date: date, atoms: atoms)
        }
        switch runEnd - start {
        case 8, 10, 12, 14:
            // 20261119, perhaps with hour, minute and second
            guard let year = number(start, 4), let month = number(start + 4, 2), let day = number(start + 6, 2) else {
                return nil
            }
            return make(start + 8, LogDate(year: year, month: month, day: day), ["%Y", "%m", "%d"])
        case 7:
            guard let year = number(start, 4), let day = number(start + 4, 3) else { return nil }
            return make(start + 7, ordinal(year, day), ["%Y", "%j"])
        case 4:
            guard runEnd < path.count, let year = number(start, 4) else { return nil }
            let separator = path[runEnd]
            guard Array("-_./".utf8).contains(separator) else { return nil }
            let mark = String(decoding: [separator], as: UTF8.self)
            if let month = number(start + 5, 2), !isDigit(start + 7), start + 7 < path.count,
                path[start + 7] == separator, let day = number(start + 8, 2), !isDigit(start + 10)
            {
                return make(
                    start + 10, LogDate(year: year, month: month, day: day), ["%Y", mark, "%m", mark, "%d"])
            }
            guard let day = number(start + 5, 3), !isDigit(start + 8) else { return nil }
            return make(start + 8, ordinal(year, day), ["%Y", mark, "%j"])
        case 2:
            // 19-11-2026
            guard let day = number(start, 2), runEnd < path.count, Array("-_.".utf8).contains(path[runEnd]),
                let month = number(start + 3, 2), start + 5 < path.count, path[start + 5] == path[runEnd],
                let year = number(start + 6, 4), !isDigit(start + 10)
            else { return nil }
            let mark = String(decoding: [path[runEnd]], as: UTF8.self)
            return make(start + 10, LogDate(year: year, month: month, day: day), ["%d", mark, "%m", mark, "%Y"])
        default: return nil
        }
    }

    private static func ordinal(_ year: Int, _ day: Int) -> LogDate? {
        guard (1...366).contains(day), let newYear = LogDate(year: year, month: 1, day: 1) else { return nil }
        let date = newYear.adding(days: day - 1)
        return date.year == year ? date : nil
    }
}

extension String {
    fileprivate var isPlaceholder: Bool { utf8.first == UInt8(ascii: "%") && self != "%%" }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isLowerCaseLetter: Bool { (0x61...0x7A).contains(self) }
}
