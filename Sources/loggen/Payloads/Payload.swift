import Reference

/// A record that a body carries: an arrival report or an event, its values as JSON texts, and what it is going to mean.
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
    let code: Int
    /// What it counts as.
    let action: String
    var platform: Platform
    /// The time that it says, in milliseconds; nil for none that can be read.
    var time: Int?
    /// What becomes of it before its time is looked at; nil if nothing does.
    var verdict: Meaning?
    /// The id and the delivery that count, where they are not the message's.
    var key: BroadlogID?
    var delivery: String?

    // Its values; nil for those that are missing.
    var idText: String?
    var deliveryText: String?
    var actionText: String?
    var timeText: String?
    var platformText: String?
    var trackingText: String?
    /// More members.
    var more: String?
    /// Replaces an event, or the `data` of a report.
    var whole: String?
    var form = Form()

    /// An arrival report.
    init(arrival message: Message, time: Int) {
        self.init(message, code: 0, time, .milliseconds)
    }

    /// An event of users_track, where buttons have none.
    init(event message: Message, code: Int, time: Int, _ spelling: TimeText = .fraction) {
        self.init(message, code: code == 1 || code == 2 ? code : 7, time, spelling)
    }

    /// `code`: 0 for an arrival report.
    private init(_ message: Message, code: Int, _ time: Int, _ spelling: TimeText) {
        self.message = message
        self.code = code
        action = code == 0 ? "arrival" : Message.action(code)
        actionText = code == 0 ? "1" : "\"push_\(action)\""
        platform = code == 0 ? .ios : .unknown
        idText = "\"h\(message.idText)\""
        deliveryText = "\"\(message.deliveryText)\""
        tell(spelling, time)
    }

    private mutating func tell(_ spelling: TimeText, _ time: Int) {
        (timeText, self.time) = spelling.spell(time)
    }

    /// What the id cannot show leaves an ordinary record.
    mutating func apply(_ oddity: Oddity) {
        for change in oddity.changes {
            let value = change.value.map { message.fill($0, code: code) }
            let text = value?.text
            switch change.name {
            case .only where message.number == nil: return
            case .key: key = value
            case .delivery: delivery = text
            case .said: time = text.flatMap { Int($0) }
            case .id: idText = text
            case .deliveryid: deliveryText = text
            case .action: actionText = text
            case .time: timeText = text
            case .spelling: if let time, let spelling = TimeText(rawValue: text ?? "") { tell(spelling, time) }
            case .platform: platformText = text
            case .tracking: trackingText = text
            case .more: more = text
            case .whole: whole = text
            case .before: form.before = text ?? ""
            case .after: form.after = text ?? ""
            case .escaping: form.escaping = .wholeForm
            case .body: form.body = text
            case .ending: form.ending = text == "crlf" ? "\r\n" : "\n\n"
            default: break
            }
        }
        verdict = oddity.verdict
    }
}
