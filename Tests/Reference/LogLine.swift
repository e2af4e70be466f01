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

    package init() {}

    /// The first time that is not empty counts.
    mutating func setTime(_ form: ReceiptTime, _ text: Bytes, zone: Zone) {
        if hasTime || text.isEmpty { return }
        hasTime = true
        time = form.milliseconds(text, zone: zone)
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
