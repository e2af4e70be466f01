import Reference

extension Payload {
    /// Writes it as a report's document. `order` has random bits for the order of the keys, which differs from report to
    /// report, and for what has no meaning here.
    func writeArrival(order: UInt64, into json: inout Bytes) {
        let beginsWithSecurity = order & 1 == 0
        json.append("{")
        if beginsWithSecurity { writeSecurity(order, into: &json) }
        json.appendComma()
        json.append("\"log_content\":{")
        let members: [String] = ["\"time\":", "\"type\":", "\"data\":"]
        let values = [timeText, actionText, whole]
        let present = [0, 1, 2].filter { $0 == 2 ? whole != "" : values[$0] != nil }
        for place in present.indices {
            let member = present[(place + Int(order >> 1 & 7)) % present.count]
            if member == 2, whole == nil {
                writeData(order, into: &json)
            } else {
                json.append(members[member], json: values[member])
            }
        }
        json.append("}")
        if !beginsWithSecurity { writeSecurity(order, into: &json) }
        json.append("}")
    }

    private func writeSecurity(_ order: UInt64, into json: inout Bytes) {
        json.appendComma()
        json.append("\"security\":\"")
        json.append(hex: SplitMix64.mix(order), digits: 16)
        json.append("+\\/w==\"")
    }

    private func writeData(_ order: UInt64, into json: inout Bytes) {
        let members = 4 + (trackingText == nil ? 0 : 1) + (more == nil ? 0 : 1)
        json.appendComma()
        json.append("\"data\":{")
        for place in 0..<members {
            switch (place + Int(order >> 9 & 7)) % members {
            case 0: json.append("\"_mId\":", json: idText)
            case 1: json.append("\"_dId\":", json: deliveryText)
            case 2: json.append("\"title\":", json: Self.titles[Int(order >> 17 & 3)])
            case 3:
                json.appendComma()
                json.append("\"msg_id\":\"T-")
                json.append(hex: message.notification, digits: 16)
                json.append("-0\"")
            case 4 where trackingText != nil: json.append("\"_acsDeliveryTracking\":", json: trackingText)
            default: json.append("", json: more)
            }
        }
        json.append("}")
    }

    private static let titles = [
        "\"陌陌 a+b & c\\/d\"", "\"Rebajas de otoño: −20 %\"", "\"Tu pedido está en camino 📦\"", "\"Sólo hoy\"",
    ]
}
