import Calendar

/// The values of a line of an unknown layout, in the order of the line. What stands between them is literal.
struct LineWords {
    let line: Substring
    /// The character between the values, outside quotes.
    let separator: Character
    private(set) var words: [Substring] = []
    private let mayEndInPayload: Bool

    /// The most words. No format has more.
    private static let most = 500

    // A `Regex` never changes, but is not Sendable.
    /// A name with a version, as in user agents: `Dalvik/2.1.0`.
    nonisolated(unsafe) static let product = #/(?!HTTP\/)[A-Za-z][A-Za-z0-9._\-]*\/[0-9]/#
    /// A user agent without quotes: names with versions, and comments in parentheses.
    nonisolated(unsafe) private static let agent =
        #/(?!HTTP\/)[A-Za-z][A-Za-z0-9._\-]*\/[0-9][^ "|]*(?: (?:\([^)]*\)[^ "]*|[A-Za-z][^ "]*))*/#
    /// `"status":`, which is literal, as is `status=`. A word that ends in `=` may be of base 64.
    nonisolated(unsafe) private static let objectKey = #/"[^"\s]+"\s?:\s?/#
    nonisolated(unsafe) private static let key = #/(?!mzip=|id=)[A-Za-z_][A-Za-z0-9_.\-]*[=:](?![=\s]|\/\/)/#
    /// A value in quotes or brackets, unless it goes on after them. Those of a JSON object hold values.
    nonisolated(unsafe) private static let enclosed =
        #/
        (?: "((?:[^"\\]|\\.)*)" | \[([^\]]*)\] | \((?!HTTP\/)([^)]*)\) | \{(?!\s*")([^}]*)\} ) (?![A-Za-z0-9])
        /#
    /// JSON up to the line's end.
    nonisolated(unsafe) private static let payload = #/\{\s*".*\}$|\[\s*\{\s*".*\]$/#
    /// A status in a word: `TCP_MISS/200`, `HTTP_404`, `200/1234`.
    nonisolated(unsafe) private static let status =
        #/(?:([A-Z][A-Z_]*)\/|[A-Z]+_)?([1-5][0-9]{2})(?:\/([0-9]+|-))?(?![A-Za-z0-9._:\/\-])/#

    /// The priority that syslog writes before all else: `<134>2026-11-19T10:00:00Z`.
    nonisolated(unsafe) private static let priority = #/<([0-9]{1,3})>/#

    /// The ways in which a line may be split: at tabs; at bars, if it has three; at semicolons or commas, if it has
    /// four and not more spaces; at spaces.
    /// - Parameter format: of what the line is a record. A payload that ends a line is one value.
    static func ways(toSplit line: Substring, as format: RecordFormat) -> [LineWords] {
        let outside = line.replacing(#/"(?:[^"\\]|\\.)*"/#, with: "")
        let many = max(4, outside.count { $0 == " " })
        let least: [(Character, Int)] = [("\t", 1), ("|", 3), (";", many), (",", many)]
        let separators = least.filter { mark, least in outside.count { $0 == mark } >= least }.map(\.0)
        return (separators + [" "]).map { LineWords(line, separator: $0, format: format) }
    }

    private init(_ line: Substring, separator: Character, format: RecordFormat) {
        self.line = line
        self.separator = separator
        mayEndInPayload = format != .collector
        var rest = line
        while words.count < Self.most, let character = rest.first { rest = rest[take(character, of: rest)...] }
    }

    /// The end of the word, the key or the mark that begins `rest`.
    private mutating func take(_ first: Character, of rest: Substring) -> String.Index {
        let next = rest.index(after: rest.startIndex)
        if first == separator || " ,;|})]".contains(first) { return next }
        if mayEndInPayload, !words.isEmpty, rest.prefixMatch(of: Self.payload) != nil { return add(rest) }
        if first == "\"", let key = rest.prefixMatch(of: Self.objectKey) {
            let end = key.range.upperBound
            // A number, which a comma ends here.
            guard let value = rest[end...].first, !"\"{[".contains(value) else { return end }
            return add(rest[end...].prefix { !",} ".contains($0) })
        }
        if "\"[(".contains(first), let time = WrittenTime(startOf: rest[next...], separator: separator) {
            let end = time.text.endIndex
            let isQuoted = first == "\"" && rest[end...].first == "\""
            if isQuoted || first != "\"" {
                words.append(time.text)
                return isQuoted ? rest.index(after: end) : end
            }
        }
        if let match = rest.prefixMatch(of: Self.enclosed) {
            words.append(match.1 ?? match.2 ?? match.3 ?? match.4 ?? "")
            return match.range.upperBound
        }
        if "\"[({".contains(first) { return next }
        if words.isEmpty, let match = rest.prefixMatch(of: Self.priority) {
            words.append(match.1)
            return match.range.upperBound
        }
        if let time = WrittenTime(startOf: rest, separator: separator) { return add(time.text) }
        if separator == " ", let match = rest.prefixMatch(of: Self.agent), String(match.0).isUserAgent {
            return add(match.0)
        }
        if let match = rest.prefixMatch(of: Self.key) { return match.range.upperBound }
        if let match = rest.prefixMatch(of: Self.status) {
            words += [match.1, match.2, match.3].compactMap { $0 }
            return match.range.upperBound
        }
        var word = rest.prefix { $0 != separator }
        // A word between bars may have spaces around it.
        while word.last == " " { word.removeLast() }
        return add(word)
    }

    /// What stands before each word, and after the last one.
    var literals: [Substring] {
        let ends = [line.startIndex] + words.map(\.endIndex)
        return zip(ends, words.map(\.startIndex) + [line.endIndex]).map { line[$0..<$1] }
    }

    private mutating func add(_ word: Substring) -> String.Index {
        words.append(word)
        return word.endIndex
    }
}
