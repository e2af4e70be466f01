/// An nginx `log_format`: literals, and variables between them. A literal may be written as nginx's configuration has it:
/// `\t` is a tab, `\"`, `\'` and `\\` are the character behind the backslash.
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

        /// Where a value ends that stands at the end of the format, so that text may follow it: at the first space or tab,
        /// unless it may hold one.
        func end(in line: Span<UInt8>, from start: Int) -> Int {
            switch self {
            case .timeISO8601, .msec, .requestMethod, .requestURI, .status: return Variable.endOfWord(line, from: start)
            // 19/Nov/2026:10:00:00 +0000
            case .timeLocal:
                return Variable.endOfWord(line, from: min(Variable.endOfWord(line, from: start) + 1, line.count))
            case .request, .userAgent, .requestBody: return line.count
            }
        }

        private static func endOfWord(_ line: Span<UInt8>, from start: Int) -> Int {
            var end = start
            while end < line.count && line[end] != 0x20 && line[end] != 0x09 { end += 1 }
            return end
        }
    }

    struct Piece: Equatable, Sendable {
        /// nil: one whose value is skipped.
        var variable: Variable?
        /// What stands between this variable and the next one; empty only behind the last one.
        var literal: [UInt8]
    }

    /// What stands before the first variable.
    let opening: [UInt8]
    let pieces: [Piece]

    /// The variables that are read, without their `$`.
    package static let variableNames = Variable.allCases.map(\.rawValue)

    package init(parsing text: String) throws(LayoutError) {
        let bytes = Array(text.utf8)
        var opening: [UInt8] = []
        var pieces: [Piece] = []
        var lastName = ""
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
                // Two that are skipped are skipped as one.
                guard last.variable == nil, variable == nil else { throw .adjacentVariables(lastName, name) }
            } else {
                pieces.append(Piece(variable: variable, literal: []))
            }
            lastName = name
        }
        self.opening = opening
        self.pieces = pieces
    }

    /// The byte of a literal at `index`, which goes on behind it.
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

    /// Fills `fields`; false if the line does not fit. Of a variable that comes twice the first value stands.
    func read(_ line: Span<UInt8>, into fields: inout LogFields) -> Bool {
        guard line.holds(opening, at: 0) else { return false }
        fields.removeAll()
        var position = opening.count
        for piece in pieces {
            guard let end = end(of: piece, in: line, from: position) else { return false }
            if let variable = piece.variable { keep(variable, line, position..<end, in: &fields) }
            position = end + piece.literal.count
        }
        return true
    }

    /// Where a value that begins at `start` ends; nil if what must follow it does not.
    private func end(of piece: Piece, in line: Span<UInt8>, from start: Int) -> Int? {
        guard let first = piece.literal.first else {
            return piece.variable?.end(in: line, from: start) ?? line.count
        }
        guard first == UInt8(ascii: "\"") else {
            return line.firstIndex(of: piece.literal, from: start, to: line.count)
        }
        guard let quote = LogEscapes.closingQuote(line, from: start), line.holds(piece.literal, at: quote) else {
            return nil
        }
        return quote
    }

    private func keep(_ variable: Variable, _ line: Span<UInt8>, _ range: Range<Int>, in fields: inout LogFields) {
        switch variable {
        case .timeLocal: keepTime(.timeLocal, line, range, in: &fields)
        case .timeISO8601: keepTime(.iso8601, line, range, in: &fields)
        case .msec: keepTime(.msec, line, range, in: &fields)
        case .request: fields.request = fields.request ?? fields.unescape(line, range)
        case .requestMethod: fields.method = fields.method ?? fields.unescape(line, range)
        case .requestURI: fields.uri = fields.uri ?? fields.unescape(line, range)
        case .status: fields.status = fields.status ?? fields.unescape(line, range)
        case .userAgent: fields.userAgent = fields.userAgent ?? fields.unescape(line, range)
        case .requestBody: fields.body = fields.body ?? fields.unescape(line, range)
        }
    }

    private func keepTime(
        _ form: ReceiptClock.Form, _ line: Span<UInt8>, _ range: Range<Int>, in fields: inout LogFields
    ) {
        guard fields.time == nil else { return }
        fields.time = fields.unescape(line, range)
        fields.timeForm = form
    }
}
