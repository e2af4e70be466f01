import Reference

extension Payload {
    /// Says the platform in one of several ways.
    mutating func tell(_ platform: Platform, mixed: Int) {
        switch platform {
        case .unknown:
            platformText = mixed == 0 ? nil : "\"WEB\""
            self.platform = mixed == 0 ? .unknown : .web
        case .ios:
            platformText = mixed < 2 ? "\"iOS\"" : "\"ios\""
            self.platform = .ios
        default:
            platformText = mixed == 0 ? "\"Android\"" : "\"android\""
            self.platform = platform
        }
    }

    /// Writes it as an event. Those of some users have their members in another order.
    func writeEvent(ofUser user: Int, into json: inout Bytes) {
        if let whole {
            json.append(whole)
            return
        }
        json.append("{")
        let isTurned = user.isMultiple(of: 5)
        if isTurned { writeProperties(into: &json) } else { json.append("\"external_id\":", json: "\"user-\(user)\"") }
        json.append("\"name\":", json: actionText)
        json.append("\"time\":", json: timeText)
        if isTurned { json.append("\"external_id\":", json: "\"user-\(user)\"") } else { writeProperties(into: &json) }
        json.append("", json: more)
        json.append("}")
    }

    private func writeProperties(into json: inout Bytes) {
        json.appendComma()
        json.append("\"properties\":{")
        json.append("\"broadlogId\":", json: idText)
        json.append("\"deliveryId\":", json: deliveryText)
        json.append("\"platform\":", json: platformText)
        json.append("\"_acsDeliveryTracking\":", json: trackingText)
        json.append("}")
    }
}
