/// One arrival report, its values as JSON texts, with what it is going to mean.
struct Arrival {
    var id = Spelling.usual
    var deliveryID = Spelling.usual
    var time: Spelling? = .usual
    var type: String? = "1"
    var tracking: String?
    /// Replaces `data`; empty for none at all.
    var data: String?
    /// More members of `data`.
    var more: String?
    /// Before and after the encoded JSON.
    var before = "mzip="
    var after = ""
    var isAllEscaped = false
    var web = WebPart()
    var truth: RecordTruth

    var message: Message { truth.message }

    init(message: Message, time: Int) {
        truth = RecordTruth(message: message, action: "arrival", platform: .ios, payload: time)
    }

    /// The document; `order` decides about the order of the keys, which differs from report to report.
    func write(order: UInt64, into json: inout ByteBuffer) {
        let order = Order(bits: order)
        json.append("{")
        if order.beginsWithSecurity { writeSecurity(order, into: &json) }
        json.appendComma()
        json.append("\"log_content\":{")
        writeContent(order, into: &json)
        json.append("}")
        if !order.beginsWithSecurity {
            json.append(",")
            writeSecurity(order, into: &json)
        }
        json.append("}")
    }

    private func writeSecurity(_ order: Order, into json: inout ByteBuffer) {
        json.append("\"security\":\"")
        json.append(hex: order.security, digits: 16)
        json.append("+\\/w==\"")
    }

    private func writeContent(_ order: Order, into json: inout ByteBuffer) {
        enum Member { case time, type, data }
        var members: [Member] = []
        if time != nil { members.append(.time) }
        if type != nil { members.append(.type) }
        if data != "" { members.append(.data) }
        for place in members.indices {
            json.appendComma()
            switch members[(place + order.turn) % members.count] {
            case .time: writeTime(into: &json)
            case .type:
                json.append("\"type\":")
                json.append(text: type ?? "")
            case .data:
                json.append("\"data\":")
                if let data { json.append(text: data) } else { writeData(order, into: &json) }
            }
        }
    }

    private func writeTime(into json: inout ByteBuffer) {
        json.append("\"time\":")
        switch time {
        case .text(let text): json.append(text: text)
        default: json.append(decimal: truth.payload ?? 0)
        }
    }

    private func writeData(_ order: Order, into json: inout ByteBuffer) {
        let members = 4 + (tracking == nil ? 0 : 1) + (more == nil ? 0 : 1)
        json.append("{")
        for place in 0..<members {
            switch (place + order.dataTurn) % members {
            case 0:
                json.appendComma()
                json.append("\"_mId\":")
                json.append(id, id: message.id)
            case 1:
                json.appendComma()
                json.append("\"_dId\":")
                json.append(deliveryID, delivery: message.delivery)
            case 2: json.append("\"title\":", Self.titles[order.title])
            case 3:
                json.appendComma()
                json.append("\"msg_id\":\"T-")
                json.append(hex: message.notification, digits: 16)
                json.append("-0\"")
            case 4 where tracking != nil: json.append("\"_acsDeliveryTracking\":", tracking)
            default: json.append("", more)
            }
        }
        json.append("}")
    }

    private static let titles = [
        "\"陌陌 a+b & c\\/d\"", "\"Rebajas de otoño: −20 %\"", "\"Tu pedido está en camino 📦\"", "\"Sólo hoy\"",
    ]
}

extension Arrival {
    /// The order of a report's keys and what else differs from report to report, drawn from 64 random bits.
    struct Order {
        let bits: UInt64

        var beginsWithSecurity: Bool { bits & 1 == 0 }
        var turn: Int { Int(bits >> 1 & 7) }
        var dataTurn: Int { Int(bits >> 9 & 7) }
        var title: Int { Int(bits >> 17 & 3) }
        var security: UInt64 { SplitMix64.mix(bits) }
    }
}

extension Message {
    /// The push service's own id of it.
    var notification: UInt64 {
        SplitMix64.mix(mcID ^ UInt64(address))
    }
}
