import Reference

/// A collector line in the making, with what it is going to mean.
struct Draft {
    let layout: Layout
    let message: Message
    let code: Int
    var line: WebLine
    /// The id and the delivery that count, where they are not the message's.
    var key: BroadlogID?
    var delivery: String?
    var platform: Platform
    var hasMcID: Bool

    init(message: Message, code: Int, time: Int, agent: UserAgents.Agent, layout: Layout) {
        self.layout = layout
        self.message = message
        self.code = code
        platform = agent.platform
        hasMcID = message.mcID != 0
        let request = message.fill(Message.usualRequest, code: code, hasMcID: hasMcID)
        line = WebLine(address: message.addressText, time: time, request: request, agent: agent.text)
    }

    /// What the layout or the id cannot show leaves an ordinary hit.
    mutating func apply(_ oddity: Oddity) {
        for change in oddity.changes {
            let value = change.value.map { message.fill($0, code: code, hasMcID: hasMcID) }
            let text = value?.text ?? ""
            switch change.name {
            case .only where text == "hex" ? message.number == nil : layout != .combined: return
            case .hasmcid: hasMcID = true
            case .key: key = value
            case .delivery: delivery = text
            case .platform: platform = Platform(rawValue: text) ?? .unknown
            case .isotime: if layout != .combined { line.timeText = text }
            default: line.set(change.name, value)
            }
        }
        line.verdict = oddity.verdict
    }

    /// The checks in the order in which they are made.
    func meaning(requiresMcID: Bool) -> Meaning {
        if let verdict = line.verdict { return verdict }
        if requiresMcID, !hasMcID { return .notPush }
        return line.fault ?? (line.timeText == nil ? .accepted : .badTime)
    }
}
