import Calendar

/// Where the files of a log date lie: a path with strftime's `%Y %m %d %j` for the date (`%%` is a percent sign) and
/// the globs `*`, `?`, `[a-z]`, `[!a-z]` and `**`.
///
///     ../logs/%Y-%m-%d/**/access-[0-9]*.log.gz      ../logs/2026-11-19/host-a/access-1.log.gz
///
/// - `*` stands for any characters of one name, `?` for one (a Unicode scalar), `[…]` for one of a set, in which
///   everything but `]`, a leading `!` or `^`, and `-` between two characters means itself; so `[*]` is a star.
/// - `**` as a whole part stands for zero or more folders; as the last part, for every file beneath. It does not go
///   through symbolic links.
/// - A name that begins with a dot is matched by no wildcard and entered by no `**`; written out, it is found.
/// - Regular files only; a symbolic link counts as what it points to.
package struct FilePattern: Sendable {
    /// The pattern as it was given.
    package let text: String
    package let isAbsolute: Bool
    let parts: [Part]

    package init(_ text: String) throws(FilePatternError) {
        guard !text.isEmpty else { throw .empty }
        guard !text.unicodeScalars.contains("\0") else { throw .nulCharacter }
        self.text = text
        // Bytes, since a slash with an accent behind it is one character to Swift.
        let slash = UInt8(ascii: "/")
        self.isAbsolute = text.utf8.first == slash
        var parts: [Part] = []
        for name in text.utf8.split(separator: slash) {
            let part = try Part(parsing: Substring(name))
            // `**/**` finds what `**` finds.
            if case .anyFolders = part, case .anyFolders? = parts.last { continue }
            parts.append(part)
        }
        if case .anyFolders? = parts.last {
            parts.append(.name([.anyRun]))
        }
        let last = parts.last?.fixedName ?? ""
        guard !parts.isEmpty, text.utf8.last != slash, last != ".", last != ".." else { throw .namesFolder }
        self.parts = parts
    }

    /// The pattern with its placeholders filled in for a log date, its globs as they are.
    package func text(on date: LogDate) -> String {
        var text = ""
        var rest = self.text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%", let letter = rest.popFirst() else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch letter {
            case "Y": text += date.year.padded(to: 4)
            case "m": text += date.month.padded(to: 2)
            case "d": text += date.day.padded(to: 2)
            case "j": text += date.dayOfYear.padded(to: 3)
            default: text.unicodeScalars.append(letter)
            }
        }
        return text
    }

    /// Whether the files depend on the log date.
    package var hasDatePlaceholder: Bool {
        parts.contains { $0.hasPlaceholder }
    }

    /// Whether a file's path tells the year, without which it tells no log date.
    var saysYear: Bool { placeholders.contains(.year) }

    /// Whether a file's path tells the log date, and not only its month, say.
    package var tellsDay: Bool {
        let placeholders = placeholders
        return placeholders.isSuperset(of: [.year, .month, .day]) || placeholders.isSuperset(of: [.year, .dayOfYear])
    }

    private var placeholders: Set<Placeholder> {
        var found: Set<Placeholder> = []
        for case .name(let tokens) in parts {
            for case .placeholder(let placeholder) in tokens { found.insert(placeholder) }
        }
        return found
    }
}

/// What is wrong with the text of a pattern.
package enum FilePatternError: Error, Hashable {
    case empty
    case nulCharacter
    /// It ends in `/`, `.` or `..`.
    case namesFolder
    /// A `%` with this character behind it, or with none at the pattern's end.
    case unknownPlaceholder(Character?)
    /// The part of the path in which a `[` has no `]`.
    case unclosedBracket(in: String)
    /// A range such as `z-a`.
    case backwardRange(String)
}

extension FilePattern {
    enum Placeholder: Hashable, Sendable {
        case year, month, day, dayOfYear

        var width: Int {
            switch self {
            case .year: 4
            case .month, .day: 2
            case .dayOfYear: 3
            }
        }
    }

    enum Token: Equatable, Sendable {
        case literal(Unicode.Scalar)
        case anyOne
        case anyRun
        case oneOf(negated: Bool, [ClosedRange<Unicode.Scalar>])
        case placeholder(Placeholder)
    }

    /// What lies between two slashes.
    enum Part: Equatable, Sendable {
        case name([Token])
        case anyFolders

        init(parsing text: Substring) throws(FilePatternError) {
            guard text != "**" else {
                self = .anyFolders
                return
            }
            var tokens: [Token] = []
            var rest = text.unicodeScalars[...]
            while let scalar = rest.popFirst() {
                switch scalar {
                case "*":
                    if tokens.last != .anyRun { tokens.append(.anyRun) }
                case "?": tokens.append(.anyOne)
                case "[":
                    guard let set = try Self.takeSet(from: &rest) else { throw .unclosedBracket(in: String(text)) }
                    tokens.append(set)
                case "%":
                    switch rest.popFirst() {
                    case "Y": tokens.append(.placeholder(.year))
                    case "m": tokens.append(.placeholder(.month))
                    case "d": tokens.append(.placeholder(.day))
                    case "j": tokens.append(.placeholder(.dayOfYear))
                    case "%": tokens.append(.literal("%"))
                    case let other: throw .unknownPlaceholder(other.map { Character($0) })
                    }
                default: tokens.append(.literal(scalar))
                }
            }
            self = .name(tokens)
        }

        /// The set behind a `[`, up to its `]`; nil if it has none. A `]` that comes first is one of the set.
        private static func takeSet(from rest: inout Substring.UnicodeScalarView.SubSequence) throws(FilePatternError)
            -> Token?
        {
            let negated = rest.first == "!" || rest.first == "^"
            if negated { rest.removeFirst() }
            var ranges: [ClosedRange<Unicode.Scalar>] = []
            while let low = rest.popFirst() {
                if low == "]", !ranges.isEmpty { return .oneOf(negated: negated, ranges) }
                var high = low
                let behind = rest.dropFirst().first
                if rest.first == "-", let behind, behind != "]" {
                    rest.removeFirst(2)
                    high = behind
                }
                guard low <= high else { throw .backwardRange("\(low)-\(high)") }
                ranges.append(low...high)
            }
            return nil
        }

        var hasPlaceholder: Bool {
            guard case .name(let tokens) = self else { return false }
            return tokens.contains { if case .placeholder = $0 { true } else { false } }
        }

        /// Whether names of several dates must be looked at to find those of one.
        var listsDates: Bool {
            guard case .name(let tokens) = self, hasPlaceholder else { return false }
            return tokens.contains { token in
                switch token {
                case .anyOne, .anyRun, .oneOf: true
                case .literal, .placeholder: false
                }
            }
        }

        /// The name, where there is but one that fits.
        var fixedName: String? {
            guard case .name(let tokens) = self else { return nil }
            var name = String.UnicodeScalarView()
            for token in tokens {
                guard case .literal(let scalar) = token else { return nil }
                name.append(scalar)
            }
            return String(name)
        }

        func filled(for date: LogDate) -> Part {
            guard case .name(let tokens) = self, hasPlaceholder else { return self }
            let filled = tokens.flatMap { token -> [Token] in
                guard case .placeholder(let placeholder) = token else { return [token] }
                let value =
                    switch placeholder {
                    case .year: date.year
                    case .month: date.month
                    case .day: date.day
                    case .dayOfYear: date.dayOfYear
                    }
                return value.padded(to: placeholder.width).unicodeScalars.map { .literal($0) }
            }
            return .name(filled)
        }
    }
}

extension Int {
    /// The decimal digits of a number that is not negative, with leading zeros up to `width` digits.
    fileprivate func padded(to width: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, width - text.utf8.count)) + text
    }
}
