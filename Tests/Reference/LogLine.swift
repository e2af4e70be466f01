/// What a layout finds in a line, unescaped. Nil for what the line does not have.
package struct LogLine {
    package var method: Bytes?
    package var uri: Bytes?
    package var status: Bytes?
    /// The receipt time in milliseconds. Nil if it is missing or cannot be read.
    package var time: Int?
    /// Whether there is a time, which perhaps cannot be read.
    var hasTime = false
    /// Whether method and URI come from one field. Then fields for one of them do not count.
    var hasWholeRequest = false
    package var userAgent: Bytes?
    package var body: Bytes?
    /// Texts of the line in which another line may have been joined to this one.
    var loose: [Bytes] = []

    package init() {}

    /// The first time that is not empty counts.
    mutating func setTime(_ form: ReceiptTime, _ text: Bytes, zone: Zone) {
        if hasTime || text.isEmpty { return }
        hasTime = true
        time = form.milliseconds(text, zone: zone)
    }

    /// The decoded `id` of a hit's URI; nil if it is no hit.
    private static func id(method: Bytes, uri: Bytes) -> Bytes? {
        let uri = RequestURI(uri)
        guard [Bytes("GET"), Bytes("POST")].contains(method), [Bytes("/r"), Bytes("/r/")].contains(uri.path),
            let id = uri.parameters.first(where: { $0.name == Bytes("id") })
        else { return nil }
        return percentDecoded(id.value)
    }

    /// Whether a loose text holds the request of a hit with another `id` than this line's.
    var isJoined: Bool {
        let own = LogLine.id(method: method ?? [], uri: uri ?? [])
        for text in loose {
            for start in text.indices {
                for method in ["GET", "POST"] where Bytes(text[start...]).hasPrefix(method + " ") {
                    var target: Bytes = []
                    var rest = text.dropFirst(start + method.utf8.count + 1)
                    while let byte = rest.popFirst(), byte > 0x20, byte != UInt8(ascii: "\"") {
                        target.append(byte)
                        if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { target.append(escaped) }
                    }
                    if let other = LogLine.id(method: Bytes(method), uri: unescaped(target)), other != own {
                        return true
                    }
                }
            }
        }
        return false
    }

    /// Three digits, `0`, `-`, empty or missing.
    var hasPlausibleStatus: Bool {
        guard let status else { return true }
        return ["", "-", "0"].contains { status == Bytes($0) } || (status.count == 3 && status.isDigits)
    }

    /// `GET /r/?id=1 HTTP/1.1`: the method up to the first space, the URI up to the next.
    mutating func setRequest(_ request: Bytes) {
        let parts = request.pieces(" ")
        method = parts[0]
        uri = parts.count > 1 ? parts[1] : []
    }
}

/// What follows the URI in an escaped request: its shortest beginning that holds two spaces is left out.
func behindURI(_ request: Bytes) -> Bytes {
    let end = request.indices.first { end in unescaped(Bytes(request[...end])).count { $0 == 0x20 } == 2 }
    return end.map { Bytes(request[($0 + 1)...]) } ?? []
}
