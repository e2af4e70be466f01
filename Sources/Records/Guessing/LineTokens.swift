/// The values of a line of an unknown layout, with their meanings. Between them are literals.
struct LineTokens {
    enum Meaning: Equatable {
        /// Not needed. The name is that of an nginx variable, without `$`; empty if nothing is known.
        case skipped(String)
        case time(TimeGuess)
        case field(JSONFields.Field)

        var isNeeded: Bool { if case .skipped = self { false } else { true } }

        /// What a value that is needed tells: all parts of a request are one.
        var kind: JSONFields.Field? {
            switch self {
            case .skipped: nil
            case .time: .time
            case .field(.method), .field(.url), .field(.path), .field(.query): .request
            case .field(let field): field
            }
        }
    }

    struct Token {
        var range: Range<Int>
        /// Whether quotes or brackets surround it.
        var isEnclosed: Bool
        /// Whether it is a user agent of several words without quotes.
        var isAgent = false
        var meaning = Meaning.skipped("")
    }

    let line: [UInt8]
    let separator: UInt8
    private(set) var tokens: [Token] = []
    /// Where a part begins that is made like a JSON object, as by a format of an administrator: its keys are literals. The
    /// line's end if there is none.
    private let object: Int

    /// Which of the times in the line is taken, from 0, and its value in milliseconds since 1970.
    private(set) var time: (index: Int, instant: Int64)?

    /// The most times of a line that are tried.
    private static let times = 3

    /// The ways in which a line may be split, with each of its times.
    /// - Parameter format: of what the line seems to hold.
    static func ways(_ line: Span<UInt8>, _ format: RecordFormat) -> [LineTokens] {
        let separators = separators(line)
        var ways: [LineTokens]
        if line.holds(ascii("{"), at: 0) {
            ways = [LineTokens(line, separators[0], object: 0)]
        } else {
            ways = separators.map { LineTokens(line, $0, object: line.count) }
            if let object = line.firstIndex(of: ascii("{\""), from: 0, to: line.count) {
                ways += Set([separators[0], 0x20]).sorted().map { LineTokens(line, $0, object: object) }
            }
        }
        return ways.flatMap { way in
            let times = way.tokens.indices.filter { index in
                TimeGuess(line, way.tokens[index].range, isEnclosed: way.tokens[index].isEnclosed) != nil
            }
            return (0..<min(max(1, times.count), LineTokens.times)).map { index in
                var way = way
                if index < times.count { way.takeTime(line, times[index], index) }
                way.findMeanings(line, format)
                return way
            }
        }
    }

    private init(_ line: Span<UInt8>, _ separator: UInt8, object: Int) {
        self.line = line.indices.map { line[$0] }
        self.separator = separator
        self.object = object
        split(line)
    }

    private mutating func takeTime(_ line: Span<UInt8>, _ token: Int, _ index: Int) {
        let range = tokens[token].range
        if let time = TimeGuess(line, range, isEnclosed: tokens[token].isEnclosed) {
            tokens[token].meaning = .time(time)
            self.time = TimeGuess.instant(line, range).map { (index, $0) }
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }

    // MARK: Splitting

    /// The bytes that may separate the values outside quotes: a tab, a bar, if the line has three; a semicolon or comma, if
    /// it has four and not more spaces; a space.
    private static func separators(_ line: Span<UInt8>) -> [UInt8] {
        var counts: [UInt8: Int] = [:]
        var index = 0
        while index < line.count {
            if line[index] == UInt8(ascii: "\""), let quote = LogEscapes.closingQuote(line, from: index + 1) {
                index = quote
            } else {
                counts[line[index], default: 0] += 1
            }
            index += 1
        }
        let many = max(4, counts[0x20] ?? 0)
        let least = [
            (UInt8(ascii: "\t"), 1), (UInt8(ascii: "|"), 3), (UInt8(ascii: ";"), many), (UInt8(ascii: ","), many),
        ]
        return least.filter { counts[$0, default: 0] >= $1 }.map(\.0) + [0x20]
    }

    private mutating func split(_ line: Span<UInt8>) {
        var index = 0
        while index < line.count {
            let byte = line[index]
            if byte == separator || byte == 0x20 || isPunctuation(byte, at: index) {
                index += 1
            } else if index >= object, byte == UInt8(ascii: "\""), let colon = endOfObjectKey(line, from: index) {
                index = colon
            } else if let end = TimeGuess.endOfDateAndTime(line, from: byte == UInt8(ascii: "\"") ? index + 1 : index) {
                let start = byte == UInt8(ascii: "\"") ? index + 1 : index
                tokens.append(Token(range: start..<end, isEnclosed: start > index))
                index = start > index ? end + 1 : end
            } else if let close = close(line, from: index), byte == UInt8(ascii: "["),
                TimeGuess(line, index + 1..<close, isEnclosed: true) == nil,
                let end = endOfTime(line, from: index + 1), end < close
            {
                // A time with something else in its brackets: [2026-11-19T10:00:00.123 #4711]
                tokens.append(Token(range: index + 1..<end, isEnclosed: false))
                index = end
            } else if let close = close(line, from: index) {
                tokens.append(Token(range: index + 1..<close, isEnclosed: true))
                index = close + 1
            } else if let end = endOfTime(line, from: index) {
                tokens.append(Token(range: index..<end, isEnclosed: false))
                index = end
            } else if separator == 0x20, let end = endOfAgent(line, from: index) {
                tokens.append(Token(range: index..<end, isEnclosed: false, isAgent: true))
                index = end
            } else if let end = endOfKey(line, from: index) {
                index = end
            } else {
                let end = endOfWord(line, from: index)
                tokens.append(Token(range: index..<end, isEnclosed: false))
                index = end
            }
        }
    }

    /// The quote or bracket that closes the one at `start`; nil if none is there, or if the value goes on after it.
    private func close(_ line: Span<UInt8>, from start: Int) -> Int? {
        let pairs = start >= object ? "\"\"[]" : "\"\"[](){}"
        let bytes = Array(pairs.utf8)
        guard let open = stride(from: 0, to: bytes.count, by: 2).first(where: { bytes[$0] == line[start] }) else {
            return nil
        }
        let close =
            open == 0
            ? LogEscapes.closingQuote(line, from: start + 1) : line.firstIndex(of: bytes[open + 1], from: start + 1)
        guard let close else { return nil }
        let next = close + 1
        return next == line.count || line[next] == separator || !(line[next].isLetter || line[next].isDigit)
            ? close : nil
    }

    private func isPunctuation(_ byte: UInt8, at index: Int) -> Bool {
        (index >= object ? Array(",;|{}".utf8) : Array(",;|".utf8)).contains(byte)
    }

    /// The end of `"status":`, which is a literal.
    private func endOfObjectKey(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard let quote = LogEscapes.closingQuote(line, from: start + 1), quote + 1 < line.count,
            line[quote + 1] == UInt8(ascii: ":")
        else { return nil }
        return quote + 2
    }

    private func endOfWord(_ line: Span<UInt8>, from start: Int) -> Int {
        var end = start
        while end < line.count, line[end] != separator, !(end >= object && isPunctuation(line[end], at: end)) {
            end += 1
        }
        // A word between bars may have spaces around it.
        while end > start + 1, line[end - 1] == 0x20 { end -= 1 }
        return end
    }

    /// The end of a time of up to six words.
    private func endOfTime(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard start < line.count, line[start].isDigit || line[start].isLetter else { return nil }
        var ends: [Int] = []
        var end = start
        while ends.count < 6, end < line.count, end - start < 48 {
            end += 1
            while end < line.count, line[end] != separator, line[end] != 0x20 { end += 1 }
            ends.append(end)
        }
        return ends.last { TimeGuess(line, start..<$0, isEnclosed: false) != nil }
    }

    /// The end of a user agent without quotes: names with versions, and comments in parentheses, of which one is known.
    ///
    ///     Shop/7.1 CFNetwork/1410.0.3 Darwin/22.6.0
    ///     Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148
    private func endOfAgent(_ line: Span<UInt8>, from start: Int) -> Int? {
        var (index, end): (Int, Int?) = (start, nil)
        while index < line.count {
            var wordEnd = endOfWord(line, from: index)
            if end != nil, line[index] == UInt8(ascii: "("),
                let close = line.firstIndex(of: UInt8(ascii: ")"), from: index)
            {
                wordEnd = close + 1
            } else if !text(index..<wordEnd).isProduct, end == nil || !line[index].isLetter {
                break
            }
            end = wordEnd
            guard wordEnd + 1 < line.count, line[wordEnd] == 0x20 else { break }
            index = wordEnd + 1
        }
        return end.flatMap { text(start..<$0).isUserAgent ? $0 : nil }
    }

    /// The end of a key such as `status=` or `time:`, which is a literal.
    private func endOfKey(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard line[start].isLetter || line[start] == UInt8(ascii: "_") else { return nil }
        let marks = Array("_.-".utf8)
        var end = start
        while end < line.count, line[end].isLetter || line[end].isDigit || marks.contains(line[end]) { end += 1 }
        // A word that ends in `=` may be of base 64.
        guard end + 1 < line.count, line[end] == UInt8(ascii: "=") || line[end] == UInt8(ascii: ":"),
            line[end + 1] != UInt8(ascii: "="), line[end + 1] != separator, !line.holds(ascii("//"), at: end + 1),
            !["mzip", "id"].contains(text(start..<end))
        else { return nil }
        return end + 1
    }

    // MARK: Meanings

    private mutating func findMeanings(_ line: Span<UInt8>, _ format: RecordFormat) {
        let texts = tokens.map { text($0.range) }
        func first(_ isIt: (Int) -> Bool) -> Int? {
            tokens.indices.first { tokens[$0].meaning == .skipped("") && isIt($0) }
        }
        func hasSign(_ index: Int) -> Bool {
            format != .collector || format.hasSign(in: line.extracting(tokens[index].range))
        }
        /// Whether a token may hold spaces.
        func isWide(_ index: Int) -> Bool { tokens[index].isEnclosed || separator != 0x20 }

        var target: Int
        if let request = first({ isWide($0) && texts[$0].isRequestLine && hasSign($0) }) {
            tokens[request].meaning = .field(.request)
            target = request
        } else if let method = first({ texts[$0].isRequestMethod }) {
            tokens[method].meaning = .field(.method)
            target = method
            if let uri = first({ texts[$0].isRequestTarget && hasSign($0) }) {
                tokens[uri].meaning = .field(.url)
                target = max(method, uri)
            } else if let query = first({ texts[$0].hasPrefix("?") && hasSign($0) }),
                let path = first({ texts[$0].hasPrefix("/") })
            {
                tokens[path].meaning = .field(.path)
                tokens[query].meaning = .field(.query)
                target = max(method, path, query)
            }
        } else {
            target = -1
        }
        if format != .collector, let body = first({ texts[$0].isPayload }) {
            tokens[body].meaning = .field(.requestBody)
        }
        if let agent = first({ isWide($0) && texts[$0].isUserAgent })
            ?? first({ tokens[$0].isAgent || texts[$0].isUserAgent && texts[$0].contains("+") })
        {
            tokens[agent].meaning = .field(.userAgent)
        }
        let skipped = tokens.indices.filter { tokens[$0].meaning == .skipped("") }
        let inOrder = skipped.filter { $0 > target } + skipped.filter { $0 < target }
        if let status = inOrder.first(where: { texts[$0].isHTTPStatus && isCalledStatus($0) })
            ?? inOrder.first(where: { texts[$0].isHTTPStatus })
        {
            tokens[status].meaning = .field(.status)
        } else if let index = inOrder.first(where: { status(in: $0) != nil }), let status = status(in: index) {
            takeStatus(status, of: index)
        }
        nameSkipped()
    }

    /// Whether `status=` or the like is before a token.
    private func isCalledStatus(_ index: Int) -> Bool {
        let start = index > 0 ? tokens[index - 1].range.upperBound : 0
        let key = text(start..<tokens[index].range.lowerBound).lowercased().filter(\.isLetter)
        return ["status", "statuscode", "code", "scstatus"].contains(key)
    }

    /// The status in a word such as `TCP_MISS/200`, `200/1234` or `HTTP/1.1 200`; nil if there is none, or several.
    private func status(in index: Int) -> Range<Int>? {
        let range = tokens[index].range
        let marks = Array("/_ ".utf8)
        let starts = range.dropLast(2).filter { start in
            let end = start + 3
            return text(start..<end).isHTTPStatus && (start == range.lowerBound || marks.contains(line[start - 1]))
                && (end == range.upperBound || marks.contains(line[end]))
        }
        return starts.count == 1 && range.count > 3 ? starts[0]..<starts[0] + 3 : nil
    }

    /// Splits a token into a status and what is around it. Letters before an underscore are a literal.
    private mutating func takeStatus(_ status: Range<Int>, of index: Int) {
        let range = tokens[index].range
        var parts = [
            Token(range: status, isEnclosed: status.upperBound < line.count && line[status.upperBound] != 0x20)
        ]
        parts[0].meaning = .field(.status)
        if status.lowerBound > range.lowerBound, line[status.lowerBound - 1] != UInt8(ascii: "_") {
            parts.insert(Token(range: range.lowerBound..<status.lowerBound - 1, isEnclosed: false), at: 0)
        }
        if status.upperBound + 1 < range.upperBound {
            parts.append(Token(range: status.upperBound + 1..<range.upperBound, isEnclosed: tokens[index].isEnclosed))
        }
        tokens.replaceSubrange(index...index, with: parts)
    }

    /// Names what nginx and Apache write by default, so that a person recognises the format.
    private mutating func nameSkipped() {
        let texts = tokens.map { text($0.range) }
        var used: Set<String> = []
        for index in tokens.indices {
            guard case .skipped = tokens[index].meaning else { continue }
            let before = index > 0 ? tokens[index - 1].meaning : nil
            let after = index + 1 < tokens.count ? tokens[index + 1].meaning : nil
            let name =
                switch texts[index] {
                case let text where index == 0 && text.isAddress: "remote_addr"
                case let text where before == .field(.status) && text.isCount: "body_bytes_sent"
                case let text where after == .field(.userAgent) && tokens[index].isEnclosed && text.isReferer:
                    "http_referer"
                default: ""
                }
            if !name.isEmpty, used.insert(name).inserted { tokens[index].meaning = .skipped(name) }
        }
    }
}
