/// The values of a line of an unknown layout, with their meanings. Between them are literals.
struct LineTokens {
    enum Meaning: Equatable {
        /// Not needed. The name is that of an nginx variable, without `$`; empty if nothing is known.
        case skipped(String)
        case time(TimeGuess)
        case field(JSONFields.Field)

        var isNeeded: Bool { if case .skipped = self { false } else { true } }
    }

    struct Token {
        var range: Range<Int>
        /// Whether quotes or brackets surround it.
        var isEnclosed: Bool
        var meaning = Meaning.skipped("")
    }

    let line: [UInt8]
    let separator: UInt8
    private(set) var tokens: [Token] = []
    /// Whether the line is made like a JSON object, as by a format of an administrator. Its keys are literals.
    private let isObject: Bool

    /// - Parameter format: of what the line seems to hold.
    init(_ line: Span<UInt8>, _ format: RecordFormat) {
        self.line = line.indices.map { line[$0] }
        separator = LineTokens.separator(line)
        isObject = !line.isEmpty && line[0] == UInt8(ascii: "{")
        split(line)
        findMeanings(line, format)
    }

    func text(_ range: Range<Int>) -> String { String(decoding: line[range], as: UTF8.self) }

    // MARK: Splitting

    /// The byte that separates the values outside quotes: a tab, if the line has one; a bar, if it has three; a semicolon
    /// or comma, if it has four and not more spaces; else a space.
    private static func separator(_ line: Span<UInt8>) -> UInt8 {
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
        if counts[0x09] != nil { return 0x09 }
        let spaces = counts[0x20] ?? 0
        if counts[UInt8(ascii: "|"), default: 0] >= 3 { return UInt8(ascii: "|") }
        let others = [UInt8(ascii: ";"), UInt8(ascii: ",")]
        return others.first { counts[$0, default: 0] >= max(4, spaces) } ?? 0x20
    }

    private mutating func split(_ line: Span<UInt8>) {
        var index = 0
        while index < line.count {
            let byte = line[index]
            let isQuote = byte == UInt8(ascii: "\"")
            if byte == separator || byte == 0x20 || isPunctuation(byte) {
                index += 1
            } else if isObject, isQuote, let colon = endOfObjectKey(line, from: index) {
                index = colon
            } else if isQuote || byte == UInt8(ascii: "["), let close = close(line, from: index + 1, isQuote) {
                tokens.append(Token(range: index + 1..<close, isEnclosed: true))
                index = close + 1
            } else if let end = endOfTime(line, from: index) {
                tokens.append(Token(range: index..<end, isEnclosed: false))
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

    /// The closing quote or bracket; nil if it is missing, or if the value goes on after it.
    private func close(_ line: Span<UInt8>, from start: Int, _ isQuote: Bool) -> Int? {
        let close =
            isQuote
            ? LogEscapes.closingQuote(line, from: start) : line.firstIndex(of: UInt8(ascii: "]"), from: start)
        guard let close else { return nil }
        let next = close + 1
        return next == line.count || line[next] == separator || !(line[next].isLetter || line[next].isDigit)
            ? close : nil
    }

    private func isPunctuation(_ byte: UInt8) -> Bool {
        (isObject ? Array(",;|{}".utf8) : Array(",;|".utf8)).contains(byte)
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
        while end < line.count, line[end] != separator, !(isObject && isPunctuation(line[end])) { end += 1 }
        return end
    }

    /// The end of a time of up to six words.
    private func endOfTime(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard line[start].isDigit || line[start].isLetter else { return nil }
        var ends: [Int] = []
        var end = start
        while ends.count < 6, end < line.count, end - start < 48 {
            end += 1
            while end < line.count, line[end] != separator, line[end] != 0x20 { end += 1 }
            ends.append(end)
        }
        return ends.last { TimeGuess(line, start..<$0, isEnclosed: false) != nil }
    }

    /// The end of a key such as `status=` or `time:`, which is a literal.
    private func endOfKey(_ line: Span<UInt8>, from start: Int) -> Int? {
        guard line[start].isLetter || line[start] == UInt8(ascii: "_") else { return nil }
        let marks = Array("_.-".utf8)
        var end = start
        while end < line.count, line[end].isLetter || line[end].isDigit || marks.contains(line[end]) { end += 1 }
        guard end < line.count, line[end] == UInt8(ascii: "=") || line[end] == UInt8(ascii: ":"),
            !line.holds(ascii("//"), at: end + 1), !["mzip", "id"].contains(text(start..<end))
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

        for index in tokens.indices {
            guard let time = TimeGuess(line, tokens[index].range, isEnclosed: tokens[index].isEnclosed) else {
                continue
            }
            tokens[index].meaning = .time(time)
            break
        }
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
        let statuses = tokens.indices.filter { tokens[$0].meaning == .skipped("") && texts[$0].isHTTPStatus }
        if let status = statuses.first(where: { $0 > target }) ?? statuses.first {
            tokens[status].meaning = .field(.status)
        }
        if format != .collector, let body = first({ texts[$0].isPayload }) {
            tokens[body].meaning = .field(.requestBody)
        }
        if let agent = first({ isWide($0) && texts[$0].isUserAgent }) { tokens[agent].meaning = .field(.userAgent) }
        nameSkipped(texts)
    }

    /// Names what nginx and Apache write by default, so that a person recognises the format.
    private mutating func nameSkipped(_ texts: [String]) {
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
