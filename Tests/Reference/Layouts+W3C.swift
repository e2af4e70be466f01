/// The columns that are read. All others are skipped.
private let readColumns = ["date", "time", "cs-method", "cs-uri-stem", "cs-uri-query", "sc-status", "cs(User-Agent)"]

func readW3C(_ line: Bytes, columns: [String]?, zone: Zone) -> LogLine? {
    var names = columns ?? []
    let whole = names.contains("cs-uri-stem") ? nil : names.firstIndex(of: "cs-uri")
    if let whole { names[whole] = "cs-uri-stem" }
    guard var values = w3cValues(line, columns: columns == nil ? nil : names) else { return nil }
    if whole != nil, let uri = values["cs-uri-stem"] {
        let (path, query) = wholeURI(uri)
        values["cs-uri-stem"] = path
        if !query.isEmpty { values["cs-uri-query"] = query }
    }
    return w3cLine(values, zone: zone)
}

/// The path of a whole URI, from the first slash after its host, and what follows its question mark.
private func wholeURI(_ uri: Bytes) -> (path: Bytes, query: Bytes) {
    var path = Bytes(uri.prefix { $0 != UInt8(ascii: "?") })
    let query = Bytes(uri.dropFirst(path.count + 1))
    if let scheme = path.text.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) {
        let rest = path.dropFirst(scheme.0.utf8.count).drop { $0 != UInt8(ascii: "/") }
        return (Bytes(rest), query)
    }
    if path.contains(UInt8(ascii: "/")) { path = Bytes(path.drop { $0 != UInt8(ascii: "/") }) }
    return (path, query)
}

/// As w3c, but path and query are percent-encoded once more than the client encoded them, and the user agent twice. A
/// line that begins with a brace is a JSON object.
func readCloudFront(_ line: Bytes, columns: [String]?, zone: Zone) -> LogLine? {
    var values: [String: Bytes]
    if line.hasPrefix("{") {
        guard let tree = JSONReader.document(line, checksUTF8: false) else { return nil }
        values = [:]
        for name in readColumns {
            guard let value = tree[name], !value.isNull else { continue }
            switch value.kind {
            case .string(let text): values[name] = text == Bytes("-") ? [] : text
            case .number(let literal) where ["sc-status", "date", "time"].contains(name): values[name] = literal
            default: if name == "sc-status" { return nil }
            }
        }
    } else {
        guard let found = w3cValues(line, columns: columns) else { return nil }
        values = found
    }
    for name in ["cs-uri-stem", "cs-uri-query", "cs(User-Agent)"] {
        values[name] = values[name].flatMap { percentDecoded($0) }
    }
    values["cs(User-Agent)"] = values["cs(User-Agent)"].flatMap { percentDecoded($0) }
    return w3cLine(values, zone: zone)
}

/// The values of the columns that are read. `-` is empty. Nil if the line does not fit.
private func w3cValues(_ line: Bytes, columns: [String]?) -> [String: Bytes]? {
    guard let columns, let last = columns.lastReadColumn else { return nil }
    let isTabbed = line.contains("\t")
    let separator: UInt8 = isTabbed ? 0x09 : 0x20
    var values: [String: Bytes] = [:]
    var rest = line
    for index in 0...last {
        var value: Bytes
        if rest.hasPrefix("\"") {
            guard let (inner, after) = quotedValue(rest) else { return nil }
            value = inner
            rest = after
        } else {
            value = Bytes(rest.prefix { $0 != separator })
            rest = Bytes(rest.dropFirst(value.count))
        }
        if index < last {
            guard rest.first == separator else { return nil }
            rest.removeFirst()
        } else {
            guard rest.isEmpty || rest.first == separator else { return nil }
        }
        let name = columns[index]
        guard readColumns.contains(name), values[name] == nil else { continue }
        if value == Bytes("-") { value = [] }
        if name == "cs(User-Agent)", !isTabbed { value = value.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 } }
        values[name] = value
    }
    return values
}

extension [String] {
    /// The last column of which a line must have a value. Only the first of a name counts.
    fileprivate var lastReadColumn: Int? {
        readColumns.compactMap { firstIndex(of: $0) }.max()
    }
}

/// A value in quotes, in which two quotes are one, and what follows it. Nil if it has no end.
private func quotedValue(_ text: Bytes) -> (value: Bytes, after: Bytes)? {
    var value: Bytes = []
    var rest = text.dropFirst()
    while let byte = rest.popFirst() {
        if byte != UInt8(ascii: "\"") {
            value.append(byte)
        } else if rest.first == UInt8(ascii: "\"") {
            value.append(byte)
            rest.removeFirst()
        } else {
            return (value, Bytes(rest))
        }
    }
    return nil
}

private func w3cLine(_ values: [String: Bytes], zone: Zone) -> LogLine {
    var found = LogLine()
    found.method = values["cs-method"]
    found.uri = values["cs-uri-stem"]
    if let query = values["cs-uri-query"], !query.isEmpty { found.uri = found.uri.map { $0 + Bytes("?") + query } }
    found.status = values["sc-status"]
    found.userAgent = values["cs(User-Agent)"]
    if let date = values["date"], let time = values["time"], !date.isEmpty, !time.isEmpty {
        found.setTime(.timeISO8601, date + Bytes("T") + time + Bytes("Z"), zone: zone)
    }
    return found
}
