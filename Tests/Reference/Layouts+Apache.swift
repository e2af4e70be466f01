/// The pieces of an Apache `LogFormat`.
struct ApacheFormat {
    /// A `%{…}t`.
    struct Time {
        /// Without `begin:` and `end:`.
        let text: String
        /// The `msec_frac` or `usec_frac` that follows, and the literal before it.
        var fraction: (literal: Bytes, text: String)?
    }

    enum Piece {
        case literal(Bytes)
        /// `%t`, without its brackets, which are literals.
        case timeLocal
        case time(Time)
        /// A `msec_frac` or `usec_frac` with quotes of its own, after the time that it belongs to.
        case fraction(String)
        case request
        case method
        case path
        case query
        /// `%U%q` with nothing between them are one value.
        case pathAndQuery
        case status
        case userAgent
        case skipped
    }

    private(set) var pieces: [Piece] = []

    init(_ format: String) {
        var rest = Bytes(format)[...]
        while let byte = rest.popFirst() {
            let next = rest.first ?? 0
            if byte == UInt8(ascii: "\\"), "t\"'\\".utf8.contains(next) {
                rest.removeFirst()
                append(literal: [next == UInt8(ascii: "t") ? 0x09 : next])
            } else if byte == UInt8(ascii: "%"), next == UInt8(ascii: "%") {
                rest.removeFirst()
                append(literal: [byte])
            } else if byte == UInt8(ascii: "%") {
                append(ApacheFormat.directive(&rest))
            } else {
                append(literal: [byte])
            }
        }
    }

    /// The directive after a `%`: modifiers, an argument in braces, and a letter, or `^` with letters.
    private static func directive(_ rest: inout ArraySlice<UInt8>) -> Piece {
        while let byte = rest.first, "!<>,0123456789".utf8.contains(byte) { rest.removeFirst() }
        var argument: String?
        if rest.first == UInt8(ascii: "{") {
            let text = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
            rest = rest.dropFirst(text.count + 2)
            argument = Bytes(text).text
        }
        guard let letter = rest.popFirst() else { return .skipped }
        if letter == UInt8(ascii: "^") {
            rest = rest.dropFirst(rest.starts(with: Bytes("FB")) || rest.starts(with: Bytes("t")) ? 2 : 3)
            return .skipped
        }
        switch (Character(Unicode.Scalar(letter)), argument) {
        case ("t", nil): return .timeLocal
        case ("t", let format?):
            for moment in ["begin:", "end:"] where format.hasPrefix(moment) {
                return .time(Time(text: String(format.dropFirst(moment.count))))
            }
            return .time(Time(text: format))
        case ("r", _): return .request
        case ("m", _): return .method
        case ("U", _): return .path
        case ("q", _): return .query
        case ("s", _): return .status
        case ("i", let name?) where Bytes(name).lowercased == Bytes("user-agent"): return .userAgent
        default: return .skipped
        }
    }

    private mutating func append(literal bytes: Bytes) {
        if case .literal(let before)? = pieces.last {
            pieces[pieces.count - 1] = .literal(before + bytes)
        } else {
            pieces.append(.literal(bytes))
        }
    }

    private mutating func append(_ piece: Piece) {
        switch (pieces.last, piece) {
        case (_, .timeLocal):
            append(literal: Bytes("["))
            pieces.append(.timeLocal)
            append(literal: Bytes("]"))
        case (.path, .query): pieces[pieces.count - 1] = .pathAndQuery
        case (.skipped, .skipped): break
        case (let last, .time(let time)) where time.text.hasSuffix("_frac"):
            // It belongs to the time before it, or is not read.
            var literal: Bytes = []
            if case .literal(let text)? = last { literal = text }
            let before = pieces.count - (literal.isEmpty ? 1 : 2)
            if before >= 0, case .time(var whole) = pieces[before], whole.fraction == nil,
                !["msec", "usec"].contains(whole.text)
            {
                if literal.last == UInt8(ascii: "\"") {
                    pieces.append(.fraction(time.text))
                    return
                }
                whole.fraction = (literal, time.text)
                pieces = pieces[..<before] + [.time(whole)]
            } else {
                append(.skipped)
            }
        default: pieces.append(piece)
        }
    }

    /// The end of the value of a piece: the next literal of the format. Behind the last literal, a space, a tab or the
    /// end of the line; a request, a user agent and what is not read go on to the end of the line. Nil if the line does not fit.
    func end(of index: Int, in rest: Bytes) -> Int? {
        for case .literal(let literal) in pieces[(index + 1)...] {
            return literal.hasPrefix("\"") ? closingQuote(in: rest, from: 0) : rest.firstIndex(of: literal, from: 0)
        }
        switch pieces[index] {
        case .request, .userAgent, .skipped: return rest.count
        default: break
        }
        return rest.firstIndex { [0x20, 0x09].contains($0) } ?? rest.count
    }
}

func readApache(_ line: Bytes, format: ApacheFormat, zone: Zone) -> LogLine? {
    var found = LogLine()
    var path: Bytes?
    var query: Bytes?
    var wholeURI: Bytes?
    var rest = line
    var behind = line
    var isAfterRequest = false
    // Whether the last time is that of the line.
    var takesFraction = false
    for (index, piece) in format.pieces.enumerated() {
        if case .literal(let literal) = piece {
            guard rest.starts(with: literal) else { return nil }
            rest = Bytes(rest.dropFirst(literal.count))
            continue
        }
        if case .time(let strftime) = piece {
            var time: Int?
            var length = 0
            var following: Bytes = []
            if index + 1 < format.pieces.count, case .literal(let text) = format.pieces[index + 1] { following = text }
            if let shape = ApacheTime.shape(strftime, of: rest, before: following) {
                time = shape.found.milliseconds(zone: zone)
                length = shape.length
                // Behind the last value there is white space, if anything.
                let next = rest.dropFirst(length).first
                if index == format.pieces.count - 1, let next, next != 0x20, next != 0x09 { return nil }
            } else {
                guard let end = format.end(of: index, in: rest) else { return nil }
                length = end
            }
            takesFraction = !found.hasTime && length > 0
            if takesFraction {
                found.hasTime = true
                found.time = time
            }
            rest = Bytes(rest.dropFirst(length))
            behind = rest
            continue
        }
        if case .fraction(let text) = piece {
            let digits = Bytes(rest.prefix(text == "msec_frac" ? 3 : 6))
            let fits = digits.isDigits && digits.count == (text == "msec_frac" ? 3 : 6)
            guard let end = fits ? digits.count : format.end(of: index, in: rest) else { return nil }
            let milliseconds = fits ? Int(Bytes(digits.prefix(3)).text) : nil
            if takesFraction { found.time = milliseconds.flatMap { fraction in found.time.map { $0 + fraction } } }
            rest = Bytes(rest.dropFirst(end))
            behind = rest
            continue
        }
        guard let end = format.end(of: index, in: rest) else { return nil }
        let value = unescaped(Bytes(rest[..<end]))
        var isSkipped = false
        switch piece {
        case .request, .method, .path, .query, .pathAndQuery: isAfterRequest = true
        case .skipped: isSkipped = isAfterRequest
        default: break
        }
        if isSkipped || index == format.pieces.count - 1 {
            let isRequest = if case .request = piece { true } else { false }
            found.loose.append(isRequest ? behindURI(Bytes(rest[..<end])) : Bytes(rest[..<end]))
        }
        rest = Bytes(rest[end...])
        behind = rest
        switch piece {
        case .timeLocal: found.setTime(.timeLocal, value, zone: zone)
        case .request:
            if !found.hasWholeRequest { found.setRequest(value) }
            found.hasWholeRequest = true
        case .method: if !found.hasWholeRequest { found.method = found.method ?? value }
        case .path: path = path ?? value
        case .query: query = query ?? value
        case .pathAndQuery: wholeURI = wholeURI ?? value
        case .status: found.status = found.status ?? value
        case .userAgent: found.userAgent = found.userAgent ?? value
        case .skipped, .literal, .time, .fraction: break
        }
    }
    found.loose.append(behind)
    if !found.hasWholeRequest {
        if let path, let query { found.uri = path + query }
        found.uri = wholeURI ?? found.uri
    }
    return found
}
