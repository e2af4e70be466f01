import Reference

/// A record that a body carries: an arrival report or an event. Its values are JSON texts, nil for those that are missing.
struct Payload {
    /// The form that an arrival report is sent in.
    struct Form {
        var before = "mzip="
        var after = ""
        var escaping = Escaping.form
        /// Replaces the form and the report.
        var body: String?
        var ending = "\n"
    }

    let message: Message
    private let code: Int
    /// In milliseconds.
    private let time: Int
    var id: String?
    var delivery: String?
    var action: String?
    var timeText: String?
    var platform: String?
    var tracking: String?
    /// More members.
    var more: String?
    /// Replaces an event, or the `data` of a report.
    var whole: String?
    var form = Form()

    /// How a time is spelled: its name in `Oddities.tsv`, the pattern, and the offset from UTC. The first seven are common.
    static let spellings: [(name: String, pattern: String, offset: Int)] = [
        ("zulu", "\"%Y-%m-%dT%H:%M:%SZ\"", 0),
        ("offset", "\"%Y-%m-%dT%H:%M:%S%Z\"", 3600),
        ("fraction", "\"%Y-%m-%dT%H:%M:%S.%LZ\"", 0),
        ("brazePattern", "\"%Y-%m-%dT%H:%M:%S:%L%z\"", 3600),
        ("shortOffset", "\"%Y-%m-%dT%H:%M:%S+02\"", 7200),
        ("seconds", "%s", 0),
        ("milliseconds", "%Q", 0),
        ("zoneless", "\"%Y-%m-%d %H:%M:%S\"", 0),
        ("decimalText", "\"%s.%L\"", 0),
        ("dateAlone", "\"%Y-%m-%d\"", 0),
        ("nanoseconds", "\"%Y-%m-%dT%H:%M:%S.%L987654Z\"", 0),
        ("decimal", "%s.%L9", 0),
        ("west", "\"%Y-%m-%dT%H:%M:%S.%L%Z\"", -18_000),
        ("exponent", "%s.%Le0", 0),
        ("millisecondText", "\"%Q\"", 0),
    ]

    /// An arrival report.
    init(arrival message: Message, time: Int) {
        self.init(message, code: 0, action: "1", time)
        spellTime("milliseconds")
    }

    /// An event of users_track, where buttons have none.
    init(event message: Message, code: Int, time: Int, spelling: Int = 2) {
        let code = code == 1 || code == 2 ? code : 7
        self.init(message, code: code, action: "\"push_\(Message.action(code))\"", time)
        spellTime(Self.spellings[spelling].name)
    }

    private init(_ message: Message, code: Int, action: String, _ time: Int) {
        self.message = message
        self.code = code
        self.time = time
        self.action = action
        id = "\"h\(message.idText)\""
        delivery = "\"\(message.deliveryText)\""
    }

    private mutating func spellTime(_ name: String) {
        guard let (_, pattern, offset) = Self.spellings.first(where: { $0.name == name }) else { return }
        var text = Bytes()
        text.append(time: time, as: pattern, offset: offset)
        timeText = text.text
    }

    /// Makes it odd. What the id cannot show leaves an ordinary record.
    mutating func apply(_ oddity: Oddity) {
        for change in oddity.changes {
            let text = change.value.map { message.fill($0, code: code).text }
            switch change.name {
            case "only" where message.number == nil: return
            case "id": id = text
            case "deliveryid": delivery = text
            case "action": action = text
            case "time": timeText = text
            case "spelling": spellTime(text ?? "")
            case "platform": platform = text
            case "tracking": tracking = text
            case "more": more = text
            case "whole": whole = text
            case "before": form.before = text ?? ""
            case "after": form.after = text ?? ""
            case "escaping": form.escaping = Escaping.named[text ?? ""] ?? .form
            case "body": form.body = text
            case "ending": form.ending = Oddity.ending(text ?? "")
            default: break
            }
        }
    }

    /// Says the platform in one of several ways.
    mutating func tell(_ platform: String, mixed: Int) {
        self.platform =
            switch platform {
            case "unknown": mixed == 0 ? nil : "\"WEB\""
            case "ios": mixed < 2 ? "\"iOS\"" : "\"ios\""
            default: mixed == 0 ? "\"Android\"" : "\"android\""
            }
    }

    /// Writes it as an event. Those of some users have their members in another order.
    func writeEvent(ofUser user: Int, into json: inout Bytes) {
        if let whole { return json.append(whole) }
        json.append("{")
        let isTurned = user.isMultiple(of: 5)
        if isTurned { writeProperties(into: &json) } else { json.append("\"external_id\":", json: "\"user-\(user)\"") }
        json.append("\"name\":", json: action)
        json.append("\"time\":", json: timeText)
        if isTurned { json.append("\"external_id\":", json: "\"user-\(user)\"") } else { writeProperties(into: &json) }
        json.append("", json: more)
        json.append("}")
    }

    private func writeProperties(into json: inout Bytes) {
        json.append("\"properties\":", json: "{")
        json.append("\"broadlogId\":", json: id)
        json.append("\"deliveryId\":", json: delivery)
        json.append("\"platform\":", json: platform)
        json.append("\"_acsDeliveryTracking\":", json: tracking)
        json.append("}")
    }

    /// A report in its form.
    func formBody(order: UInt64) -> Bytes {
        if let body = form.body { return Bytes(body) }
        var json = Bytes()
        json.reserveCapacity(256)
        writeArrival(order: order, into: &json)
        var body = Bytes(form.before)
        body.reserveCapacity(512)
        form.escaping.append(json, to: &body)
        body.append(form.after)
        return body
    }

    /// Writes it as a report's document. `order` has random bits for the order of the keys, which differs from report to
    /// report, and for what has no meaning here.
    private func writeArrival(order: UInt64, into json: inout Bytes) {
        let beginsWithSecurity = order & 1 == 0
        json.append("{")
        if beginsWithSecurity { writeSecurity(order, into: &json) }
        json.append("\"log_content\":", json: "{")
        let members = ["\"time\":", "\"type\":", "\"data\":"]
        let values = [timeText, action, whole]
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
        json.append("\"security\":", json: "\"")
        json.append(hex: SplitMix64.mix(order), digits: 16)
        json.append("+\\/w==\"")
    }

    private func writeData(_ order: UInt64, into json: inout Bytes) {
        let members = 4 + (tracking == nil ? 0 : 1) + (more == nil ? 0 : 1)
        json.append("\"data\":", json: "{")
        for place in 0..<members {
            switch (place + Int(order >> 9 & 7)) % members {
            case 0: json.append("\"_mId\":", json: id)
            case 1: json.append("\"_dId\":", json: delivery)
            case 2: json.append("\"title\":", json: Self.titles[Int(order >> 17 & 3)])
            case 3:
                json.append("\"msg_id\":", json: "\"T-")
                json.append(hex: message.notification, digits: 16)
                json.append("-0\"")
            case 4 where tracking != nil: json.append("\"_acsDeliveryTracking\":", json: tracking)
            default: json.append("", json: more)
            }
        }
        json.append("}")
    }

    private static let titles = [
        "\"陌陌 a+b & c\\/d\"", "\"Rebajas de otoño: −20 %\"", "\"Tu pedido está en camino 📦\"", "\"Sólo hoy\"",
    ]
}
