/// The parts of a request's URI.
package struct RequestURI {
    /// Without scheme, host and port. Repeated slashes count as one.
    package var path: Bytes
    /// Names and values as they are written. A parameter without `=` has an empty value.
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

/// With percent-escapes decoded. A broken one stays; if `strict`, the result is nil.
package func percentDecoded(_ text: Bytes, strict: Bool = false) -> Bytes? {
    var output: Bytes = []
    var index = 0
    while index < text.count {
        if text[index] != UInt8(ascii: "%") {
            output.append(text[index])
            index += 1
        } else if index + 2 < text.count, let high = hexValue(text[index + 1]), let low = hexValue(text[index + 2]) {
            output.append(high * 16 + low)
            index += 3
        } else if strict {
            return nil
        } else {
            output.append(text[index])
            index += 1
        }
    }
    return output
}

/// The reason to filter a record because of its status. Nil if the status passes.
package func statusFault(_ status: Bytes?) -> String? {
    guard let status, !status.isEmpty, status != Bytes("-") else { return nil }
    guard status.isDigits, let number = Int(status.text) else { return "http_error" }
    if number == 404 { return "tracking_disabled" }
    return (200...399).contains(number) ? nil : "http_error"
}

/// The platform that a user agent tells.
package func platform(userAgent: Bytes?) -> String {
    guard var userAgent else { return "unknown" }
    let isEncoded = ["%20", "%2F", "%2f"].contains { userAgent.contains($0) } && !userAgent.contains(" ")
    if isEncoded { userAgent = percentDecoded(userAgent) ?? userAgent }
    if ["Android", "Dalvik/"].contains(where: { userAgent.contains($0) }) { return "android" }
    if ["iPhone", "iPad", "CPU OS ", "CFNetwork/"].contains(where: { userAgent.contains($0) }) { return "ios" }
    return "unknown"
}
