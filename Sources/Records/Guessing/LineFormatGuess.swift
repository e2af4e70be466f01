import Calendar

/// Proposes the formats of lines after an example: an nginx `log_format`, or an Apache `LogFormat` where only that can
/// express it. Reading more lines with a proposal shows whether it is right.
///
///     10.0.0.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h1685a5,d57fd6,7 HTTP/1.1" 200 "Mozilla/5.0 (…)"
///     $remote_addr - $remote_user [$time_local] "$request" $status "$http_user_agent"
package struct LineFormatGuess: Hashable, Sendable {
    /// A value of the key `layout`.
    package let text: String
    /// The number of values that it reads.
    package let values: Int

    /// The number of values, with those that it skips.
    package let length: Int
    /// Which of the times in the line it reads, from 0.
    package let time: Int

    /// The formats that could fit a line, the likeliest first; empty if the line lacks what a record of this kind needs.
    /// Each has the time that it reads in the line, in milliseconds since 1970.
    package static func formats(
        of line: Span<UInt8>, _ format: RecordFormat
    ) -> [(guess: LineFormatGuess, instant: Int64?)] {
        var formats: [(guess: LineFormatGuess, instant: Int64?)] = []
        for tokens in LineTokens.ways(line, format) {
            guard let last = tokens.tokens.lastIndex(where: { $0.meaning.isNeeded }) else { continue }
            // To the line's end, and up to the last value that is needed. A user agent without quotes goes on to the end.
            let upToLast = Array(tokens.tokens[...last])
            for part in tokens.tokens[last].isAgent ? [upToLast] : [tokens.tokens, upToLast] {
                for variant in [named(part, tokens), merged(part, tokens)] {
                    let end = closing(variant[variant.count - 1], tokens)
                    let rendering = Rendering(tokens: variant, line: tokens.line, closing: end)
                    // A pipeline file has no control characters.
                    guard let text = rendering.nginx ?? rendering.apache,
                        !formats.contains(where: { $0.guess.text == text }),
                        !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
                        let layout = try? Layout(parsing: text), isEnough(layout.fields, format)
                    else { continue }
                    let values = Set(variant.compactMap(\.meaning.kind)).count
                    let guess = LineFormatGuess(
                        text: text, values: values, length: variant.count, time: tokens.time?.index ?? 0)
                    formats.append((guess, tokens.time?.instant))
                }
            }
        }
        return formats
    }

    /// How likely the times that this format reads in some lines are those of their hits, from 0, the likeliest.
    package func rank(ofTimes instants: [Int64], on day: LogDate?) -> Int {
        let isNumber = ["$msec", "%{sec}t", "%{msec}t", "%{usec}t"].contains { text.contains($0) }
        return HitTimes(instants, areNumbers: isNumber).rank(on: day, isNamed: false) ?? 3
    }

    /// What a line lacks that a record of this kind needs, in words; nil if it lacks nothing.
    package static func lack(_ line: Span<UInt8>, _ format: RecordFormat) -> String? {
        let ways = LineTokens.ways(line, format)
        let meanings = ways.flatMap(\.tokens).map(\.meaning)
        guard format == .collector else { return nil }
        if !meanings.contains(where: { $0.kind == .request }) { return "no method such as GET" }
        let targets: [LineTokens.Meaning] = [.field(.request), .field(.url), .field(.query)]
        if !targets.contains(where: meanings.contains) { return "no URL with its query" }
        return meanings.contains { $0.kind == .time } ? nil : "no time"
    }

    private static func isEnough(_ fields: Set<JSONFields.Field>, _ format: RecordFormat) -> Bool {
        format == .collector ? fields.isSuperset(of: [.request, .time]) : fields.contains(.requestBody)
    }

    /// What must follow the last value for it to end there: the closing quote or bracket, or a separator.
    private static func closing(_ last: LineTokens.Token, _ tokens: LineTokens) -> [UInt8] {
        let end = last.range.upperBound
        guard end < tokens.line.count else { return [] }
        return last.isEnclosed || tokens.separator != 0x20 ? [tokens.line[end]] : []
    }

    /// With the hyphen of nginx's combined format as a literal: `$remote_addr - $remote_user [`.
    private static func named(_ tokens: [LineTokens.Token], _ line: LineTokens) -> [LineTokens.Token] {
        guard tokens.count > 2, tokens[0].meaning == .skipped("remote_addr"), line.text(tokens[1].range) == "-" else {
            return tokens
        }
        var tokens = tokens
        if tokens.count > 3, tokens[2].meaning == .skipped(""), tokens[3].meaning.isNeeded, tokens[3].isEnclosed {
            tokens[2].meaning = .skipped("remote_user")
        }
        tokens.remove(at: 1)
        return tokens
    }

    /// With one value for each run of unneeded words before a quote or bracket, so that the number of these words does
    /// not matter.
    private static func merged(_ tokens: [LineTokens.Token], _ line: LineTokens) -> [LineTokens.Token] {
        var merged: [LineTokens.Token] = []
        for token in tokens {
            let isOpen = merged.last.map { !$0.isEnclosed && !$0.meaning.isNeeded } ?? false
            var token = token
            let end = merged.last?.range.upperBound ?? token.range.lowerBound
            let isAfterSpaces =
                end < token.range.lowerBound && line.line[end..<token.range.lowerBound].allSatisfy { $0 == 0x20 }
            if !token.isEnclosed, !token.meaning.isNeeded, isAfterSpaces {
                if isOpen {
                    token.range = merged.removeLast().range.lowerBound..<token.range.upperBound
                } else {
                    token.range = end + 1..<token.range.upperBound
                }
            }
            merged.append(token)
        }
        // A run before a plain word would end at the first space.
        let isRight = zip(merged, merged.dropFirst()).allSatisfy { token, next in
            token.isEnclosed || next.range.lowerBound - token.range.upperBound > 1
                || line.line[token.range.upperBound] != 0x20
                || !line.text(token.range).contains(" ")
        }
        return isRight ? merged : tokens
    }
}

/// Values and literals as the text of a format.
private struct Rendering {
    let tokens: [LineTokens.Token]
    let line: [UInt8]
    /// The literal after the last value.
    let closing: [UInt8]

    private func literal(before index: Int) -> ArraySlice<UInt8> {
        line[(index > 0 ? tokens[index - 1].range.upperBound : 0)..<tokens[index].range.lowerBound]
    }

    /// An nginx `log_format`; nil if it cannot express a value.
    var nginx: String? {
        var text = ""
        var skipped = 0
        for (index, token) in tokens.enumerated() {
            text += escaped(literal(before: index))
            let name: String
            switch token.meaning {
            case .skipped(""):
                skipped += 1
                name = "skipped\(skipped)"
            case .skipped(let known): name = known
            case .time(.timeLocal):
                // A value without brackets ends at the next space.
                guard token.isEnclosed || token.range.upperBound == line.count else { return nil }
                name = "time_local"
            case .time(.iso8601): name = "time_iso8601"
            case .time(.msec): name = "msec"
            case .time(.apache): return nil
            case .field(let field):
                guard let variable = field.nginxVariable else { return nil }
                name = variable
            }
            text += "$\(name)"
        }
        let isAmbiguous = (0..<tokens.count).contains { literal(before: $0).contains(UInt8(ascii: "$")) }
        return isAmbiguous ? nil : text + escaped(closing[...])
    }

    /// An Apache `LogFormat`; nil if it cannot express a value.
    var apache: String? {
        var text = ""
        var skipped = 0
        for (index, token) in tokens.enumerated() {
            text += escaped(literal(before: index)).replacing("%", with: "%%")
            switch token.meaning {
            case .skipped("remote_addr"): text += "%h"
            case .skipped("remote_user"): text += "%u"
            case .skipped("body_bytes_sent"): text += "%b"
            case .skipped("http_referer"): text += "%{Referer}i"
            case .skipped:
                skipped += 1
                text += "%{skipped\(skipped)}n"
            case .time(.timeLocal): text += TimeGuess.apacheTimeLocal
            case .time(.msec):
                let hasFraction = line[token.range].contains(UInt8(ascii: "."))
                guard !hasFraction || line[token.range].split(separator: UInt8(ascii: ".")).last?.count == 3 else {
                    return nil
                }
                text += hasFraction ? "%{sec}t.%{msec_frac}t" : "%{sec}t"
            case .time(.iso8601): return nil
            case .time(.apache(let directives)): text += directives
            case .field(let field):
                guard let directive = Rendering.directives[field] else { return nil }
                text += directive
            }
        }
        return text + escaped(closing[...]).replacing("%", with: "%%")
    }

    private static let directives: [JSONFields.Field: String] = [
        .request: "%r", .method: "%m", .url: "%U%q", .path: "%U", .query: "%q", .status: "%>s",
        .userAgent: "%{User-Agent}i",
    ]

    /// A literal as a configuration file has it.
    private func escaped(_ literal: ArraySlice<UInt8>) -> String {
        String(decoding: literal, as: UTF8.self).replacing("\\", with: "\\\\").replacing("\t", with: "\\t")
    }
}
