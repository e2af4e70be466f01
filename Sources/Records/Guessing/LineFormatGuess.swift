import Calendar

/// Proposes the formats of lines: an nginx `log_format`, or an Apache `LogFormat` where only that can express it.
/// Reading more lines with a proposal shows whether it is right.
///
///     10.0.0.1 - - [19/Nov/2026:10:00:00 +0000] "GET /r/?id=h1685a5,d57fd6,7 HTTP/1.1" 200 "Mozilla/5.0 (…)"
///     $remote_addr - $remote_user [$time_local] "$request" $status "$http_user_agent"
package struct LineFormatGuess {
    private typealias Field = JSONFields.Field

    /// A value of a format.
    private struct Value {
        var text: Substring
        /// Nil if it is not needed.
        let field: Field?
        /// The nginx variable of a value that is not needed, without `$`; empty if nothing is known of it.
        var name = ""
    }

    /// A line that many are like.
    private let example: LineWords
    /// What each word of the example is.
    private let fields: [Int: Field]

    /// Values of the key `layout` that could fit some lines, the likeliest first; empty if they lack what a record of
    /// this kind needs.
    /// - Parameter day: the date in the file's path.
    package static func formats(of lines: [[UInt8]], as format: RecordFormat, on day: LogDate?) -> [String] {
        var alike: [[Substring]: [LineWords]] = [:]
        for line in lines {
            for words in LineWords.ways(toSplit: String(decoding: line, as: UTF8.self)[...], as: format) {
                alike[words.literals + ["\(words.separator)"], default: []].append(words)
            }
        }
        var formats: [String: (lines: Int, order: Int)] = [:]
        for words in alike.values {
            let found = fields(of: words, as: format, on: day)
            let isEnough =
                format == .collector ? found.hasRequest && found.found[.time] != nil : found.found[.requestBody] != nil
            guard isEnough else { continue }
            // Of events the time of the line is not needed, and only nginx's formats have a body.
            let isTimed = words[0].words.indices.filter { found.found[.time] == $0 }.allSatisfy { index in
                WrittenTime(startOf: words[0].words[index], separator: words[0].separator)?.nginx != nil
            }
            let needed = found.found.filter { format != .events || $0.key != .time || isTimed }
            let fields = Dictionary(
                needed.map { ($1, $0) }, uniquingKeysWith: { a, b in a.rawValue < b.rawValue ? a : b })
            for (order, text) in LineFormatGuess(example: words[0], fields: fields).texts.enumerated() {
                let known = formats[text] ?? (0, order)
                formats[text] = (known.lines + words.count, min(known.order, order))
            }
        }
        // A few odd lines make no format.
        let most = formats.values.map(\.lines).max() ?? 0
        return formats.filter { $0.value.lines * 8 >= most }.sorted { a, b in
            (b.value.lines, a.value.order, a.key) < (a.value.lines, b.value.order, b.key)
        }.map(\.key)
    }

    private static func fields(of lines: [LineWords], as format: RecordFormat, on day: LogDate?) -> FieldGuess {
        let columns = zip(lines[0].words.indices, lines[0].literals).map { index, literal in
            let texts = lines.map { String($0.words[index]) }
            return HitValues(
                name: String(literal), texts: Dictionary(uniqueKeysWithValues: zip(texts.indices, texts)))
        }
        return FieldGuess(columns, hits: lines.count, format: format, hasOrder: true, on: day)
    }

    /// What a line lacks that a record of this kind needs, in words; nil if it lacks nothing.
    package static func lack(of line: [UInt8], as format: RecordFormat) -> String? {
        guard format == .collector else { return nil }
        let text = String(decoding: line, as: UTF8.self)
        let ways = LineWords.ways(toSplit: text[...], as: format).map {
            fields(of: [$0], as: format, on: nil).found
        }
        if ways.allSatisfy({ $0[.request] == nil && $0[.method] == nil }) { return "no method such as GET" }
        if ways.allSatisfy({ $0[.request] == nil && $0[.url] == nil && $0[.query] == nil }) {
            return "no URL with its query"
        }
        return ways.allSatisfy { $0[.time] == nil } ? WrittenTime.lack(in: text) : nil
    }

    // MARK: Texts

    /// To the line's end, and up to the last value that is needed; with each word as a value, and with runs of words.
    private var texts: [String] {
        guard let last = fields.keys.max() else { return [] }
        let all = example.words.indices.map { Value(text: example.words[$0], field: fields[$0]) }
        var texts: [String] = []
        for values in [all, Array(all[...last])] {
            for values in [named(values), named(merged(values))] {
                let text = [nginx(values), apache(values)].lazy.compactMap { $0 }.first { reads($0, finding: values) }
                if let text, !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }

    /// Whether a format finds the values in the example. A pipeline file has no control characters.
    private func reads(_ text: String, finding values: [Value]) -> Bool {
        guard let format = (try? Layout(parsing: text))?.format,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }),
            let ranges = LineFormatReader(format).values(of: Array(example.line.utf8).span)
        else { return false }
        let starts = Set(ranges.map(\.lowerBound))
        let ends = Set(ranges.map(\.upperBound))
        func offset(_ index: String.Index) -> Int {
            example.line.utf8.distance(from: example.line.startIndex, to: index)
        }
        return values.allSatisfy { value in
            value.field == nil
                || starts.contains(offset(value.text.startIndex)) && ends.contains(offset(value.text.endIndex))
        }
    }

    /// With the names of what nginx and Apache write by default, so that a person recognises the format.
    private func named(_ values: [Value]) -> [Value] {
        var values = values
        func name(_ index: Int, as name: String, if isIt: (Value) -> Bool) {
            guard values.indices.contains(index), values[index].field == nil, isIt(values[index]) else { return }
            values[index].name = name
        }
        name(0, as: "remote_addr") { $0.text.contains(#/^[0-9A-Fa-f]*[.:][0-9A-Fa-f]*[.:][0-9A-Fa-f.:]+$/#) }
        // The hyphen is a literal: `$remote_addr - $remote_user [`, `$remote_addr - [`.
        if values.count > 3, values[0].name == "remote_addr", values[1].text == "-",
            let next = values[2...].firstIndex(where: { $0.field != nil }), next < 4, isEnclosed(values[next])
        {
            values.remove(at: 1)
            if next == 3 { values[1].name = "remote_user" }
        }
        if let status = values.firstIndex(where: { $0.field == .status }) {
            name(status + 1, as: "body_bytes_sent") { $0.text.contains(#/^(?:[0-9]+|-)$/#) }
        }
        if let agent = values.firstIndex(where: { $0.field == .userAgent }) {
            name(agent - 1, as: "http_referer") { String($0.text).isReferer && isEnclosed($0) }
        }
        return values
    }

    private func isEnclosed(_ value: Value) -> Bool {
        value.text.startIndex > example.line.startIndex
            && "\"[({".contains(example.line[example.line.index(before: value.text.startIndex)])
    }

    /// With one value for each run of unneeded words, so that the number of these words does not matter.
    private func merged(_ values: [Value]) -> [Value] {
        var merged: [Value] = []
        for value in values {
            if let last = merged.last, last.field == nil, value.field == nil,
                example.line[last.text.endIndex..<value.text.startIndex].allSatisfy({ $0 == " " })
            {
                merged[merged.count - 1].text = example.line[last.text.startIndex..<value.text.endIndex]
            } else {
                merged.append(value)
            }
        }
        return merged
    }

    /// An nginx `log_format`; nil if it cannot express a value.
    private func nginx(_ values: [Value]) -> String? {
        var skipped = 0
        guard !literals(values).contains(where: { $0.contains("$") }) else { return nil }
        return format(values) { value in
            switch value.field {
            case .time: return WrittenTime(startOf: value.text, separator: example.separator)?.nginx.map { "$\($0)" }
            case let field?: return field.nginxVariable.map { "$\($0)" }
            case nil where value.name.isEmpty: skipped += 1
            case nil: return "$\(value.name)"
            }
            return "$skipped\(skipped)"
        }
    }

    /// An Apache `LogFormat`; nil if it cannot express a value.
    private func apache(_ values: [Value]) -> String? {
        let directives: [Field: String] = [
            .request: "%r", .method: "%m", .url: "%U%q", .path: "%U", .query: "%q", .status: "%>s",
            .userAgent: "%{User-Agent}i",
        ]
        let names = ["remote_addr": "%h", "remote_user": "%u", "body_bytes_sent": "%b", "http_referer": "%{Referer}i"]
        var skipped = 0
        return format(values) { value in
            if value.field == .time { return WrittenTime(startOf: value.text, separator: example.separator)?.apache }
            if let field = value.field { return directives[field] }
            if let name = names[value.name] { return name }
            skipped += 1
            return "%{skipped\(skipped)}n"
        } escaping: {
            $0.replacing("%", with: "%%")
        }
    }

    /// What stands before each value; at last the mark that must follow the last value for it to end there: its closing
    /// quote or bracket, or a separator.
    private func literals(_ values: [Value]) -> [Substring] {
        let ends = [example.line.startIndex] + values.map(\.text.endIndex)
        let literals = zip(ends, values.map(\.text.startIndex)).map { example.line[$0..<$1] }
        let rest = example.line[ends[values.count]...]
        return literals + [rest.first == " " ? "" : rest.prefix(1)]
    }

    private func format(
        _ values: [Value], text: (Value) -> String?, escaping: (String) -> String = { $0 }
    ) -> String? {
        // A literal as a configuration file has it.
        let literals = literals(values).map { literal in
            escaping(String(literal).replacing("\\", with: "\\\\").replacing("\t", with: "\\t"))
        }
        let texts = values.compactMap(text)
        guard texts.count == values.count else { return nil }
        return zip(literals, texts + [""]).map { $0 + $1 }.joined()
    }
}
