struct NginxFormat {
    enum Piece {
        case literal(Bytes)
        case variable(String)
    }

    var pieces: [Piece] = []

    /// `$name` and `${name}` are variables. Everything else is literal.
    init(_ format: String) {
        var literal: Bytes = []
        var rest = Bytes(format)[...]
        func isName(_ byte: UInt8) -> Bool {
            [byte].isDigits || byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        }
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$") else {
                let next = rest.first ?? 0
                if byte == UInt8(ascii: "\\"), "t\"'\\".utf8.contains(next) {
                    rest.removeFirst()
                    literal.append(next == UInt8(ascii: "t") ? 0x09 : next)
                } else {
                    literal.append(byte)
                }
                continue
            }
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = []
            let hasBraces = rest.first == UInt8(ascii: "{")
            if hasBraces { rest.removeFirst() }
            let name = rest.prefix(while: isName)
            rest = rest.dropFirst(name.count + (hasBraces ? 1 : 0))
            // Two variables with nothing between them are both skipped.
            if case .variable? = pieces.last { continue }
            pieces.append(.variable(Bytes(name).text))
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
    }
}

func readNginx(_ line: Bytes, format: NginxFormat, zone: Zone) -> LogLine? {
    var found = LogLine()
    var rest = line
    var behind = line
    var isAfterRequest = false
    for (index, piece) in format.pieces.enumerated() {
        switch piece {
        case .literal(let literal):
            guard rest.starts(with: literal) else { return nil }
            rest = Bytes(rest.dropFirst(literal.count))
        case .variable(let name):
            var end: Int?
            if index + 1 < format.pieces.count, case .literal(let literal) = format.pieces[index + 1] {
                end = literal.hasPrefix("\"") ? closingQuote(in: rest, from: 0) : rest.firstIndex(of: literal, from: 0)
                // The space inside the time does not end it.
                if name == "time_local", let space = end, rest[space] == 0x20, isOffset(Bytes(rest[(space + 1)...])) {
                    end = rest.firstIndex(of: literal, from: space + 1) ?? space
                }
            } else if ["status", "msec", "request_method", "request_uri", "time_iso8601"].contains(name) {
                end = rest.firstIndex { [0x20, 0x09].contains($0) } ?? rest.count
            } else if name == "time_local" {
                // The second word is an offset and belongs to the time if it begins with a sign and a digit.
                func wordEnd(_ start: Int) -> Int {
                    rest.indices.first { $0 >= start && [0x20, 0x09].contains(rest[$0]) } ?? rest.count
                }
                let first = wordEnd(0)
                end = isOffset(Bytes(rest.dropFirst(first + 1))) ? wordEnd(first + 1) : first
            } else {
                end = rest.count
            }
            guard let end else { return nil }
            found.set(name, unescaped(Bytes(rest[..<end])), zone: zone)
            let isSkipped = ReceiptTime(rawValue: name) == nil && !readVariables.contains(name)
            if isSkipped && isAfterRequest || index == format.pieces.count - 1 {
                let value = Bytes(rest[..<end])
                found.loose.append(name == "request" ? behindURI(value) : value)
            }
            if name.hasPrefix("request"), readVariables.contains(name), name != "request_body" { isAfterRequest = true }
            rest = Bytes(rest[end...])
            behind = rest
        }
    }
    found.loose.append(behind)
    return found
}

/// Whether text begins with a sign and a digit.
private func isOffset(_ text: Bytes) -> Bool {
    ["+", "-"].contains { text.hasPrefix($0) } && text.count > 1 && Bytes(text[1...1]).isDigits
}

/// Those that are no times.
private let readVariables = ["request", "request_method", "request_uri", "status", "http_user_agent", "request_body"]

extension LogLine {
    fileprivate mutating func set(_ variable: String, _ value: Bytes, zone: Zone) {
        switch variable {
        case "request":
            if !hasWholeRequest { setRequest(value) }
            hasWholeRequest = true
        case "request_method": if !hasWholeRequest { method = method ?? value }
        case "request_uri": if !hasWholeRequest { uri = uri ?? value }
        case "status": status = status ?? value
        case "http_user_agent": userAgent = userAgent ?? value
        case "request_body": body = body ?? value
        case "time_local", "time_iso8601", "msec":
            if let form = ReceiptTime(rawValue: variable) { setTime(form, value, zone: zone) }
        default: break
        }
    }
}
