/// The pieces of an Apache `LogFormat`.
struct ApacheFormat {
    enum Piece: Equatable {
        case literal(Bytes)
        /// `%t`, without its brackets, which are literals.
        case timeLocal
        /// `%{…}t`, without `begin:` and `end:`.
        case time(String)
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
                return .time(String(format.dropFirst(moment.count)))
            }
            return .time(format)
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
        default: pieces.append(piece)
        }
    }

    /// The end of the value of a piece: the next literal of the format. Behind the last literal, a space, a tab or the
    /// end of the line; a request, a user agent and what is not read go on to the end of the line. Nil if the line does not fit.
    func end(of index: Int, in rest: Bytes) -> Int? {
        // A value with a `%{…}t` directly after it ends where such a time begins.
        if case .time(let format)? = pieces[(index + 1)...].first, !pieces[index].isTime {
            return rest.indices.first { ApacheTime.shape(format, of: Bytes(rest[$0...])) != nil }
        }
        for case .literal(let literal) in pieces[(index + 1)...] {
            return literal.hasPrefix("\"") ? closingQuote(in: rest, from: 0) : rest.firstIndex(of: literal, from: 0)
        }
        if [.request, .userAgent, .skipped].contains(pieces[index]) { return rest.count }
        return rest.firstIndex { [0x20, 0x09].contains($0) } ?? rest.count
    }
}

extension ApacheFormat.Piece {
    fileprivate var isTime: Bool {
        if case .time = self { true } else { false }
    }
}

func readApache(_ line: Bytes, format: ApacheFormat, zone: Zone) -> LogLine? {
    var found = LogLine()
    var path: Bytes?
    var query: Bytes?
    var wholeURI: Bytes?
    // The texts of `%t` and of all `%{…}t`. The first kind in the format counts, unless it is empty.
    var timeLocal: Bytes?
    var time = ApacheTime()
    var isTimeLocalFirst: Bool?
    var rest = line
    var behind = line
    var isAfterRequest = false
    for (index, piece) in format.pieces.enumerated() {
        if case .literal(let literal) = piece {
            guard rest.starts(with: literal) else { return nil }
            rest = Bytes(rest.dropFirst(literal.count))
            continue
        }
        if case .time(let strftime) = piece {
            isTimeLocalFirst = isTimeLocalFirst ?? false
            if let (found, length) = ApacheTime.shape(strftime, of: rest) {
                time.add(found, isEmpty: length == 0)
                rest = Bytes(rest.dropFirst(length))
            } else {
                guard let end = format.end(of: index, in: rest) else { return nil }
                time.addUnreadable(isEmpty: end == 0)
                rest = Bytes(rest.dropFirst(end))
            }
            behind = rest
            continue
        }
        guard let end = format.end(of: index, in: rest) else { return nil }
        let value = unescaped(Bytes(rest[..<end]))
        if piece == .skipped && isAfterRequest || index == format.pieces.count - 1 {
            found.loose.append(Bytes(rest[..<end]))
        }
        if [.request, .method, .path, .query, .pathAndQuery].contains(piece) { isAfterRequest = true }
        rest = Bytes(rest[end...])
        behind = rest
        switch piece {
        case .timeLocal:
            isTimeLocalFirst = isTimeLocalFirst ?? true
            if timeLocal == nil, !value.isEmpty { timeLocal = value }
        case .request:
            if !found.hasWholeRequest { found.setRequest(value) }
            found.hasWholeRequest = true
        case .method: if !found.hasWholeRequest { found.method = found.method ?? value }
        case .path: path = path ?? value
        case .query: query = query ?? value
        case .pathAndQuery: wholeURI = wholeURI ?? value
        case .status: found.status = found.status ?? value
        case .userAgent: found.userAgent = found.userAgent ?? value
        case .skipped, .literal, .time: break
        }
    }
    found.loose.append(behind)
    if !found.hasWholeRequest {
        if let path, let query { found.uri = path + query }
        found.uri = wholeURI ?? found.uri
    }
    if let timeLocal, isTimeLocalFirst == true || time.isEmpty {
        found.setTime(.timeLocal, timeLocal, zone: zone)
    } else if !time.isEmpty {
        found.hasTime = true
        found.time = time.milliseconds(zone: zone)
    }
    return found
}
