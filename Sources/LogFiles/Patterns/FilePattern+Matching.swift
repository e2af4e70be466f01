import Calendar
import Foundation

extension FilePattern {
    /// The parts of the log date that the names of a path give.
    package struct DateParts: Hashable {
        var year: Int?
        var month: Int?
        var day: Int?
        var dayOfYear: Int?

        package init() {}

        /// All parts of a log date.
        init(_ date: LogDate) {
            year = date.year
            month = date.month
            day = date.day
            dayOfYear = date.dayOfYear
        }

        private static let yearsOfShortYear = 2000...2099

        private static func part(_ placeholder: Placeholder) -> WritableKeyPath<DateParts, Int?> {
            switch placeholder {
            case .year, .shortYear: \.year
            case .month: \.month
            case .day: \.day
            case .dayOfYear: \.dayOfYear
            }
        }

        /// These parts and another value; nil if they have a different value for this placeholder.
        package func setting(_ placeholder: Placeholder, to value: Int) -> DateParts? {
            let value = placeholder == .shortYear ? DateParts.yearsOfShortYear.lowerBound + value : value
            let path = DateParts.part(placeholder)
            guard let known = self[keyPath: path] else {
                var parts = self
                parts[keyPath: path] = value
                return parts
            }
            return known == value ? self : nil
        }

        /// The digits that a placeholder stands for; nil if the part is not known, or `%y` cannot tell the year.
        func digits(_ placeholder: Placeholder) -> String? {
            guard var number = self[keyPath: DateParts.part(placeholder)] else { return nil }
            if placeholder == .shortYear {
                guard DateParts.yearsOfShortYear.contains(number) else { return nil }
                number %= 100
            }
            let digits = String(number)
            return String(repeating: "0", count: max(0, placeholder.width - digits.utf8.count)) + digits
        }

        /// All dates with these parts; empty if the year is missing.
        package var dates: [LogDate] {
            guard let year, let newYear = LogDate(year: year, month: 1, day: 1) else { return [] }
            if let dayOfYear {
                guard (1...(CivilCalendar.isLeap(year) ? 366 : 365)).contains(dayOfYear) else { return [] }
                let date = newYear.adding(days: dayOfYear - 1)
                return (month ?? date.month, day ?? date.day) == (date.month, date.day) ? [date] : []
            }
            let months = month.map { $0...$0 } ?? 1...12
            return months.flatMap { month in
                (day.map { $0...$0 } ?? 1...31).compactMap { LogDate(year: year, month: month, day: $0) }
            }
        }
    }
}

extension FilePattern {
    /// The log dates that have a file among theirs; nil if it does not match the pattern.
    /// - Parameters:
    ///   - path: absolute.
    ///   - folder: the absolute path of the folder that a relative pattern starts from.
    package func dates(ofFileAt path: String, in folder: String) -> [LogDate]? {
        guard uriRoot == nil else { return nil }
        let fixed = fixedNames
        let start = FilePattern.names((isAbsolute ? "/" : folder + "/") + fixed.joined(separator: "/"))
        let names = FilePattern.names(path)
        guard names.starts(with: start) else { return nil }
        let found = FilePattern.matches(of: parts[fixed.count...], in: names[start.count...], knowing: DateParts())
        return found.isEmpty ? nil : Set(found.flatMap(\.dates)).sorted()
    }

    /// The parts of the date for each way in which the names of a whole path match; empty if they do not.
    func matches(_ names: [String], knowing date: DateParts = DateParts()) -> Set<DateParts> {
        FilePattern.matches(of: parts[...], in: names[...], knowing: date)
    }

    /// The path of a log date's file with placeholders where the pattern has them, so that it names the same file of
    /// any date: `logs/2026-11-19/host1.log` is `logs/%Y-%m-%d/host1.log`. Nil if the pattern does not match it.
    package func undated(_ path: String, on date: LogDate) -> String? {
        let names = path.utf8.dropFirst(uriRoot?.utf8.count ?? 0).split(separator: UInt8(ascii: "/")).map {
            String($0) ?? ""
        }
        guard let undated = FilePattern.undated(by: parts[...], names: names[...], knowing: DateParts(date)) else {
            return nil
        }
        return (uriRoot.map { $0 + "/" } ?? (isAbsolute ? "/" : "")) + undated.joined(separator: "/")
    }

    private static func undated(
        by parts: ArraySlice<Part>, names: ArraySlice<String>, knowing date: DateParts
    ) -> [String]? {
        guard let part = parts.first else { return names.isEmpty ? [] : nil }
        if case .anyFolders = part {
            if let here = undated(by: parts.dropFirst(), names: names, knowing: date) { return here }
            guard let name = names.first else { return nil }
            return undated(by: parts, names: names.dropFirst(), knowing: date).map { [name.escapingPercent] + $0 }
        }
        guard let name = names.first, let found = part.undated(name, knowing: date) else { return nil }
        return undated(by: parts.dropFirst(), names: names.dropFirst(), knowing: date).map { [found] + $0 }
    }

    /// The names of an absolute path, without `.` and `..`.
    private static func names(_ path: String) -> [String] {
        URL(fileURLWithPath: path).standardizedFileURL.path.split(separator: "/").map(String.init)
    }

    private static func matches(
        of parts: ArraySlice<Part>, in names: ArraySlice<String>, knowing date: DateParts
    ) -> Set<DateParts> {
        guard let part = parts.first else { return names.isEmpty ? [date] : [] }
        if case .anyFolders = part {
            let here = matches(of: parts.dropFirst(), in: names, knowing: date)
            guard let name = names.first, !name.isDotName else { return here }
            return here.union(matches(of: parts, in: names.dropFirst(), knowing: date))
        }
        guard let name = names.first else { return [] }
        let found = part.fixedName(knowing: date).map { $0 == name ? [date] : [] } ?? part.matches(name, knowing: date)
        return Set(found.flatMap { matches(of: parts.dropFirst(), in: names.dropFirst(), knowing: $0) })
    }
}

extension FilePattern.Part {
    /// The date parts after matching a name: one value for each way in which the name matches, so empty if it does not.
    func matches(_ name: String, knowing parts: FilePattern.DateParts) -> Set<FilePattern.DateParts> {
        guard case .name(let tokens) = self else { return [] }
        if name.isDotName, tokens.first != .literal(".") { return [] }
        let name = Array(name.unicodeScalars)
        var found: Set<FilePattern.DateParts> = []
        // The states that have been visited, so that several stars do not take exponential time.
        var seen: Set<MatchState> = []
        var open = [MatchState(token: 0, scalar: 0, parts: parts)]
        while let state = open.popLast() {
            guard seen.insert(state).inserted else { continue }
            guard state.token < tokens.count else {
                if state.scalar == name.count { found.insert(state.parts) }
                continue
            }
            switch tokens[state.token] {
            case .anyRun:
                open.append(MatchState(token: state.token + 1, scalar: state.scalar, parts: state.parts))
                if state.scalar < name.count {
                    open.append(MatchState(token: state.token, scalar: state.scalar + 1, parts: state.parts))
                }
            case .placeholder(let placeholder):
                guard let value = number(in: name, at: state.scalar, digits: placeholder.width),
                    let parts = state.parts.setting(placeholder, to: value)
                else { continue }
                open.append(MatchState(token: state.token + 1, scalar: state.scalar + placeholder.width, parts: parts))
            case let token:
                guard state.scalar < name.count, token.matches(name[state.scalar]) else { continue }
                open.append(MatchState(token: state.token + 1, scalar: state.scalar + 1, parts: state.parts))
            }
        }
        return found
    }

    /// A name with placeholders where the part has them; nil if it does not match on a date.
    fileprivate func undated(_ name: String, knowing date: FilePattern.DateParts) -> String? {
        guard case .name(let tokens) = self else { return nil }
        let name = Array(name.unicodeScalars)
        // The states that led nowhere, so that several stars do not take exponential time.
        var failed: Set<[Int]> = []
        func match(token: Int, scalar: Int) -> String? {
            guard token < tokens.count else { return scalar == name.count ? "" : nil }
            if failed.contains([token, scalar]) { return nil }
            let found: String?
            switch tokens[token] {
            case .anyRun:
                found =
                    match(token: token + 1, scalar: scalar)
                    ?? (scalar < name.count
                        ? match(token: token, scalar: scalar + 1).map { String(name[scalar]).escapingPercent + $0 }
                        : nil)
            case .placeholder(let placeholder):
                let digits = date.digits(placeholder).map { Array($0.unicodeScalars) } ?? []
                let isThere = !digits.isEmpty && name[scalar...].starts(with: digits)
                found =
                    isThere
                    ? match(token: token + 1, scalar: scalar + digits.count).map { "%\(placeholder.rawValue)" + $0 }
                    : nil
            case let other:
                let isThere = scalar < name.count && other.matches(name[scalar])
                found =
                    isThere
                    ? match(token: token + 1, scalar: scalar + 1).map { String(name[scalar]).escapingPercent + $0 }
                    : nil
            }
            if found == nil { failed.insert([token, scalar]) }
            return found
        }
        return match(token: 0, scalar: 0)
    }

    private func number(in name: [Unicode.Scalar], at start: Int, digits: Int) -> Int? {
        guard start + digits <= name.count else { return nil }
        var value = 0
        for scalar in name[start..<(start + digits)] {
            guard ("0"..."9").contains(scalar) else { return nil }
            value = value * 10 + Int(scalar.value - 48)
        }
        return value
    }
}

/// The indices of the next token and the next scalar of a match, and the date parts so far.
private struct MatchState: Hashable {
    var token: Int
    var scalar: Int
    var parts: FilePattern.DateParts
}

extension FilePattern.Token {
    fileprivate func matches(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .literal(let wanted): scalar == wanted
        case .anyOne: true
        case .oneOf(let negated, let ranges): ranges.contains { $0.contains(scalar) } != negated
        case .anyRun, .placeholder: false
        }
    }
}

extension String {
    /// Whether a name begins with a dot. `hasPrefix` would compare whole characters, and an accent may follow the dot.
    var isDotName: Bool { utf8.first == UInt8(ascii: ".") }

    /// As a pattern has it.
    fileprivate var escapingPercent: String { replacing("%", with: "%%") }
}
