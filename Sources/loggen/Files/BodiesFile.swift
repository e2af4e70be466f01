import Reference

/// A file of /users/track bodies or of a vendor's events.
final class BodiesFile: LogFile {
    private lazy var body = TrackBody(format: file.kind, order: 0)

    override func writeSome(at time: Int) throws {
        if random.perMille(noise == .all ? 60 : 0) { return try writeOdd(message(at: ownIndex()), at: time) }
        body = TrackBody(format: file.kind, order: message(of: nextEntry()).notification)
        // Most exports have an event a line.
        let isAlone = file.kind == .events && random.draw(4) > 0
        let elements = isAlone ? 1 : min(rest, 1 + random.draw(8))
        ahead = elements - 1
        let time = nextTime()
        for _ in 0..<elements { addElement(at: time) }
        ahead = 0
        try write(body: body.text, records: body.count)
        // The sender has no answer and sends the body once more.
        if random.perMille(15), rest >= body.count { try write(body: body.text, records: body.count) }
    }

    /// Adds one element as users' devices and the sender's other jobs make them.
    private func addElement(at time: Int) {
        let isNoisy = noise != .none
        switch random.draw(1000) {
        case 0..<50 where isNoisy:
            let product = random.one(of: ["SKU-1041", "SKU-2210", "SKU-0007"])
            body.addPurchase(of: product, user: user(), at: time)
        case 50..<120 where isNoisy: body.addAttributes(ofUser: user(), areVisits: random.draw(2) == 1)
        case 120..<190 where isNoisy:
            let (message, user) = (message(of: nextEntry()), user())
            let name = random.one(of: ["session_start", "product_viewed", "push_notification_opened"])
            body.addEvent(name, of: message, user: user, at: time)
        case 190..<200 where isNoisy:
            let message = message(of: nextEntry())
            let off = #""_acsDeliveryTracking":"off""#
            body.addEvent("push_impression", of: message, user: user(), at: time, more: off)
        case 280..<(280 + late):
            let (message, seen) = lateMessage(daysBefore: 1 + random.draw(4))
            let time = message.chain > 15 ? min(seen + message.delay * 1000, clock.start) : seen
            addUsual(message, code: message.lastCode, at: time)
        default: addNextEvent(at: time)
        }
    }

    /// What is due of a push under way, or the first event of another.
    private func addNextEvent(at time: Int) {
        if let (entry, due) = agenda.next(by: time) { return addStep(entry, of: message(of: entry), at: due) }
        // The sender gathers events for a while before it sends them.
        let sent = earlier(time, by: 120_000)
        var entry = nextEntry()
        let message = message(of: entry)
        countRecipient(of: message)
        entry.rest = message.chain & 0xFFF
        addStep(entry, of: message, isFirst: true, at: sent)
    }

    /// Adds the next event of a push; the ones after it are for later.
    private func addStep(_ entry: Agenda.Entry, of message: Message, isFirst: Bool = false, at time: Int) {
        if entry.rest > 15 { schedule(after: entry, of: message, isFirst: isFirst, at: time, soon: random.draw(3000)) }
        addUsual(message, code: Int(entry.rest & 15), at: time)
    }

    /// Adds an event with its time in one of the common spellings. Buttons have no events.
    private func addUsual(_ message: Message, code: Int, at time: Int) {
        let (user, spelling, way) = (user(), random.draw(7), random.draw(4))
        let platform: String? =
            switch message.agent.platform {
            case "unknown": way == 0 ? nil : "WEB"
            case "ios": way < 2 ? "iOS" : "ios"
            default: way == 0 ? "Android" : "android"
            }
        let name = code == 1 ? "push_open" : code == 2 ? "push_click" : "push_impression"
        let more = platform.map { #""platform":"\#($0)""# }
        body.addEvent(name, of: message, user: user, at: time, spelling: spelling, more: more)
    }

    /// A push of this date, often one whose hits the collector has as well.
    private func nextEntry() -> Agenda.Entry {
        guard let host = collectorHost(perMille: 400) else { return Agenda.Entry(index: ownIndex(after: body.count)) }
        return Agenda.Entry(index: index(ofHost: host, before: 64), host: host)
    }

    private func message(of entry: Agenda.Entry) -> Message { message(at: entry.index, ofHost: entry.host) }

    private func user() -> Int { 10_000 + random.draw(90_000) }
}
