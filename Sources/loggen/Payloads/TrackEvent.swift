/// One event, its values as JSON texts, with what it is going to mean.
struct TrackEvent {
    let code: Int
    let user: Int
    var id: Spelling? = .usual
    var deliveryID: Spelling? = .usual
    var name: Spelling? = .usual
    var time: Spelling? = .usual
    var platform: String?
    var tracking: String?
    /// More members of the event.
    var more: String?
    /// Replaces the whole element.
    var whole: String?
    var truth: RecordTruth
    private var timeText: TimeText

    var message: Message { truth.message }

    init(message: Message, code: Int, time: Int, user: Int, spelling: TimeText = .fraction) {
        // Buttons have no event here.
        self.code = code == 1 || code == 2 ? code : 7
        self.user = user
        timeText = spelling
        truth = RecordTruth(
            message: message, action: Message.action(self.code), platform: .unknown, payload: spelling.said(of: time))
    }

    /// Spells its time in one of the many ways; what that way cannot say is cut off.
    mutating func tell(_ spelling: TimeText) {
        timeText = spelling
        truth.payload = truth.payload.map(spelling.said)
    }

    mutating func setPlatform(_ platform: Platform, mixed: Int) {
        switch platform {
        case .unknown:
            self.platform = mixed == 0 ? nil : "\"WEB\""
            truth.platform = mixed == 0 ? .unknown : .web
        case .ios:
            self.platform = mixed < 2 ? "\"iOS\"" : "\"ios\""
            truth.platform = .ios
        default:
            self.platform = mixed == 0 ? "\"Android\"" : "\"android\""
            truth.platform = platform
        }
    }

    func write(into json: inout ByteBuffer) {
        if let whole {
            json.append(text: whole)
            return
        }
        json.append("{")
        let isTurned = user.isMultiple(of: 5)
        if isTurned { writeProperties(into: &json) } else { writeUser(into: &json) }
        writeName(into: &json)
        writeTime(into: &json)
        if isTurned { writeUser(into: &json) } else { writeProperties(into: &json) }
        json.append("", more)
        json.append("}")
    }

    private func writeUser(into json: inout ByteBuffer) {
        json.appendComma()
        json.append("\"external_id\":\"user-")
        json.append(decimal: user)
        json.append(0x22)
    }

    private func writeName(into json: inout ByteBuffer) {
        guard let name else { return }
        json.appendComma()
        json.append("\"name\":")
        switch name {
        case .text(let text): json.append(text: text)
        case .usual: json.append(code == 1 ? "\"push_open\"" : code == 2 ? "\"push_click\"" : "\"push_impression\"")
        }
    }

    private func writeTime(into json: inout ByteBuffer) {
        guard let time else { return }
        json.appendComma()
        json.append("\"time\":")
        switch time {
        case .text(let text): json.append(text: text)
        case .usual: timeText.write(truth.payload ?? 0, into: &json)
        }
    }

    private func writeProperties(into json: inout ByteBuffer) {
        json.appendComma()
        json.append("\"properties\":{")
        if let id {
            json.append("\"broadlogId\":")
            json.append(id, id: message.id)
        }
        if let deliveryID {
            json.appendComma()
            json.append("\"deliveryId\":")
            json.append(deliveryID, delivery: message.delivery)
        }
        json.append("\"platform\":", platform)
        json.append("\"_acsDeliveryTracking\":", tracking)
        json.append("}")
    }
}
