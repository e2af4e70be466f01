/// A request's URI, taken apart.
package struct RequestURI {
    /// Without scheme, host and port; repeated slashes are one.
    package var path: Bytes
    /// Names and values as they stand; a parameter without `=` has an empty value.
    package var parameters: [(name: Bytes, value: Bytes)]

    package init(_ uri: Bytes) {
        let (beforeQuery, query) = uri.cut(at: "?") ?? (uri, [])
        path = RequestURI.path(beforeQuery)
        parameters = query.pieces("&").map { parameter in
            let (name, value) = parameter.cut(at: "=") ?? (parameter, [])
            return (name, value)
        }
    }

    package static func path(_ text: Bytes) -> Bytes {
        var text = text
        if let (scheme, rest) = text.cut(at: "://"), isScheme(scheme) {
            text = Bytes(rest.drop { $0 != UInt8(ascii: "/") })
        }
        var path: Bytes = []
        for byte in text where !(byte == UInt8(ascii: "/") && path.last == byte) { path.append(byte) }
        return path
    }

    private static func isScheme(_ text: Bytes) -> Bool {
        guard let first = text.lowercased.first, (0x61...0x7A).contains(first) else { return false }
        return text.lowercased.allSatisfy { (0x61...0x7A).contains($0) || [$0].isDigits || "+-.".utf8.contains($0) }
    }
}

/// Percent-escapes decoded; a broken one stays, or makes the whole nil if `strict`.
package func percentDecoded(_ text: Bytes, strict: Bool = false) -> Bytes? {
    var output: Bytes = []
    var place = 0
    while place < text.count {
        if text[place] != UInt8(ascii: "%") {
            output.append(text[place])
            place += 1
        } else if place + 2 < text.count, let high = hexValue(text[place + 1]), let low = hexValue(text[place + 2]) {
            output.append(high * 16 + low)
            place += 3
        } else if strict {
            return nil
        } else {
            output.append(text[place])
            place += 1
        }
    }
    return output
}

/// 5.3.7: why a status keeps a record from counting.
package func statusFault(_ status: Bytes?) -> String? {
    guard let status, !status.isEmpty, status != Bytes("-") else { return nil }
    guard status.isDigits, let number = Int(status.text) else { return "http_error" }
    if number == 404 { return "tracking_disabled" }
    return (200...399).contains(number) ? nil : "http_error"
}

/// 5.3.9.
package func platform(userAgent: Bytes?) -> String {
    guard let userAgent else { return "unknown" }
    if ["Android", "Dalvik/"].contains(where: { userAgent.contains($0) }) { return "android" }
    if ["iPhone", "iPad", "CPU OS ", "CFNetwork/"].contains(where: { userAgent.contains($0) }) { return "ios" }
    return "unknown"
}
