/// One body: its elements with what they are going to mean.
struct TrackBody {
    enum List: String, CaseIterable {
        case attributes, events, purchases
    }

    struct Element {
        var list: List
        var json: String
        var event: TrackEvent?
        var verdict: Meaning?
    }

    private(set) var elements: [Element] = []
    private let order: UInt64

    /// `key` decides what stands before the lists.
    init(key: Message) {
        order = SplitMix64.mix(key.mcID ^ UInt64(key.address))
    }

    mutating func add(_ event: TrackEvent) {
        elements.append(Element(list: .events, json: event.json, event: event, verdict: event.verdict))
    }

    mutating func add(_ json: String, to list: List, _ verdict: Meaning) {
        elements.append(Element(list: list, json: json, verdict: verdict))
    }

    func text(pretty: Bool) -> String {
        let (line, space) = pretty ? ("\n  ", " ") : ("", "")
        var members: [String] = []
        if order & 7 == 0 { members.append("\"partner\":\(space)\"ExampleSender\"") }
        if order & 7 == 1 { members.append("\"api_key\":\(space)\"00000000-0000-0000-0000-000000000000\"") }
        for list in List.allCases {
            let ofList = elements.filter { $0.list == list }
            guard !ofList.isEmpty || order & 24 == 0 else { continue }
            let texts = ofList.map { line + (pretty ? "  " : "") + $0.json }
            let end = ofList.isEmpty ? "" : line
            members.append("\"\(list.rawValue)\":\(space)[\(texts.joined(separator: ","))\(end)]")
        }
        return "{" + members.map { line + $0 }.joined(separator: ",") + (pretty ? "\n}" : "}")
    }
}

/// One event, its values as JSON texts, with what it is going to mean.
struct TrackEvent {
    let message: Message
    let code: Int
    let user: Int
    var id: String?
    var deliveryID: String?
    var name: String?
    var time: String?
    var platform: String?
    var tracking: String?
    /// More members of the event.
    var more = ""
    /// Replaces the whole element.
    var whole: String?

    var key: String
    var delivery: String
    var platformTruth = Platform.unknown
    var payload: Int?
    var verdict: Meaning?

    init(message: Message, code: Int, time: Int, user: Int, spelling: TimeText = .fraction) {
        self.message = message
        // Buttons have no event here.
        self.code = code == 1 || code == 2 ? code : 7
        self.user = user
        id = "\"h\(message.idText)\""
        deliveryID = "\"\(message.deliveryText)\""
        name = "\"push_\(Message.action(self.code))\""
        key = message.key
        delivery = message.deliveryText
        payload = time
        tell(spelling)
    }

    /// Spells its time in one of the many ways; what that way cannot say is cut off.
    mutating func tell(_ spelling: TimeText) {
        guard let payload else { return }
        let (json, said) = spelling.spell(payload)
        (time, self.payload) = (json, said)
    }

    mutating func setPlatform(_ platform: Platform, mixed: Int) {
        switch platform {
        case .unknown:
            self.platform = mixed == 0 ? nil : "\"WEB\""
            platformTruth = mixed == 0 ? .unknown : .web
        case .ios:
            self.platform = mixed < 2 ? "\"iOS\"" : "\"ios\""
            platformTruth = .ios
        default:
            self.platform = mixed == 0 ? "\"Android\"" : "\"android\""
            platformTruth = platform
        }
    }

    var json: String {
        if let whole { return whole }
        var properties: [String] = []
        if let id { properties.append("\"broadlogId\":\(id)") }
        if let deliveryID { properties.append("\"deliveryId\":\(deliveryID)") }
        if let platform { properties.append("\"platform\":\(platform)") }
        if let tracking { properties.append("\"_acsDeliveryTracking\":\(tracking)") }
        var members = ["\"external_id\":\"user-\(user)\""]
        if let name { members.append("\"name\":\(name)") }
        if let time { members.append("\"time\":\(time)") }
        members.append("\"properties\":{\(properties.joined(separator: ","))}")
        if user % 5 == 0 { members.swapAt(0, members.count - 1) }
        if !more.isEmpty { members.append(more) }
        return "{\(members.joined(separator: ","))}"
    }
}
