/// An nginx `log_format`: variables with literals between them. A literal may have the escapes of an nginx
/// configuration: `\t` is a tab, and `\"`, `\'` and `\\` are the character after the backslash.
///
///     $remote_addr [$time_local] "$request" $status "$http_user_agent" "$request_body"
package struct LogFormat: Equatable, Sendable {
    enum Variable: String, CaseIterable, Sendable {
        case timeLocal = "time_local"
        case timeISO8601 = "time_iso8601"
        case msec
        case request
        case requestMethod = "request_method"
        case requestURI = "request_uri"
        case status
        case userAgent = "http_user_agent"
        case requestBody = "request_body"

        /// The end of a value at the end of the format, which other text may follow. It ends at the first space or tab,
        /// unless values of this variable may contain them.
        func end(in line: Span<UInt8>, from start: Int) -> Int {
            switch self {
            case .timeISO8601, .msec, .requestMethod, .requestURI, .status: return Variable.endOfWord(line, from: start)
            // 19/Nov/2026:10:00:00 +0000
            case .timeLocal:
                let end = Variable.endOfWord(line, from: start)
                guard end + 2 < line.count, line[end] == 0x20, line[end + 2].isDigit,
                    line[end + 1] == UInt8(ascii: "+") || line[end + 1] == UInt8(ascii: "-")
                else { return end }
                return Variable.endOfWord(line, from: end + 1)
            case .request, .userAgent, .requestBody: return line.count
            }
        }

        private static func endOfWord(_ line: Span<UInt8>, from start: Int) -> Int {
            var end = start
            while end < line.count && line[end] != 0x20 && line[end] != 0x09 { end += 1 }
            return end
        }
    }

    /// A variable and the literal after it.
    struct Piece: Equatable, Sendable {
        /// Nil if the value is not needed.
        var variable: Variable?
        /// Empty only after the last variable.
        var literal: [UInt8]
    }

    /// The literal before the first variable.
    let opening: [UInt8]
    let pieces: [Piece]
    /// The location of the opening and of each literal, for messages: `before $status`.
    private let contexts: [String]

    /// The names of all variables of the format, without `$`.
    package let variables: Set<String>

    /// The names of the variables that are read, without `$`.
    package static let knownVariables = Variable.allCases.map(\.rawValue)

    /// Parses a log format.
    package init(parsing text: String) throws(LayoutError) {
        let bytes = Array(text.utf8)
        var opening: [UInt8] = []
        var pieces: [Piece] = []
        var lastName = ""
        // The name of the variable of each piece; if several are skipped together, the first.
        var names: [String] = []
        var variables: Set<String> = []
        var index = 0
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "$") else {
                let byte = try LogFormat.takeLiteral(bytes, &index)
                if pieces.isEmpty {
                    opening.append(byte)
                } else {
                    pieces[pieces.count - 1].literal.append(byte)
                }
                continue
            }
            let dollar = index
            let braced = index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{")
            let start = index + (braced ? 2 : 1)
            index = start
            while index < bytes.count,
                bytes[index].isLetter || bytes[index].isDigit || bytes[index] == UInt8(ascii: "_")
            {
                index += 1
            }
            let name = String(decoding: bytes[start..<index], as: UTF8.self)
            if braced {
                guard index < bytes.count, bytes[index] == UInt8(ascii: "}") else { throw .strayDollar(dollar) }
                index += 1
            }
            guard !name.isEmpty else { throw .strayDollar(dollar) }
            let variable = Variable(rawValue: name)
            if let last = pieces.last, last.literal.isEmpty {
                // Adjacent variables that are not needed are skipped together.
                guard last.variable == nil, variable == nil else { throw .adjacentVariables(lastName, name) }
            } else {
                pieces.append(Piece(variable: variable, literal: []))
                names.append(name)
            }
            variables.insert(name)
            lastName = name
        }
        self.variables = variables
        self.opening = opening
        self.pieces = pieces
        contexts = names.map { "before $\($0)" } + ["behind $\(names.last ?? "")"]
    }

    /// The parts of a request that the format has variables for.
    var fields: Set<LayoutField> {
        let read = Set(pieces.compactMap(\.variable))
        var fields: Set<LayoutField> = []
        if read.contains(.request) || read.isSuperset(of: [.requestMethod, .requestURI]) { fields.insert(.request) }
        if !read.isDisjoint(with: [.timeLocal, .timeISO8601, .msec]) { fields.insert(.time) }
        if read.contains(.requestBody) { fields.insert(.body) }
        return fields
    }

    /// The byte of a literal at `index`. Advances `index` past it.
    private static func takeLiteral(_ bytes: [UInt8], _ index: inout Int) throws(LayoutError) -> UInt8 {
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "\\"), index < bytes.count else { return byte }
        let escaped = bytes[index]
        switch escaped {
        case UInt8(ascii: "n"), UInt8(ascii: "r"): throw .lineBreak
        case UInt8(ascii: "t"):
            index += 1
            return 0x09
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"):
            index += 1
            return escaped
        default: return byte
        }
    }

    /// Fills `fields` from left to right. If a variable occurs twice, the first value counts.
    func read(_ line: Span<UInt8>, into fields: inout LogFields) throws(Misfit) {
        fields.removeAll()
        var start = try line.end(of: opening, at: 0, contexts[0])
        for (index, piece) in pieces.enumerated() {
            let end = try end(of: piece, in: line, from: start, contexts[index + 1])
            if let variable = piece.variable { try keep(variable, line, start..<end, in: &fields) }
            start = end + piece.literal.count
        }
    }

    /// The end of the value at `start`. Throws if the literal of the piece does not follow it.
    private func end(
        of piece: Piece, in line: Span<UInt8>, from start: Int, _ context: @autoclosure () -> String
    ) throws(Misfit) -> Int {
        guard let first = piece.literal.first else {
            return piece.variable?.end(in: line, from: start) ?? line.count
        }
        guard first == UInt8(ascii: "\"") else {
            return try line.next(piece.literal, from: start, context())
        }
        let quote = try line.closingQuote(from: start, context())
        _ = try line.end(of: piece.literal, at: quote, context())
        return quote
    }

    private func keep(
        _ variable: Variable, _ line: Span<UInt8>, _ range: Range<Int>, in fields: inout LogFields
    ) throws(Misfit) {
        switch variable {
        case .timeLocal: fields.keepTime(.timeLocal, line, range)
        case .timeISO8601: fields.keepTime(.iso8601, line, range)
        case .msec: fields.keepTime(.msec, line, range)
        case .request: fields.request = fields.request ?? fields.unescape(line, range)
        case .requestMethod: fields.method = fields.method ?? fields.unescape(line, range)
        case .requestURI: fields.uri = fields.uri ?? fields.unescape(line, range)
        case .status: if fields.status == nil { try fields.keepStatus(line, range) }
        case .userAgent: fields.userAgent = fields.userAgent ?? fields.unescape(line, range)
        case .requestBody:
            guard fields.body == nil else { return }
            fields.body = fields.unescape(line, range)
            fields.bodyInLine = range
        }
    }
}
