/// Reads the layouts `w3c` and `cloudfront`: lines of values, whose columns the last `#Fields:` line before names.
///
///     #Fields: date time cs-method cs-uri-stem cs-uri-query sc-status cs(User-Agent)
///     2026-11-19 09:00:00 GET /r/ id=h1685a5,d57fd6,7 200 Mozilla/5.0+(Linux;+Android+14)
///
/// CloudFront encodes path and query once more, and the user agent twice. Its logs may also be JSON, with the same
/// names. Sources: W3C, "Extended Log File Format"; AWS, "Configure and use standard logs (access logs)".
package struct W3CLayout {
    private typealias Field = JSONFields.Field

    private let isCloudFront: Bool
    /// By position in a line, the field that is read there. Nil before the first `#Fields:` line of a file.
    private var columns: [Field?]?
    private var json: JSONLayout

    init(isCloudFront: Bool) {
        self.isCloudFront = isCloudFront
        json = JSONLayout(Self.names)
    }

    mutating func beginFile() {
        columns = nil
    }

    /// Takes a line that begins with `#`, which is no record. Returns false for other lines.
    mutating func takeDirective(_ line: Span<UInt8>) -> Bool {
        guard !line.isEmpty, line[0] == UInt8(ascii: "#") else { return false }
        guard line.holds(Self.fieldsDirective, at: 0) else { return true }
        let names = (Self.fieldsDirective.count..<line.count).split { line[$0].isWhiteSpace }
        var columns: [Field?] = names.map { name in
            let text = String(decoding: name.map { line[$0] }, as: UTF8.self)
            if text == Self.wholeURI, !isCloudFront { return .url }
            return Field.allCases.first { Self.names.isMapped($0) && Self.names.text($0) == text }
        }
        if columns.contains(.path) { columns = columns.map { $0 == .url ? nil : $0 } }
        for (index, column) in columns.enumerated() where columns[..<index].contains(column) { columns[index] = nil }
        while columns.last == .some(nil) { columns.removeLast() }
        self.columns = columns
        return true
    }

    private static let fieldsDirective = ascii("#Fields:")
    /// The names of the columns are the keys of CloudFront's JSON.
    private static let names = JSONFields.cloudFront
    /// The column that servers without `cs-uri-stem` have: the whole URI, or its host and path.
    private static let wholeURI = "cs-uri"

    /// The columns that a hit needs and a `#Fields:` line lacks.
    package static func missingColumns(_ line: Span<UInt8>) -> [String] {
        var layout = W3CLayout(isCloudFront: false)
        guard layout.takeDirective(line), let columns = layout.columns else { return [] }
        let needed: [Field] =
            columns.contains(.url) ? [.date, .time, .method] : [.date, .time, .method, .path, .query]
        return needed.filter { !columns.contains($0) }.map { names.text($0) }
    }

    /// Scans the object at the front of a text, so that `read` need not do it again.
    mutating func scanFront(_ text: Span<UInt8>) -> JSONScanner.Front { json.scanFront(text) }

    /// Fills `fields`.
    mutating func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        if isCloudFront, !line.isEmpty, line[0] == UInt8(ascii: "{") {
            try json.readValues(line, into: &fields)
        } else {
            try readValues(line, into: &fields)
        }
        fields.joinTime(isUTC: true)
        fields.dropHyphen(.method)
        splitURI(in: &fields)
        fields.dropHyphen(.path)
        fields.dropHyphen(.query)
        if isCloudFront {
            fields.percentDecode(.path)
            fields.percentDecode(.query)
            fields.percentDecode(.userAgent)
            fields.percentDecode(.userAgent)
        }
        fields.joinURI(.missing)
    }

    /// Of a whole URI without a query the path, to which `cs-uri-query` belongs. A host may come before it:
    /// `t.example.com/r/`.
    private func splitURI(in fields: inout LogFields) {
        guard !isCloudFront, let uri = fields[.url] else { return }
        let target = RequestTarget(fields.bytes.span, in: uri)
        let start = target.path.lowerBound
        let end = target.path.upperBound
        let slash = fields.bytes.span.firstIndex(of: UInt8(ascii: "/"), from: start, to: end) ?? start
        if target.query.isEmpty {
            fields[.url] = nil
            fields[.path] = slash..<end
        } else {
            fields[.url] = slash..<uri.upperBound
        }
    }

    private func readValues(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.begin(line, isVerbatim: true)
        guard let columns else { throw Misfit("a line '#Fields:' before the first record", at: 0) }
        let tab = line.firstIndex(of: 0x09, from: 0)
        let separator: UInt8 = tab == nil ? 0x20 : 0x09
        var next = 0
        for index in columns.indices {
            let column = columns[index]
            if index > 0 {
                guard next < line.count else {
                    throw Misfit("a value of \(column.map(Self.names.text) ?? "the next column")", at: next)
                }
                next += 1
            }
            let start = next
            let isQuoted = start < line.count && line[start] == UInt8(ascii: "\"")
            if isQuoted {
                next = try Self.end(ofQuoted: line, from: start)
                guard next == line.count || line[next] == separator else { throw Misfit(.byte(separator), at: next) }
            } else {
                next = line.firstIndex(of: separator, from: start) ?? line.count
            }
            guard let column else { continue }
            let range = isQuoted ? start + 1..<next - 1 : start..<next
            try Self.keep(column, of: line, at: range, isQuoted: isQuoted, hasPlus: tab == nil, in: &fields)
        }
    }

    /// The end of a value in quotes. Two quotes inside it stand for one.
    private static func end(ofQuoted line: Span<UInt8>, from start: Int) throws(Misfit) -> Int {
        var from = start + 1
        while let quote = line.firstIndex(of: UInt8(ascii: "\""), from: from) {
            guard quote + 1 < line.count, line[quote + 1] == UInt8(ascii: "\"") else { return quote + 1 }
            from = quote + 2
        }
        throw Misfit(.byte(UInt8(ascii: "\"")), at: line.count, context: "after a value in quotes")
    }

    private static func keep(
        _ field: Field, of line: Span<UInt8>, at range: Range<Int>, isQuoted: Bool, hasPlus: Bool,
        in fields: inout LogFields
    ) throws(Misfit) {
        let value = isQuoted ? fields.halveQuotes(line, in: range) : range
        switch field {
        case .time: fields.timeOfDay = value
        case .userAgent: fields[field] = hasPlus ? fields.withSpaces(value) : value
        case .status where !HTTPStatus.fits(fields.bytes.span, in: value): throw HTTPStatus.misfit(of: line, in: range)
        default: fields[field] = value
        }
        if field == .date { fields.timeInLine = range }
    }
}
