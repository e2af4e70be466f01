/// A collector line in the making, with what it is going to mean.
struct Draft {
    var line: WebLine
    let message: Message
    var code: Int
    /// The truth about its id, delivery and platform.
    var key: String
    var delivery: String
    var platform: Platform
    /// What it means before its status and time are looked at; nil for a hit.
    var verdict: Meaning?
    var hasMcID: Bool
    var timeIsBad = false

    /// A draft still without a request.
    init(message: Message, code: Int, time: Int, agent: UserAgents.Agent) {
        self.message = message
        self.code = code
        key = message.key
        delivery = message.deliveryText
        platform = agent.platform
        hasMcID = message.mcID != 0
        line = WebLine(address: message.addressText, time: time, request: [], agent: agent.text)
    }

    /// `h1685a5`
    var id: String { "h" + message.idText }

    /// `&mcId=…` for the messages that have one.
    var mcID: String {
        hasMcID ? "&mcId=\(mcIDDigits)" : ""
    }

    var mcIDDigits: String {
        let (high, low) = message.mcIDHalves
        return decimal(high) + decimal(low)
    }

    private func decimal(_ value: UInt64) -> String {
        let digits = String(value)
        return String(repeating: "0", count: 19 - digits.utf8.count) + digits
    }

    /// The hit with one or more of its parts spelled otherwise.
    mutating func hit(
        method: String = "GET", path: String = "/r/", id: String? = nil, delivery: String? = nil, third: String? = nil,
        comma: String = ",", version: String = " HTTP/1.1"
    ) {
        let value = [id ?? self.id, delivery ?? message.deliveryText, third ?? String(code)].joined(separator: comma)
        line.request = Array("\(method) \(path)?id=\(value)\(mcID)\(version)".utf8)
    }

    /// Any other request, and what becomes of it.
    mutating func ask(_ method: String, _ target: String, _ verdict: Meaning?) {
        line.request = Array("\(method) \(target) HTTP/1.1".utf8)
        self.verdict = verdict
    }

    /// The checks in the order in which they are made.
    func meaning(requiresMcID: Bool) -> Meaning {
        if let verdict { return verdict }
        if requiresMcID, !hasMcID { return .notPush }
        if let failure = failure(ofStatus: line.status) { return failure }
        return timeIsBad ? .badTime : .accepted
    }
}

/// What a status makes of a record; nil if it passes.
func failure(ofStatus status: String) -> Meaning? {
    if status == "404" { return .trackingDisabled }
    if status == "-" { return nil }
    guard let number = Int(status), (200..<400).contains(number) else { return .httpError }
    return nil
}
