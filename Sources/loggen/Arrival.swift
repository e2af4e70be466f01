/// One arrival report, its values as JSON texts, with what it is going to mean.
struct Arrival {
    let message: Message
    var id: String
    var deliveryID: String
    var time: String
    var type: String? = "1"
    var tracking: String?
    /// Replaces `data`; empty for none at all.
    var data: String?
    /// More members of `data`.
    var more = ""
    /// Before and after the encoded JSON.
    var before = "mzip="
    var after = ""
    var isAllEscaped = false
    var web = WebPart()

    /// The truth: the id, the delivery, the time that the payload says, or what else becomes of the record.
    var key: String
    var delivery: String
    var payload: Int?
    var verdict: Meaning?

    init(message: Message, time: Int) {
        self.message = message
        id = "\"h\(message.idText)\""
        deliveryID = "\"\(message.deliveryText)\""
        self.time = String(time)
        key = message.key
        delivery = message.deliveryText
        payload = time
    }

    /// The document; `order` decides about the order of the keys, which differs from report to report.
    func write(order: UInt64, into json: inout ByteBuffer) {
        let security = "\"security\":\"\(hexText(SplitMix64.mix(order), 16))+\\/w==\""
        json.append("{")
        if order & 1 == 0 {
            json.append(text: security)
            json.append(",")
        }
        json.append("\"log_content\":")
        writeContent(order: order >> 1, into: &json)
        if order & 1 == 1 {
            json.append(",")
            json.append(text: security)
        }
        json.append("}")
    }

    private func writeContent(order: UInt64, into json: inout ByteBuffer) {
        var members: [String] = []
        if !time.isEmpty { members.append("\"time\":\(time)") }
        if let type { members.append("\"type\":\(type)") }
        let content = data ?? dataText(order: order >> 8)
        if !content.isEmpty { members.append("\"data\":\(content)") }
        write(members, turn: Int(order & 7), into: &json)
    }

    private func write(_ members: [String], turn: Int, into json: inout ByteBuffer) {
        json.append("{")
        for place in members.indices {
            if place > 0 { json.append(",") }
            json.append(text: members[(place + turn) % members.count])
        }
        json.append("}")
    }

    private func dataText(order: UInt64) -> String {
        var members = [
            "\"_mId\":\(id)", "\"_dId\":\(deliveryID)", "\"title\":\"\(Self.titles[Int(order >> 8 & 3)])\"",
            "\"msg_id\":\"T-\(hexText(SplitMix64.mix(message.mcID ^ UInt64(message.address)), 16))-0\"",
        ]
        if let tracking { members.append("\"_acsDeliveryTracking\":\(tracking)") }
        if !more.isEmpty { members.append(more) }
        let turn = Int(order & 7) % members.count
        return "{" + (members[turn...] + members[..<turn]).joined(separator: ",") + "}"
    }

    private static let titles = [
        "陌陌 a+b & c\\/d", "Rebajas de otoño: −20 %", "Tu pedido está en camino 📦", "Sólo hoy",
    ]
}

/// The request around a body, where the layout has one.
struct WebPart {
    var method = "POST"
    var path: String?
    var status = "200"
    var hasBody = true
    var shape = WebLine.Shape.full
    var ending = "\n"
    var timeSpelling = WebLine.TimeSpelling.usual
    var timeIsBad = false
    /// What the request alone makes of the record.
    var verdict: Meaning?
}

extension WebPart {
    /// What happens to requests with bodies.
    enum Oddity: CaseIterable {
        case get, head, otherPath, doubleSlash, absolute, disabled, failed, unavailable, dashStatus, noBody
        case cut, open, garbage, badTime, crlf, emptyLine
    }

    init(_ oddity: Oddity, path: String) {
        switch oddity {
        case .get:
            method = "GET"
            verdict = .notTracking
        case .head:
            method = "HEAD"
            status = "405"
            verdict = .notTracking
        case .otherPath:
            self.path = path + "/"
            verdict = .notTracking
        case .doubleSlash: self.path = "/" + path + "?v=2"
        case .absolute: self.path = "http://push.example.com:8080" + path
        case .disabled:
            status = "404"
            verdict = .trackingDisabled
        case .failed:
            status = "500"
            verdict = .httpError
        case .unavailable:
            status = "499"
            verdict = .httpError
        case .dashStatus: status = "-"
        case .noBody:
            hasBody = false
            verdict = .noBody
        case .cut:
            shape = .cut
            verdict = .malformedLine
        case .open:
            shape = .open
            verdict = .malformedLine
        case .garbage:
            shape = .raw("-- log turned over --")
            verdict = .malformedLine
        case .badTime:
            timeSpelling = .text("yesterday")
            timeIsBad = true
        case .crlf: ending = "\r\n"
        case .emptyLine: ending = "\n\n"
        }
    }
}
