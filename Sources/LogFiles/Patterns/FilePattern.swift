import Calendar
import Messages

/// The location of the files of a log date: a path with the placeholders `%Y %y %m %d %j` for the date, as in strftime
/// (`%%` is a percent sign; `%y` stands for 2000 to 2099), and the globs `*`, `?`, `[a-z]`, `[!a-z]` and `**`.
///
///     ../logs/%Y-%m-%d/**/access-[0-9]*.log.gz      ../logs/2026-11-19/host-a/access-1.log.gz
///
/// - `*` matches any characters of one name, `?` matches one character (a Unicode scalar), and `[…]` matches one
///   character of a set. In a set all characters stand for themselves except `]`, a leading `!` or `^`, and `-` between
///   two characters. So `[*]` is a star.
/// - `**` as a whole part matches zero or more folders. As the last part it matches every file below. It does not
///   follow symbolic links.
/// - A wildcard does not match a leading dot, and `**` does not enter a folder whose name begins with one. Such a name
///   must be written out.
/// - Only regular files match. A symbolic link counts as its target.
///
/// It may also be a URI such as `hdfs://namenode/logs/%Y-%m-%d/*.gz`, without `**`. See `FileListing`.
package struct FilePattern: Sendable {
    /// The pattern as given.
    package let text: String
    /// The scheme and the authority of a URI, as `hdfs://namenode`; nil for a path of this machine.
    package let uriRoot: String?
    /// Whether the pattern begins with a slash.
    let isAbsolute: Bool
    /// The parts between the slashes.
    let parts: [Part]

    /// Parses a pattern.
    package init(_ text: String) throws(FilePatternError) {
        guard !text.isEmpty else { throw FilePatternError("'files' must not be empty") }
        guard !text.unicodeScalars.contains("\0") else {
            throw FilePatternError("'files' must not hold line breaks or other control characters")
        }
        self.text = text
        // By bytes, because Swift combines a slash and a following accent into one character.
        let slash = UInt8(ascii: "/")
        isAbsolute = text.utf8.first == slash
        uriRoot = FilePattern.uriRoot(of: text)
        var parts: [Part] = []
        for name in text.utf8.dropFirst(uriRoot?.utf8.count ?? 0).split(separator: slash) {
            let part = try Part(parsing: Substring(name))
            if case .anyFolders = part, uriRoot != nil {
                throw FilePatternError("'**' cannot be used in a URI; write '*' for each folder")
            }
            // `**/**` is equivalent to `**`.
            if case .anyFolders = part, case .anyFolders? = parts.last { continue }
            parts.append(part)
        }
        if case .anyFolders? = parts.last {
            parts.append(.name([.anyRun]))
        }
        let last = parts.last?.fixedName() ?? ""
        guard !parts.isEmpty, text.utf8.last != slash, last != ".", last != ".." else {
            throw FilePatternError("'files' names a folder; add the names of the files in it, such as '*.gz'")
        }
        self.parts = parts
    }

    /// What a URI has before its path, as `hdfs://namenode` or `s3a://bucket`; nil for a path of this machine.
    package static func uriRoot(of text: String) -> String? {
        let slash = UInt8(ascii: "/")
        let scheme = text.utf8.prefix { $0 != slash }
        guard scheme.count > 1, scheme.last == UInt8(ascii: ":"),
            text.utf8[scheme.endIndex...].starts(with: "//".utf8)
        else { return nil }
        let authority = text.utf8[scheme.endIndex...].dropFirst(2).prefix { $0 != slash }
        return String(text[..<authority.endIndex])
    }

    /// The pattern with its placeholders replaced for a log date, and its globs unchanged.
    package func text(on date: LogDate) -> String {
        var text = ""
        var rest = self.text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "%", let letter = rest.popFirst() else {
                text.unicodeScalars.append(scalar)
                continue
            }
            if let digits = Placeholder(rawValue: letter).flatMap({ DateParts(date).digits($0) }) {
                text += digits
            } else {
                text.unicodeScalars.append(letter)
            }
        }
        return text
    }

    /// Whether the files depend on the log date.
    package var hasDatePlaceholder: Bool {
        parts.contains { $0.hasPlaceholder }
    }

    /// The names of the folders before the first placeholder or glob.
    var fixedNames: [String] { parts.dropLast().map { $0.fixedName() }.prefix { $0 != nil }.compactMap(\.self) }

    /// Whether a path contains the year, which every log date needs.
    var hasYear: Bool { !placeholders.isDisjoint(with: [.year, .shortYear]) }

    /// Whether a path determines the log date, and not only its month, for example.
    package var determinesDay: Bool { hasYear && determinesDayOfYear }

    /// Whether a path determines the log date but for the year.
    package var determinesDayOfYear: Bool {
        let placeholders = placeholders
        return placeholders.isSuperset(of: [.month, .day]) || placeholders.contains(.dayOfYear)
    }

    private var placeholders: Set<Placeholder> {
        var found: Set<Placeholder> = []
        for case .name(let tokens) in parts {
            for case .placeholder(let placeholder) in tokens { found.insert(placeholder) }
        }
        return found
    }
}

/// What is wrong with the text of a pattern: a value of the key `files`.
package struct FilePatternError: Error, Equatable {
    package let text: MessageText

    init(_ text: MessageText) {
        self.text = text
    }
}

extension FilePattern {
    package enum Placeholder: Unicode.Scalar, Sendable {
        case year = "Y"
        case shortYear = "y"
        case month = "m"
        case day = "d"
        case dayOfYear = "j"

        /// The number of digits.
        package var width: Int {
            switch self {
            case .year: 4
            case .shortYear, .month, .day: 2
            case .dayOfYear: 3
            }
        }

    }

    enum Token: Equatable, Sendable {
        case literal(Unicode.Scalar)
        /// `?`
        case anyOne
        /// `*`
        case anyRun
        /// `[…]`
        case oneOf(negated: Bool, [ClosedRange<Unicode.Scalar>])
        case placeholder(Placeholder)

        var isGlob: Bool {
            switch self {
            case .anyOne, .anyRun, .oneOf: true
            case .literal, .placeholder: false
            }
        }
    }

    /// A part of a path between two slashes.
    enum Part: Equatable, Sendable {
        case name([Token])
        /// `**`
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
                    guard let set = try Self.takeSet(from: &rest) else {
                        throw FilePatternError("a '[' without ']' in 'files', in '\(text)'; write '[[]' for a bracket")
                    }
                    tokens.append(set)
                case "%":
                    guard let letter = rest.popFirst() else {
                        throw FilePatternError("a '%' with nothing after it in 'files'; write '%%' for a percent sign")
                    }
                    if let placeholder = Placeholder(rawValue: letter) {
                        tokens.append(.placeholder(placeholder))
                    } else if letter == "%" {
                        tokens.append(.literal("%"))
                    } else {
                        throw FilePatternError(
                            "unknown placeholder '%\(String(letter))' in 'files', expected '%Y', '%y', '%m', '%d', '%j' or '%%'"
                        )
                    }
                default: tokens.append(.literal(scalar))
                }
            }
            self = .name(tokens)
        }

        /// Parses a set after its `[`, up to its `]`. Returns nil if there is no `]`. A `]` at the start belongs to the
        /// set.
        private static func takeSet(from rest: inout Substring.UnicodeScalarView.SubSequence) throws(FilePatternError)
            -> Token?
        {
            let negated = rest.first == "!" || rest.first == "^"
            if negated { rest.removeFirst() }
            var ranges: [ClosedRange<Unicode.Scalar>] = []
            while let low = rest.popFirst() {
                if low == "]", !ranges.isEmpty { return .oneOf(negated: negated, ranges) }
                var high = low
                let second = rest.dropFirst().first
                if rest.first == "-", let second, second != "]" {
                    rest.removeFirst(2)
                    high = second
                }
                guard low <= high else {
                    throw FilePatternError("the range '\("\(low)-\(high)")' in 'files' runs backwards")
                }
                ranges.append(low...high)
            }
            return nil
        }

        var hasPlaceholder: Bool {
            guard case .name(let tokens) = self else { return false }
            return tokens.contains { if case .placeholder = $0 { true } else { false } }
        }

        /// Whether one folder can have names of several dates that must be listed to find the names of one date.
        var listsDates: Bool {
            guard case .name(let tokens) = self, hasPlaceholder else { return false }
            return tokens.contains(where: \.isGlob)
        }

        /// The only name that matches, if there is no glob, and no placeholder for a part of the date that is not
        /// known.
        func fixedName(knowing date: DateParts = DateParts()) -> String? {
            guard case .name(let tokens) = self else { return nil }
            var name = String.UnicodeScalarView()
            for token in tokens {
                switch token {
                case .literal(let scalar): name.append(scalar)
                case .placeholder(let placeholder):
                    guard let digits = date.digits(placeholder) else { return nil }
                    name += digits.unicodeScalars
                case .anyOne, .anyRun, .oneOf: return nil
                }
            }
            return String(name)
        }
    }
}
