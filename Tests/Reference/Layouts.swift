/// What a layout finds in a line, unescaped. Nil for what the line does not have.
package struct LogLine {
    package var method: Bytes?
    package var uri: Bytes?
    package var status: Bytes?
    /// The receipt time in milliseconds. Nil if it is missing or cannot be read.
    package var time: Int?
    /// Whether there is a time, which perhaps cannot be read.
    fileprivate var hasTime = false
    /// Whether method and URI come from one field. Then fields for one of them do not count.
    fileprivate var hasWholeRequest = false
    package var userAgent: Bytes?
    package var body: Bytes?

    package var hasRequest: Bool { method != nil && uri != nil }

    package init() {}

    /// The first time that is not empty counts.
    fileprivate mutating func setTime(_ form: ReceiptTime, _ text: Bytes, zone: Zone) {
        if hasTime || text.isEmpty { return }
        hasTime = true
        time = form.milliseconds(text, zone: zone)
    }

    /// Three digits, `0`, `-`, empty or missing.
    fileprivate var hasPlausibleStatus: Bool {
        guard let status else { return true }
        return ["", "-", "0"].contains { status == Bytes($0) } || (status.count == 3 && status.isDigits)
    }

    /// `GET /r/?id=1 HTTP/1.1`: the method up to the first space, the URI up to the next.
    fileprivate mutating func setRequest(_ request: Bytes) {
        let parts = request.pieces(" ")
        method = parts[0]
        uri = parts.count > 1 ? parts[1] : []
    }
}

extension Pipeline.Layout {
    /// Nil if the line does not fit, and always for `body`, which has no lines.
    package func read(_ line: Bytes, zone: Zone) -> LogLine? {
        let found =
            switch self {
            case .combined: readCombined(line, zone: zone)
            case .nginx(let format): readNginx(line, format: NginxFormat(format), zone: zone)
            case .json: readJSON(line, zone: zone)
            case .body: nil as LogLine?
            }
        guard let found, found.hasPlausibleStatus else { return nil }
        return found
    }
}

/// `\xHH`, `\"`, `\\` and `\b \n \r \t \v`, in one pass. Any other backslash stays.
package func unescaped(_ value: Bytes) -> Bytes {
    var output: Bytes = []
    var index = 0
    while index < value.count {
        let byte = value[index]
        let next = index + 1 < value.count ? value[index + 1] : 0
        let simple: [UInt8: UInt8] = [
            0x22: 0x22, 0x5C: 0x5C, UInt8(ascii: "b"): 8, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13,
            UInt8(ascii: "t"): 9, UInt8(ascii: "v"): 11,
        ]
        if byte == UInt8(ascii: "\\"), next == UInt8(ascii: "x"), index + 3 < value.count,
            let high = hexValue(value[index + 2]), let low = hexValue(value[index + 3])
        {
            output.append(high * 16 + low)
            index += 4
        } else if byte == UInt8(ascii: "\\"), let meant = simple[next] {
            output.append(meant)
            index += 2
        } else {
            output.append(byte)
            index += 1
        }
    }
    return output
}

/// The index of the first quote from `start` that is not escaped.
private func closingQuote(in line: Bytes, from start: Int) -> Int? {
    var index = start
    while index < line.count {
        if line[index] == UInt8(ascii: "\"") { return index }
        index += line[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return nil
}

// MARK: - combined

/// `host ident user [time] "request" status bytes`, and perhaps ` "referer" "user agent"` and more.
private func readCombined(_ line: Bytes, zone: Zone) -> LogLine? {
    guard let (host, afterHost) = line.cut(at: " "), let (ident, afterIdent) = afterHost.cut(at: " "),
        let (user, afterUser) = afterIdent.cut(at: " ["), !host.isEmpty, !ident.isEmpty, !user.isEmpty,
        let (time, rest) = afterUser.cut(at: "]"), rest.hasPrefix(" \"")
    else { return nil }
    let afterTime = Bytes(rest.dropFirst(2))
    guard let requestEnd = closingQuote(in: afterTime, from: 0) else { return nil }
    let afterRequest = Bytes(afterTime[(requestEnd + 1)...])
    guard afterRequest.hasPrefix(" ") else { return nil }
    let tokens = Bytes(afterRequest.dropFirst()).pieces(" ")
    guard tokens.count >= 2, !tokens[0].isEmpty, !tokens[1].isEmpty else { return nil }
    var found = LogLine()
    found.setRequest(unescaped(Bytes(afterTime[..<requestEnd])))
    found.status = unescaped(tokens[0])
    found.setTime(.timeLocal, unescaped(time), zone: zone)
    let afterBytes = Bytes(afterRequest.dropFirst(1 + tokens[0].count + 1 + tokens[1].count))
    if afterBytes.isEmpty { return found }
    guard afterBytes.hasPrefix(" \""), let refererEnd = closingQuote(in: afterBytes, from: 2) else { return nil }
    let afterReferer = Bytes(afterBytes[(refererEnd + 1)...])
    guard afterReferer.hasPrefix(" \""), let agentEnd = closingQuote(in: afterReferer, from: 2) else { return nil }
    found.userAgent = unescaped(Bytes(afterReferer[2..<agentEnd]))
    return found
}

// MARK: - nginx's log_format

private struct NginxFormat {
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

private func readNginx(_ line: Bytes, format: NginxFormat, zone: Zone) -> LogLine? {
    var found = LogLine()
    var rest = line
    for (index, piece) in format.pieces.enumerated() {
        switch piece {
        case .literal(let literal):
            guard rest.starts(with: literal) else { return nil }
            rest = Bytes(rest.dropFirst(literal.count))
        case .variable(let name):
            var end: Int?
            if index + 1 < format.pieces.count, case .literal(let literal) = format.pieces[index + 1] {
                end = literal.hasPrefix("\"") ? closingQuote(in: rest, from: 0) : rest.firstIndex(of: literal, from: 0)
            } else if ["status", "msec", "request_method", "request_uri", "time_iso8601"].contains(name) {
                end = rest.firstIndex { [0x20, 0x09].contains($0) } ?? rest.count
            } else if name == "time_local" {
                // The second word is an offset and belongs to the time if it begins with a sign and a digit.
                func wordEnd(_ start: Int) -> Int {
                    rest.indices.first { $0 >= start && [0x20, 0x09].contains(rest[$0]) } ?? rest.count
                }
                let first = wordEnd(0)
                let second = Bytes(rest.dropFirst(first).prefix(3))
                let isOffset = [" +", " -"].contains { second.hasPrefix($0) } && Bytes(second.dropFirst(2)).isDigits
                end = isOffset ? wordEnd(first + 1) : first
            } else {
                end = rest.count
            }
            guard let end else { return nil }
            found.set(name, unescaped(Bytes(rest[..<end])), zone: zone)
            rest = Bytes(rest[end...])
        }
    }
    return found
}

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

// MARK: - JSON

private func readJSON(_ line: Bytes, zone: Zone) -> LogLine? {
    guard let tree = JSONReader.document(line, checksUTF8: false), case .object = tree.kind else { return nil }
    var found = LogLine()
    if let request = tree["request"]?.string {
        found.setRequest(request)
    } else {
        found.method = tree["request_method"]?.string
        found.uri = tree["request_uri"]?.string
    }
    switch tree["status"]?.kind {
    case nil, .null: break
    case .string(let text): found.status = text
    case .number(let literal): found.status = literal
    default: found.status = Bytes("no number")
    }
    for form in ReceiptTime.allCases {
        guard let value = tree[form.rawValue], !value.isNull else { continue }
        if case .number(let literal) = value.kind {
            found.setTime(form, literal, zone: zone)
        } else {
            found.setTime(form, value.string ?? Bytes("neither a string nor a number"), zone: zone)
        }
    }
    found.userAgent = tree["http_user_agent"]?.string
    found.body = tree["request_body"]?.string
    return found
}
